import { isDeepStrictEqual } from 'node:util';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';

/**
 * PAY-I8: after a lost answer to COMMIT, compares the database with what should be there. Throws
 * what `run` throws, and ApiError `unavailable` when the change is missing.
 */
export async function commitOrReadBack<Row extends object>(
  database: Pick<Database, 'sql' | 'transaction'>,
  run: (sql: Sql) => Promise<Row>,
  find: (written: Row) => Promise<Row | null>,
): Promise<Row> {
  let written: Row | undefined;
  try {
    return await database.transaction(async (sql) => {
      written = await run(sql);
      return written;
    });
  } catch (error) {
    if (!(error instanceof CommitUnknownError) || !written) throw error;
    const stored = await find(written);
    if (isDeepStrictEqual(stored, written)) return written;
    throw new ApiError(
      'unavailable',
      'The connection to the database was lost and the change is not seen there: send it again.',
      { cause: error },
    );
  }
}
