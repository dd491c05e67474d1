import pino, { type Logger } from 'pino';

export type Log = Logger;
/** Where a library of the queue is given its log. */
export type QueueLog = Pick<Logger, 'info' | 'warn' | 'error'>;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines on standard output. Bodies, headers and keys are never given to it, so there is nothing to redact. */
export function createLog(process: 'api' | 'worker' | 'seed', level: LogLevel): Log {
  return pino({ level, base: { process }, timestamp: pino.stdTimeFunctions.isoTime });
}
