'use client';

import { InertText } from '../../../kit/inert-text';
import { Json } from '../../../kit/json';
import { changesBetween, isBranch, stepsOf } from '../changes';
import { ValueText } from './value-text';

interface ValueRowsProps {
  /** As the api client reads it: numbers with every digit. */
  value: unknown;
  /** What it was when it was first shown; what differs is marked. Undefined: nothing to compare with. */
  first?: unknown;
  /** Names that come first, in this order; the rest as it came. */
  order?: readonly string[];
}

/** An object by its names, each with its exact value, and what has changed since it was first shown. */
export function ValueRows({ value, first, order = [] }: ValueRowsProps) {
  if (!isBranch(value) || Array.isArray(value)) {
    return <Json value={value} />;
  }
  const changes = first === undefined ? [] : changesBetween(first, value);
  const present = new Set([...Object.keys(value), ...changes.map(({ path }) => stepsOf(path)[0] ?? '')]);
  const names = [...new Set([...order.filter((name) => present.has(name)), ...present])];
  if (names.length === 0) {
    return <p className="text-faint">None</p>;
  }
  return (
    <dl className="grid grid-cols-[minmax(72px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1">
      {names.map((name) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dt className="max-w-40 font-mono text-12 text-faint leading-5">
            <InertText text={name} />
          </dt>
          <dd className="min-w-0">
            {Object.hasOwn(value, name) ? (
              <Value value={value[name]} />
            ) : (
              <span className="text-faint">gone</span>
            )}
            {changes
              .filter(({ path }) => stepsOf(path)[0] === name)
              .map((change) => (
                <Was key={change.path} path={stepsOf(change.path).slice(1)} before={change.before} />
              ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: unknown }) {
  return isBranch(value) ? (
    <Json value={value} className={Object.values(value).some(isBranch) ? 'pl-4' : undefined} />
  ) : (
    <ValueText value={value} className="text-13" />
  );
}

function Was({ path, before }: { path: readonly string[]; before: unknown }) {
  return (
    <span className="mx-2 rounded-4 bg-amber-soft box-decoration-clone px-1.5 py-0.5 text-12 text-amber">
      {path.length > 0 && <InertText text={`${path.join(' › ')} `} className="font-mono" />}
      {before === undefined ? 'new' : 'was '}
      {before !== undefined && <ValueText value={before} className="ml-1 text-12" />}
    </span>
  );
}
