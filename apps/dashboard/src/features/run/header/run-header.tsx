'use client';

import type { Run } from '@countersign/contracts';
import { usePlace } from '../data/use-place';
import type { Story } from '../story/story';
import { ContextGraph } from './context-graph';
import { RunBanner } from './run-banner';
import { RunFacts } from './run-facts';

/** Where a run stands, its figures, and how its context grew. */
export function RunHeader({ run, story }: { run: Run; story: Story }) {
  const { open } = usePlace();
  return (
    <>
      <RunFacts run={run} />
      <RunBanner run={run} story={story} onOpen={open} />
      <ContextGraph story={story} onOpen={open} />
    </>
  );
}
