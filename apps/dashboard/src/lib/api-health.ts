/** Where the API answers: API_URL, else the loopback address on API_PORT (3001). */
export function apiUrl(): string {
  return process.env.API_URL ?? `http://127.0.0.1:${process.env.API_PORT ?? '3001'}`;
}

/** Whether the API says that it is ready; an API that does not answer within two seconds is not. */
export async function apiIsReady(): Promise<boolean> {
  try {
    const response = await fetch(`${apiUrl()}/readyz`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(2_000),
    });
    return response.ok;
  } catch {
    return false;
  }
}
