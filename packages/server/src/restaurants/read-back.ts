import { isDeepStrictEqual } from 'node:util';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';

/**
 * Runs a change in a transaction and gives what it wrote. When the answer to COMMIT was lost, what
 * the database has by then is compared with what was to be written (PAY-I8). Throws what `run` throws,
 * and ApiError `unavailable` when the change is not seen there.
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
