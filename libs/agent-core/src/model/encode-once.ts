import type { ConversationItem } from './conversation.js';

/**
 * Encodes each item of a conversation once for a variant (for example a provider's server): a history goes out again
 * with every turn, its items never change, and two hundred turns must not cost two hundred encodings of the first.
 */
export function encodeOnce(
  encode: (item: ConversationItem, variant: string) => string,
): (item: ConversationItem, variant: string) => string {
  const encoded = new WeakMap<ConversationItem, { readonly variant: string; readonly text: string }>();
  return (item, variant) => {
    const known = encoded.get(item);
    if (known?.variant === variant) return known.text;
    const text = encode(item, variant);
    encoded.set(item, { variant, text });
    return text;
  };
}
