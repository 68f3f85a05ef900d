import { type Logger, pino } from 'pino';

/** Levels of the log, from chatty to terse. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of the levels of the log. */
export type LogLevel = (typeof logLevels)[number];

/** The structured log. Nothing secret is ever given to it; see rule 9 of the architecture. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/**
 * Makes the log of a process: JSON lines on standard error, so that standard output stays free for
 * the line that says the server is ready.
 */
export function createLog(level: LogLevel): Log {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: false }));
}
