'use client';

import type { Approval, Tool } from '@countersign/contracts';
import { useMemo, useState } from 'react';
import { writeExactly } from '../../../api/exact-json';
import { changesBetween } from '../changes';
import { type Preview, usePreview } from '../data/use-preview';
import type { Schema } from './field';
import type { FormState } from './form-state';
import { openForm } from './open-form';
import { type FieldProblem, readForm } from './read-form';

export interface Edit {
  readonly form: FormState;
  /** The arguments as edited; null while they cannot be handed over, or are as they were. */
  readonly edited: { readonly value: unknown } | null;
  readonly changed: boolean;
  readonly preview: Preview;
  /** May be sent: something is changed, and the API does not refuse it. */
  readonly sendable: boolean;
  /** This one signature is enough for it. */
  readonly suffices: boolean;
}

const AT_FAULT = /^\/editedArguments(?=\/|$)/;

/** A reviewer's edit of one call: the form, what it stands for, and what the API would say to it. */
export function useEdit(approval: Approval, tool: Tool): Edit {
  const [root, setRoot] = useState(() => openForm(tool.parameters as Schema, approval.arguments, tool));
  const read = useMemo(() => readForm(root), [root]);
  const changed = read.type === 'invalid' || changesBetween(approval.arguments, read.value).length > 0;
  const edited = read.type === 'value' && changed ? read : null;
  const preview = usePreview(approval.id, edited === null ? null : writeExactly(edited.value));
  const refused = preview.type === 'answer' ? preview.preview.errors : [];
  const verdict = preview.type === 'answer' ? preview.preview.verdict : null;
  const problems: readonly FieldProblem[] =
    read.type === 'invalid'
      ? read.problems
      : refused.map(({ path, message }) => ({ path: path.replace(AT_FAULT, ''), message }));
  return {
    form: {
      root,
      schema: tool.parameters as Schema,
      rules: tool,
      old: approval.arguments,
      problemAt: (path) => problems.find((problem) => problem.path === path)?.message,
      onChange: setRoot,
    },
    edited,
    changed,
    preview,
    sendable: edited !== null && verdict !== null && verdict !== 'refused',
    suffices: verdict === 'allowed',
  };
}
