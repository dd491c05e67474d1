import type { Usage } from '../story/happening';
import { Fact, Facts } from './rows';

/** Tokens by kind; cached and written ones are part of what was sent, reasoning of what was received. */
export function Tokens({ usage }: { usage: Usage }) {
  return (
    <Facts>
      <Figure name="Sent" value={usage.inputTokens} />
      <Figure name="from the cache" value={usage.cachedInputTokens} part />
      <Figure name="written to it" value={usage.cacheWriteTokens} part />
      <Figure name="Received" value={usage.outputTokens} />
      <Figure name="reasoning" value={usage.reasoningTokens} part />
    </Facts>
  );
}

function Figure({ name, value, part = false }: { name: string; value: number; part?: boolean }) {
  return (
    <Fact name={name} part={part}>
      <span className="figures font-mono">{value.toLocaleString('en')}</span>
    </Fact>
  );
}
