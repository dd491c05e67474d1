import { NotReady, readiness } from './health.js';

const fine = { name: 'queue', probe: async () => undefined };
const failing = (error: Error) => ({ name: 'database', probe: () => Promise.reject(error) });

describe('readiness', () => {
  test('is there once every check is', async () => {
    expect(await readiness([fine])).toEqual({ ready: true, checks: { queue: 'ok' } });
  });

  test('says which check failed, and keeps to itself what an error tells of hosts and users', async () => {
    const state = await readiness([fine, failing(new Error('connect 10.0.0.7:5432 as app'))]);
    expect(state).toEqual({ ready: false, checks: { queue: 'ok', database: 'cannot be reached' } });
  });

  test('gives the reasons that are meant to be read', async () => {
    const state = await readiness([failing(new NotReady('not applied'))]);
    expect(state.checks).toEqual({ database: 'not applied' });
  });

  test('does not wait for a check that never answers', async () => {
    const state = await readiness([{ name: 'database', probe: () => new Promise(() => undefined) }], 1);
    expect(state).toEqual({ ready: false, checks: { database: 'does not answer' } });
  });
});
