import { CommitUnknownError, isSqlState } from './database.ts';
import { isSessionEnd } from './session.ts';

/** What a server says that starts, recovers or stops. */
export const BUSY_STATES: readonly string[] = ['57P01', '57P02', '57P03'];

/** What the system or the driver says when nothing answers, or no longer. */
export const SILENT_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ENOENT',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECTION_LOST',
  'CONNECTION_NOT_FREE',
  'CONNECTION_READ_ONLY',
  'CONNECT_TIMEOUT',
];

const SOCKET_CALLS = ['connect', 'read', 'write', 'getaddrinfo'];

/** SQLSTATE for a server that has no connection left. */
const TOO_MANY_CONNECTIONS = '53300';

/** When a database that is away is worth another try, in seconds: it restarts in one or two. */
export const AWAY_RETRY_SECONDS = 2;

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

/** Whether the session ended after something was sent, and nobody knows what became of it. */
export function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof CommitUnknownError || isSessionEnd(error);
}

/**
 * Whether the same transaction may come through a little later: the database is away, it ended the
 * session, or the answer to COMMIT was lost. False for what PostgreSQL refused and for defects,
 * which no waiting mends. After a lost COMMIT only a transaction that has no effect when it is
 * repeated may be sent again.
 */
export function mayComeThrough(error: unknown): boolean {
  return isDatabaseAway(error) || isOutcomeUnknown(error);
}
