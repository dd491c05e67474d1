export const dynamic = 'force-dynamic';

/** This process serves pages; what the pages need from the API they say themselves. */
export function GET() {
  return Response.json({ status: 'ready' });
}
