import { withServers } from '../support/definitions.js';
import { recordingsFolder } from '../support/environment.js';
import { sharedStack } from '../support/stack.js';
import { canonicalSha256, readRetail } from './retail-data.js';
import { expectedOf, playRetail } from './retail-player.js';

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
      const game = { stack: sharedStack(), sideBySide: 5 };
      const played = await playRetail(benchmark, [...benchmark.tasks], servers, game);
      const byTask = new Map(played.map((one) => [one.task, one]));
      const wanted = benchmark.tasks.map((task) => expectedOf(benchmark, task));
      expect(wanted.map(({ task }) => byTask.get(task))).toEqual(wanted);
      expect(servers.tools.requests.every((request) => request.signature === 'valid')).toBe(true);
    }));
});
