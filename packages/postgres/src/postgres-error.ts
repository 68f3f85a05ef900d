import postgres from 'postgres';

/** True for an error that PostgreSQL answered; its `code` is an SQLSTATE. */
export function isPostgresError(error: unknown): error is postgres.PostgresError {
  return error instanceof postgres.PostgresError;
}

/** True for an error of PostgreSQL with this SQLSTATE, for example `23505` for a duplicate key. */
export function isSqlState(error: unknown, sqlState: string): boolean {
  return isPostgresError(error) && error.code === sqlState;
}

/** True if the server answered that it did nothing, and the session goes on. */
export function isRefusal(error: unknown): boolean {
  if (!isPostgresError(error)) return false;
  // 40003 and 08007 mean "outcome unknown"; a FATAL error ends the session, perhaps after COMMIT.
  return error.severity === 'ERROR' && error.code !== '40003' && error.code !== '08007';
}

/** True if the server ended the session, or does not know the outcome of the statement. */
export function isSessionEnd(error: unknown): boolean {
  return isPostgresError(error) && !isRefusal(error);
}
