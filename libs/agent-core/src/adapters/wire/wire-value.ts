/** Readers of values whose shape a server promised and may not keep. None of them throws. */

export type WireObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown): WireObject | null {
  return isObject(value) ? value : null;
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A count of tokens: a safe integer that is not negative, else null. */
export function asCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a text is a whole JSON object. The last character is looked at first: pieces of calls are asked often. */
export function isObjectText(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  try {
    return asObject(JSON.parse(text)) !== null;
  } catch {
    return false;
  }
}
