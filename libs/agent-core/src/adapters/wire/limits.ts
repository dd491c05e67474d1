/**
 * The longest that a provider may say nothing, before its first word and between two, in milliseconds; pings are not
 * counted as words. What undici waits for between two bytes, and OpenAI's own Codex for between two events.
 */
export const LONGEST_SILENCE_MS = 300_000;

/** The most that one call's arguments may take, in bytes. */
export const LARGEST_ARGUMENTS = 1024 * 1024;

/** The most that one reply may take on the wire, in bytes: no model writes that much. */
export const LARGEST_REPLY = 64 * 1024 * 1024;

/** The most that one event of a stream may take, in bytes: a whole reply with the largest arguments has room in it. */
export const LARGEST_EVENT = 4 * 1024 * 1024;
