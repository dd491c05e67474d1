'use client';

import type { Approval, Tool } from '@countersign/contracts';
import type { ReactNode } from 'react';
import { formatExactMoney } from '../../../kit/decimal';
import { Digest } from '../../../kit/id';
import { InertText } from '../../../kit/inert-text';
import { Money } from '../../../kit/money';
import { isBranch } from '../changes';
import type { FirstSeen } from '../data/use-first-seen';
import { EFFECT_WORDS } from '../wording/what-happens';
import { asSentence, whyAsked } from '../wording/why-asked';
import { capitalized } from '../wording/words';
import { Approvers } from './approvers';
import { Facts } from './facts';
import { Headline } from './headline';
import { Row } from './row';
import { ValueRows } from './value-rows';

interface RequestBodyProps {
  approval: Approval;
  /** The money as it was asked for, where `approval` shows an edit of it. */
  asked?: Approval['money'];
  tool: Tool | undefined;
  first: FirstSeen | null;
  asking: boolean;
  onRefresh: () => void;
  selfId: string;
  /** Takes the place of the arguments. */
  edit?: ReactNode;
}

/** Everything that a person signs, and why they are asked. */
export function RequestBody({
  approval,
  asked = approval.money,
  tool,
  first,
  asking,
  onRefresh,
  selfId,
  edit,
}: RequestBodyProps) {
  const { money, effect, reason } = approval;
  const effectWords = effect === null ? '' : EFFECT_WORDS[effect];
  return (
    <article>
      <Headline approval={approval} selfId={selfId} asked={asked} />
      <Row label="Why you">
        <InertText text={asSentence(reason)} className="block" />
        <span className="text-12 text-muted">{capitalized(whyAsked(approval))}</span>
      </Row>
      {edit ?? (
        <Row label="Arguments">
          <ValueRows value={approval.arguments} first={first?.arguments} order={argumentNames(tool)} />
          <p className="mt-2 flex items-center gap-1.5 text-12 text-faint">
            digest <Digest value={approval.argumentsDigest} />
          </p>
        </Row>
      )}
      {(money !== null || effect !== null) && (
        <Row label="Effect">
          <p className="text-muted">
            {money === null ? (
              capitalized(effectWords)
            ) : (
              <>
                <Money {...money} className="font-medium text-ink" />
                {exactly(money.amount, money.currency)}
                {effectWords !== '' && ` · ${effectWords}`}
              </>
            )}
          </p>
        </Row>
      )}
      <Approvers approval={approval} selfId={selfId} />
      <Facts {...{ approval, tool, first, asking, onRefresh }} edits={edit !== undefined} />
    </article>
  );
}

/** In the order of the tool's author, as the form has them: stored arguments are sorted. */
function argumentNames(tool: Tool | undefined): string[] {
  const { properties } = (tool?.parameters ?? {}) as { readonly properties?: unknown };
  return isBranch(properties) ? Object.keys(properties) : [];
}

/** Every digit, where cents do not show them all. */
function exactly(amount: string, currency: string): string {
  return /\.\d{2}[0-9]*[1-9]/.test(amount) ? `, exactly ${formatExactMoney(amount, currency)}` : '';
}
