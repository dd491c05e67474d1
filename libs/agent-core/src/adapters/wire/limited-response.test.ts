import { limitedResponse } from './limited-response.js';
import { UnusableReply } from './reply-error.js';

const pieces = (...sizes: readonly number[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const size of sizes) controller.enqueue(new Uint8Array(size));
        controller.close();
      },
    }),
    { status: 429, headers: { 'x-kept': 'yes' } },
  );

describe('a response with a limit', () => {
  it('is the same while it stays below', async () => {
    const limited = limitedResponse(pieces(3, 4), 7);
    expect([limited.status, limited.headers.get('x-kept')]).toEqual([429, 'yes']);
    expect((await limited.arrayBuffer()).byteLength).toBe(7);
  });

  it('breaks where it grows larger, in one piece or in many', async () => {
    await expect(limitedResponse(pieces(8), 7).arrayBuffer()).rejects.toThrow(UnusableReply);
    await expect(limitedResponse(pieces(3, 3, 3), 7).text()).rejects.toThrow(UnusableReply);
  });

  it('may have no body', () => {
    expect(limitedResponse(new Response(null, { status: 204 })).status).toBe(204);
  });
});
