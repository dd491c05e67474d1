/** A string that has been given a meaning at a border (for example JSON text that was parsed there). */
export type Brand<Name extends string> = string & { readonly __brand: Name };

/**
 * Text of one JSON value. It is stored and sent as text, so that big integers, decimals, NUL and lone surrogates
 * survive unchanged (invariant I12). Whether it is canonical is said where it matters.
 */
export type JsonText = Brand<'JsonText'>;

/** `sha256:` and 64 hex digits over a canonical JSON text. */
export type Digest = Brand<'Digest'>;

/** A JSON pointer (RFC 6901) into arguments or a subject, for example `/orderId`. */
export type JsonPointer = string;

/** Milliseconds since the epoch by the clock of Postgres (invariant I2: never by a worker's clock). */
export type Instant = number;

/** An exact decimal amount of US dollars as text, for example `0.012345`. No float ever holds money. */
export type UsdText = string;
