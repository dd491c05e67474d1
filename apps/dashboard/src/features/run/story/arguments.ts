import { parseExactly } from '../../../api/exact-json';
import type { CallStory } from './call-draft';

/** The arguments of a call: as they are bound, else as the model wrote them; text where that is no JSON. */
export function argumentsOf({ bound, proposed }: Pick<CallStory, 'bound' | 'proposed'>): unknown {
  if (bound !== null) {
    return bound.arguments;
  }
  try {
    return parseExactly(proposed);
  } catch {
    return proposed;
  }
}

/** Arguments in a line, names and values: `order_id 3, amount 129.00`. */
export function argumentsLine(value: unknown, write: (value: unknown) => string): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return write(value);
  }
  return Object.entries(value)
    .map(([name, each]) => `${name} ${typeof each === 'string' ? each : write(each)}`)
    .join(', ');
}
