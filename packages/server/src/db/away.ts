import { isSqlState } from './database.ts';

/** What a server says that starts, recovers or stops. */
export const BUSY_STATES: readonly string[] = ['57P01', '57P02', '57P03'];

/** What the system or the driver says when nothing answers, or no longer. */
export const SILENT_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'CONNECTION_CLOSED',
  'CONNECTION_LOST',
  'CONNECT_TIMEOUT',
];

const SOCKET_CALLS = ['connect', 'read', 'write'];

/** SQLSTATE for a server that has no connection left. */
const TOO_MANY_CONNECTIONS = '53300';

/**
 * Whether a failed statement failed only because the database cannot be reached now, so that the
 * same request is worth sending again.
 */
export function isDatabaseAway(error: unknown): boolean {
  if ([...BUSY_STATES, TOO_MANY_CONNECTIONS].some((state) => isSqlState(error, state))) return true;
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || !SILENT_CODES.includes(code)) return false;
  // The system's own codes tell of a socket only beside a call on one: a file may be missing too.
  return code.startsWith('CONNECT') || SOCKET_CALLS.includes(syscall ?? '');
}
