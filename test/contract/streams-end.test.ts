import { openEventStream, readUntil } from '../support/event-stream.js';
import { addMember } from '../support/people.js';
import { openRunsWorld, type RunsWorld } from './runs-world.js';

describe('a stream ends when who hears it may not hear it any more', () => {
  let world: RunsWorld;
  beforeAll(async () => {
    world = await openRunsWorld();
  });
  afterAll(() => world.close());

  const PATHS = ['/v1/changes', 'the events of a run'] as const;
  const pathOf = async (name: (typeof PATHS)[number]): Promise<string> =>
    name === '/v1/changes' ? name : `/v1/runs/${(await world.startPayment()).id}/events`;

  test.each(PATHS)('a member who was removed, of %s', async (name) => {
    const path = await pathOf(name);
    const { member, password } = await addMember(world.api, 'viewer');
    const viewer = await world.api.signIn(member.email, password ?? '');
    const stream = await openEventStream(viewer, path);
    expect(stream.status).toBe(200);
    await world.api.expect(204, world.api.delete(`/v1/members/${member.id}`));
    await expect(readUntil(stream)).rejects.toThrow();
  });

  test.each(PATHS)('a key that was deleted, of %s', async (name) => {
    const path = await pathOf(name);
    const body = { name: 'for a while', scopes: ['runs:read'] };
    const made = await world.api.expect(
      201,
      world.api.post<{ id: string; apiKey: string }>('/v1/keys', body),
    );
    const stream = await openEventStream(world.api.withKey(made.apiKey), path);
    expect(stream.status).toBe(200);
    await world.api.expect(204, world.api.delete(`/v1/keys/${made.id}`));
    await expect(readUntil(stream)).rejects.toThrow();
  });
});
