import './global-setup';

/** Ends the shared stack. */
export default async function globalTeardown(): Promise<void> {
  await globalThis.countersignTestStack?.stop();
}
