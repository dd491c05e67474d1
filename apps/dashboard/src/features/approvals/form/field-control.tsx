'use client';

import { useId, useState } from 'react';
import { writeExactly } from '../../../api/exact-json';
import { Input, Select, TextArea } from '../../../kit/field';
import { inertParts } from '../../../kit/inert';
import { counted } from '../wording/words';
import type { Control, Field } from './field';

interface FieldControlProps {
  field: Field;
  problem: string | undefined;
  onChange: (control: Control) => void;
}

/** The control of one value, with what is wrong with it below. */
export function FieldControl({ field, problem, onChange }: FieldControlProps) {
  const id = useId();
  const names = {
    'aria-label': field.name,
    'aria-invalid': problem !== undefined || undefined,
    'aria-describedby': problem === undefined ? undefined : id,
  };
  return (
    <div className="min-w-0">
      <ControlInput control={field.control} names={names} onChange={onChange} />
      {problem === undefined && <HiddenNote control={field.control} />}
      {problem !== undefined && (
        <p id={id} className="mt-0.5 text-12 text-red">
          {problem}
        </p>
      )}
    </div>
  );
}

/** A field shows no character that hides: it says how many it holds. */
function HiddenNote({ control }: { control: Control }) {
  const text = control.kind === 'text' || control.kind === 'json' ? control.text : '';
  const hidden = inertParts(text).filter(({ kind }) => kind === 'hidden').length;
  return hidden === 0 ? null : (
    <p className="mt-0.5 text-12 text-amber">
      Holds {counted(hidden, 'character')} that cannot be seen here.
    </p>
  );
}

interface ControlInputProps {
  control: Control;
  names: object;
  onChange: (control: Control) => void;
}

function ControlInput({ control, names, onChange }: ControlInputProps) {
  switch (control.kind) {
    case 'text':
      return <Text names={names} text={control.text} onChange={(text) => onChange({ ...control, text })} />;
    case 'number':
      // No number field: a browser rounds, and steps on the wheel.
      return (
        <Input
          {...names}
          inputMode="decimal"
          className="figures font-mono"
          value={control.digits}
          onChange={({ target }) => onChange({ ...control, digits: target.value })}
        />
      );
    case 'date':
      return (
        <Input
          {...names}
          type="date"
          className="font-mono"
          value={control.text}
          onChange={({ target }) => onChange({ kind: 'date', text: target.value })}
        />
      );
    case 'flag':
      return <YesNo names={names} on={control.on} onChange={(on) => onChange({ kind: 'flag', on })} />;
    case 'choice':
      return <Choice names={names} control={control} onChange={onChange} />;
    case 'json':
      return (
        <TextArea
          {...names}
          className="font-mono"
          spellCheck={false}
          value={control.text}
          onChange={({ target }) => onChange({ kind: 'json', text: target.value })}
        />
      );
    default:
      return null;
  }
}

/** What fits a line of a narrow form, in characters. */
const ONE_LINE = 20;

interface TextProps {
  names: object;
  text: string;
  onChange: (text: string) => void;
}

/** A text on one line where it came on one, else on as many as it takes. That stays so: who types would lose the field. */
function Text({ names, text, onChange }: TextProps) {
  const [lines] = useState(() => text.length > ONE_LINE || text.includes('\n'));
  return lines ? (
    <TextArea
      {...names}
      rows={2}
      className="field-sizing-content min-h-8 font-mono"
      value={text}
      onChange={({ target }) => onChange(target.value)}
    />
  ) : (
    <Input {...names} className="font-mono" value={text} onChange={({ target }) => onChange(target.value)} />
  );
}

function YesNo({ names, on, onChange }: { names: object; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <Select {...names} value={String(on)} onChange={({ target }) => onChange(target.value === 'true')}>
      <option value="true">true</option>
      <option value="false">false</option>
    </Select>
  );
}

interface ChoiceProps {
  names: object;
  control: Extract<Control, { kind: 'choice' }>;
  onChange: (control: Control) => void;
}

function Choice({ names, control, onChange }: ChoiceProps) {
  return (
    <Select
      {...names}
      value={control.chosen}
      onChange={({ target }) => onChange({ ...control, chosen: Number(target.value) })}
    >
      {control.chosen < 0 && <option value={-1}>Choose one</option>}
      {control.options.map((option, position) => {
        const text = typeof option === 'string' ? option : writeExactly(option);
        return (
          <option key={text} value={position}>
            {text}
          </option>
        );
      })}
    </Select>
  );
}
