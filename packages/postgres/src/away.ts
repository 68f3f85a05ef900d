import {
  CommitUnknownError,
  isClosedForCopy,
  isPostgresError,
  isRefusal,
} from './postgres-error.ts';
import { whyUnwritable } from './writing.ts';

/** SQLSTATEs of a server that is starting, recovering or stopping. */
export const BUSY_STATES: readonly string[] = ['57P01', '57P02', '57P03'];

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
  'CONNECTION_SILENT',
  'CONNECT_TIMEOUT',
];

const SOCKET_CALLS = ['connect', 'read', 'write', 'getaddrinfo'];

/**
 * Why a statement failed that may succeed a little later:
 * - `away`: there is no connection to the database;
 * - `unwritable`: it answers, but takes no writes: its disk is full or fails, or it is read-only;
 * - `busy`: it has no resources, or what the statement needs is held for too long;
 * - `unknown`: the connection ended after something was sent, and its outcome is unknown.
 */
export type Trouble = 'away' | 'unwritable' | 'busy' | 'unknown';

/**
 * Class 53 is missing resources: memory, connections, configured limits. The rest are a statement
 * that took too long, locks that are held, and conflicts that did not end.
 */
const BUSY = /^(?:53...|57014|55P03|40001|40P01)$/;

/** Null for what PostgreSQL refuses for good, and for defects: sending it again gains nothing. */
export function troubleOf(error: unknown): Trouble | null {
  if (error instanceof CommitUnknownError) return 'unknown';
  if (isPostgresError(error)) {
    if (BUSY_STATES.includes(error.code) || isClosedForCopy(error)) return 'away';
    // 53300 refuses a connection. After any other end of a session, for example a PANIC because the
    // disk is full, the outcome of the statement is unknown.
    if (!isRefusal(error) && error.code !== '53300') return 'unknown';
    if (whyUnwritable(error) !== null) return 'unwritable';
    return BUSY.test(error.code) ? 'busy' : null;
  }
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === undefined || !SILENT_CODES.includes(code)) return null;
  if (code === 'CONNECTION_SILENT') return 'unknown';
  if (code === 'CONNECTION_NOT_FREE') return 'busy';
  if (code.startsWith('CONNECT')) return 'away';
  // A code of the system is about a socket only if its call is: a file may be missing too. Node.js
  // names no call when the other side has already closed the socket.
  const isOfSocket = code === 'EPIPE' || SOCKET_CALLS.includes(syscall ?? '');
  return isOfSocket ? 'away' : null;
}

/**
 * Whether the same transaction may succeed a little later. After a lost COMMIT, send it again only
 * if it has no effect the second time.
 */
export function mayComeThrough(error: unknown): boolean {
  return troubleOf(error) !== null;
}
