import postgres from 'postgres';

/**
 * The connection was lost between COMMIT and its answer: the transaction may or may not have
 * happened. Read the outcome back on a new connection (PAY-I8); never assume that it failed, and
 * never repeat it blindly.
 */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost during COMMIT; its outcome is unknown', {
      cause,
    });
    this.name = 'CommitUnknownError';
  }
}

/** There can be no embedded database here; the message says why and what to do. */
export class EmbeddedDatabaseError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddedDatabaseError';
  }
}

/** True for an error that PostgreSQL answered; its `code` is an SQLSTATE. */
export function isPostgresError(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError;
}

export function isSqlState(error: unknown, sqlState: string): error is postgres.PostgresError {
  return isPostgresError(error) && error.code === sqlState;
}

/** True if the server answered that it did nothing, and the session goes on. */
export function isRefusal(error: unknown): boolean {
  if (!isPostgresError(error)) return false;
  // 40003 means "outcome unknown". A FATAL error ends the session, perhaps after COMMIT.
  return error.severity === 'ERROR' && error.code !== '40003' && !hasLostNode(error);
}

/** Functions of Citus that report the loss of a worker as an internal error. */
const LOST_NODE_ROUTINES: readonly unknown[] = [
  'CheckRemoteTransactionsHealth',
  'ErrorIfPostCommitFailedShardPlacements',
  'MarkRemoteTransactionFailed',
];

/** Whether the server lost its own connection to another one, perhaps after COMMIT there. */
function hasLostNode({ code, routine }: postgres.PostgresError): boolean {
  return code.startsWith('08') || (code === 'XX000' && LOST_NODE_ROUTINES.includes(routine));
}

/** True if a database refused the connection because it is closed: see `Copies`. */
export function isClosedForCopy(error: unknown): boolean {
  // The text would be in the server's language, and other refusals have the same state.
  return isSqlState(error, '55000') && error.routine === 'CheckMyDatabase';
}
