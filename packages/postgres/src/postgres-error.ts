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
  // 40003 means "outcome unknown", and class 08 that the server lost its own connection, as that of a
  // coordinator to a worker, perhaps after COMMIT. A FATAL error ends the session, perhaps after it.
  return error.severity === 'ERROR' && error.code !== '40003' && !error.code.startsWith('08');
}

/** True if a database refused the connection because it is closed: see `Copies`. */
export function isClosedForCopy(error: unknown): boolean {
  // The text would be in the server's language, and other refusals have the same state.
  return isSqlState(error, '55000') && error.routine === 'CheckMyDatabase';
}
