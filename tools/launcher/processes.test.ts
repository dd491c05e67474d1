import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { startTimeOf } from './process-identity.mjs';
import { describeEnding, Processes, type Program } from './processes.mjs';

const grace = { applicationMs: 5_000, serviceMs: 5_000 };

/** A program that connects to the port once its script has run, so that the test knows when. */
async function startAndAwait(processes: Processes, name: string, script: string) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const connected = once(server, 'connection');
  const running = processes.start(program(name, `${script}; require('net').connect(${port}, '127.0.0.1')`));
  await connected;
  server.close();
  return running;
}

function program(name: string, script: string): Program {
  return { name, command: process.execPath, args: ['-e', script], output: 'lines' };
}

describe('the processes of a start', () => {
  test('the latest rank ends first', async () => {
    const processes = new Processes(() => {});
    const ended: string[] = [];
    const service = await startAndAwait(processes, 'service', '');
    processes.beginNextRank();
    const application = await startAndAwait(
      processes,
      'application',
      "process.on('SIGTERM', () => setTimeout(process.exit, 100))",
    );
    for (const running of [service, application]) {
      running.ended.then(({ name }) => ended.push(name));
    }
    await processes.stop(grace);
    expect(ended).toEqual(['application', 'service']);
  });

  test('one that ignores SIGTERM is killed after its grace', async () => {
    const processes = new Processes(() => {});
    const stubborn = await startAndAwait(processes, 'stubborn', "process.on('SIGTERM', () => {})");
    await processes.stop({ applicationMs: 50, serviceMs: 50 });
    expect(await stubborn.ended).toMatchObject({ signal: 'SIGKILL' });
    expect(startTimeOf(stubborn.pid)).toBeUndefined();
  });

  test('one that ends by itself is reported with its exit code', async () => {
    const processes = new Processes(() => {});
    processes.start(program('worker', 'process.exit(3)'));
    expect(describeEnding(await processes.firstFailure)).toBe('worker ended by itself (exit code 3)');
  });

  test('one that cannot be started is reported', async () => {
    const processes = new Processes(() => {});
    processes.start({ ...program('redis', ''), command: '/no/such/program' });
    expect(describeEnding(await processes.firstFailure)).toMatch(/^redis could not be started: .*ENOENT/);
  });

  test('nothing is started once the stop has begun', async () => {
    const processes = new Processes(() => {});
    await processes.stop(grace);
    expect(() => processes.start(program('late', ''))).toThrow('late is not started');
  });
});
