import { withServers } from '../support/definitions.js';
import { recordingsFolder } from '../support/environment.js';
import { sharedStack } from '../support/stack.js';
import { canonicalSha256, type RetailTask, readRetail } from './retail-data.js';
import { type PlayedTask, playRetail } from './retail-player.js';

const folder = recordingsFolder();

describe('the retail tasks of tau-bench, each action signed and done once', () => {
  if (folder === null) {
    test.skip('skipped: COUNTERSIGN_TEST_DATA names no folder of recordings', () => undefined);
    return;
  }
  const benchmark = readRetail(folder, 'dev');

  test('the database to begin with is the recorded one', () => {
    expect(canonicalSha256(benchmark.data)).toBe(benchmark.initialSha256);
  });

  test('every output and every final database is the expected one', () =>
    withServers(async (servers) => {
      const played = await playRetail(benchmark, servers, sharedStack());
      const byTask = new Map(played.map((one) => [one.task, one]));
      expect(benchmark.tasks.map(({ id }) => byTask.get(id))).toEqual(benchmark.tasks.map(expectedOf));
      expect([...servers.tools.effects.values()].every((times) => times === 1)).toBe(true);
      expect(servers.tools.requests.every((request) => request.signature === 'valid')).toBe(true);
    }));

  function expectedOf(task: RetailTask): PlayedTask {
    const expected = benchmark.expected.get(task.id);
    if (expected === undefined) throw new Error(`nothing is expected of ${task.id}`);
    return {
      task: task.id,
      toolCalls: task.actions.length,
      outputs: expected.observations.map(({ output, is_error }) =>
        is_error ? `The tool answered 422: ${output}` : output,
      ),
      database: expected.canonical_sha256,
    };
  }
});
