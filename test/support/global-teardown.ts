import './global-setup';

/** Ends the shared stack and its dashboard. */
export default async function globalTeardown(): Promise<void> {
  await Promise.all([globalThis.countersignTestDashboard?.kill(), globalThis.countersignTestStack?.stop()]);
}
