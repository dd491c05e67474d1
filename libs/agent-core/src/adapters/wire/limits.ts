/** The most that one call's arguments may take, in bytes. */
export const LARGEST_ARGUMENTS = 1024 * 1024;

/** The most that one reply may take on the wire, in bytes: no model writes that much. */
export const LARGEST_REPLY = 64 * 1024 * 1024;
