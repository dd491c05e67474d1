import { newId } from '../../apps/api/src/platform/ids.js';
import {
  type RecordedCall,
  RecordedCallRepository,
} from '../../apps/api/src/runs/simulation/recorded-call.repository.js';
import { permitted, reply } from './events.js';
import { claim, commit, makeTenant, openWorld, start, type World } from './support.js';

let world: World;
let tenant: string;
let calls: RecordedCallRepository;

beforeAll(async () => {
  world = await openWorld();
  calls = new RecordedCallRepository(world.connections);
});
beforeEach(async () => {
  tenant = await makeTenant(world);
});
afterAll(() => world.close());

const [from, to] = [new Date('2026-05-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')];

/** A run whose model proposes a call at each of these times; the ones with a verdict are permitted. */
async function propose(times: readonly string[], verdicts: number): Promise<readonly string[]> {
  await start(world, tenant);
  const ids = times.map(() => newId('tcl'));
  const said = reply(newId('mdl'), { calls: ids.map((toolCallId) => ({ toolCallId })) });
  await commit(world, await claim(world), { events: [said, ...ids.slice(0, verdicts).map(permitted)] });
  for (const [index, id] of ids.entries()) {
    await world.database.query('UPDATE tool_calls SET created_at = $1 WHERE id = $2', [times[index], id]);
  }
  return ids;
}

async function read(most: number, of = tenant): Promise<readonly RecordedCall[]> {
  const found: RecordedCall[] = [];
  for await (const page of calls.pages(of, { from, to, most })) found.push(...page);
  return found.sort((one, other) => one.proposedAt.getTime() - other.proposedAt.getTime());
}

const TIMES = [
  '2026-04-30T23:59:59.999Z',
  '2026-05-01T00:00:00Z',
  '2026-05-15T00:00:00Z',
  '2026-06-01T00:00:00Z',
];

it('calls are those of the time that was asked for, each with what policy said of it, if it did', async () => {
  const ids = await propose(TIMES, 2);
  const found = await read(10);
  expect(found.map(({ toolCallId }) => toolCallId)).toEqual(ids.slice(1, 3));
  expect(found).toMatchObject([
    { tool: 'refund', effect: 'once', agentName: 'support', agentVersion: 1, type: 'tool.permitted' },
    { type: null, data: null, approvalId: null, leftOutUntil: null },
  ]);
  expect(JSON.parse(found[0]?.data ?? '')).toMatchObject({ toolCallId: ids[1], policyRule: 'tenant:0' });
});

it('of more calls than are looked at the newest are, and it is said which are left out', async () => {
  const ids = await propose(['2026-05-02T00:00:00Z', '2026-05-04T00:00:00Z', '2026-05-03T00:00:00Z'], 0);
  const found = await read(2);
  expect(found.map(({ toolCallId }) => toolCallId)).toEqual([ids[2], ids[1]]);
  expect(found[0]?.leftOutUntil).toEqual(new Date('2026-05-02T00:00:00Z'));
});

it('a tenant reads its own calls, and the connection is bound to nobody afterwards', async () => {
  await propose(TIMES, 0);
  expect(await read(10, await makeTenant(world))).toEqual([]);
  const { rows } = await world.connections.pool.query('SELECT * FROM tool_calls');
  expect(rows).toEqual([]);
});

it('a reader that stops early gives its connection back', async () => {
  await propose(TIMES, 0);
  for (let turn = 0; turn < 20; turn += 1) {
    for await (const page of calls.pages(tenant, { from, to, most: 10 })) {
      expect(page).toHaveLength(2);
      break;
    }
  }
  expect(await read(10)).toHaveLength(2);
});
