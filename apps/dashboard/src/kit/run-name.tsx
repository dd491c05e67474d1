import type { Run } from '@countersign/contracts';
import { shortId } from './id';
import { InertText } from './inert-text';

/** What the customer calls a run; its id, where the customer gave it no name of their own. */
export function RunName({ run }: { run: Pick<Run, 'id' | 'operationId'> }) {
  return run.operationId === run.id ? (
    <span className="font-mono font-normal text-12 text-muted">{shortId(run.id)}</span>
  ) : (
    <InertText text={run.operationId} />
  );
}
