import { freePort, type ServerProcess, startServerProcess } from './server-process';

const SHARED = 'COUNTERSIGN_TEST_DASHBOARD';
const NEXT = 'node_modules/next/dist/bin/next';

/** The built dashboard, on a port of its own, for the API at `apiUrl`. */
export async function startDashboard(apiUrl: string): Promise<ServerProcess> {
  const port = await freePort();
  return startServerProcess({
    name: 'dashboard',
    args: [NEXT, 'start', 'apps/dashboard', '-p', String(port), '-H', '127.0.0.1'],
    port,
    environment: { API_URL: apiUrl, NEXT_TELEMETRY_DISABLED: '1' },
  });
}

/** Hands the address of the dashboard on the shared stack from the global setup to the test files. */
export function publishSharedDashboard({ url }: ServerProcess): void {
  process.env[SHARED] = url;
}

/** The address of the dashboard on the shared stack. */
export function sharedDashboard(): string {
  const url = process.env[SHARED];
  if (url === undefined) throw new Error(`${SHARED} is not set: the global setup did not start a dashboard`);
  return url;
}
