import type { ConversationItem } from './conversation.js';

/**
 * Encodes each item of a conversation once for a variant (for example a provider's server): a history goes out again
 * with every turn, its items never change, and two hundred turns must not cost two hundred encodings of the first.
 */
export function encodeOnce<Encoded = string>(
  encode: (item: ConversationItem, variant: string) => Encoded,
): (item: ConversationItem, variant: string) => Encoded {
  const made = new WeakMap<ConversationItem, { readonly variant: string; readonly encoded: Encoded }>();
  return (item, variant) => {
    const known = made.get(item);
    if (known?.variant === variant) return known.encoded;
    const encoded = encode(item, variant);
    made.set(item, { variant, encoded });
    return encoded;
  };
}
