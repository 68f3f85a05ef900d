import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database, Sql, TransactionOptions } from '../database/database.ts';
import { ApiError } from './errors.ts';

/**
 * PAY-I8: after a lost answer to COMMIT, `isThere` looks for the change. Throws what `run` throws,
 * and ApiError `unavailable` when the change is missing.
 */
export async function commitOrReadBack<Result>(
  database: Pick<Database, 'transaction'>,
  run: (sql: Sql) => Promise<Result>,
  isThere: (result: Result) => Promise<boolean>,
  options?: TransactionOptions,
): Promise<Result> {
  let made: { readonly result: Result } | undefined;
  try {
    return await database.transaction(async (sql) => {
      made = { result: await run(sql) };
      return made.result;
    }, options);
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    if (made && (await isThere(made.result))) return made.result;
    throw new ApiError(
      'unavailable',
      'The connection to the database was lost, and the change was not found afterwards: send ' +
        'it again.',
      { cause: error },
    );
  }
}
