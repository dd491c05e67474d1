/** Where the API has a run. The id comes out of the URL and may be anything. */
export function runPath(runId: string): string {
  return `/v1/runs/${encodeURIComponent(runId)}`;
}
