import { apiIsReady, apiUrl } from '../lib/api-health';

export const dynamic = 'force-dynamic';

export default async function Page() {
  const ready = await apiIsReady();
  return (
    <main>
      <h1>Countersign</h1>
      <p>The dashboard for runs and approvals is not built yet. Everything can be done through the API.</p>
      <p>
        API: {ready ? 'ready' : 'not ready'} · <a href={`${apiUrl()}/docs`}>API documentation</a> ·{' '}
        <a href={`${apiUrl()}/openapi.json`}>OpenAPI document</a>
      </p>
    </main>
  );
}
