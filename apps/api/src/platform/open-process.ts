import { assertApplicationRole, UnsafeRoleError } from './application-role.js';
import { type Clock, startClock } from './clock.js';
import { type Database, openDatabase, readDatabaseTime } from './database.js';
import { type Environment, EnvironmentError, readEnvironment } from './env.js';
import type { ReadinessCheck } from './health.js';
import { createLog, type Log } from './log.js';
import { platformChecks } from './readiness-checks.js';
import { openQueue, type QueueAccess } from './wake.js';

/** What the process opens at its start and closes at its end. */
export interface OpenParts {
  readonly environment: Environment;
  readonly log: Log;
  readonly database: Database;
  readonly queue: QueueAccess;
  readonly clock: Clock;
  readonly checks: readonly ReadinessCheck[];
}

/** After SIGTERM a process ends within ten seconds, whatever hangs. */
const END_MS = 9_500;

/** Opens what every process of ours needs. Rejects, with one line for people, where it must not start. */
export async function openProcess(name: 'api' | 'worker', pooled: number): Promise<OpenParts> {
  const environment = readEnvironment(process.env);
  const log = createLog(name, environment.logLevel);
  const database = openDatabase({ url: environment.databaseUrl, pooled });
  await orSay(
    'DATABASE_URL: Postgres does not answer there, takes one that does',
    assertApplicationRole(database),
  );
  const clock = await startClock(() => readDatabaseTime(database));
  const variable = environment.redisUrl === null ? 'DATABASE_URL' : 'REDIS_URL';
  const queue = await orSay(
    `${variable}: the queue does not answer there, takes one that does`,
    openQueue(environment, log),
  );
  return { environment, log, database, queue, clock, checks: platformChecks(database, queue.wake) };
}

/** What an operator can mend is said in one line; the reason behind it is told only where the log asks for it. */
async function orSay<Value>(line: string, opening: Promise<Value>): Promise<Value> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof UnsafeRoleError) throw error;
    throw new EnvironmentError(line, { cause: error });
  }
}

/** Listens on a port that `variable` names. @throws EnvironmentError where it is taken. */
export function orPortIsTaken<Value>(
  variable: string,
  port: number,
  listening: Promise<Value>,
): Promise<Value> {
  return orSay(`${variable}: ${port} cannot be listened on, takes a free port`, listening);
}

/** Lets go of what `openProcess` opened. */
export async function closeProcess({ clock, queue, database }: OpenParts): Promise<void> {
  clock.stop();
  await queue.close();
  await database.end();
}

/** Runs `close` once at SIGTERM or SIGINT and ends the process: 0 in order, 1 where it failed or took too long. */
export function endOnSignal(log: Log, close: () => Promise<void>): void {
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), END_MS).unref();
    close().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the process did not end in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
}

/** Says why a process could not start, and ends it. What an operator can mend is one line. */
export function failStart(error: unknown): void {
  const expected = error instanceof EnvironmentError || error instanceof UnsafeRoleError;
  process.stderr.write(
    `${expected ? error.message : error instanceof Error ? error.stack : String(error)}\n`,
  );
  process.exit(1);
}
