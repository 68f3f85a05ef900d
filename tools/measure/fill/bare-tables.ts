import type { Sql } from '../../../packages/server/src/database/database.ts';
import { deleteHolders, insertHolders, listHolders } from './bare-table-store.ts';

/**
 * Runs `fill` while the tables have no keys, indexes or references, which are then made again as
 * the database had written them down: each row is checked, but all at once and not one by one.
 * `sql` is a transaction's: whatever breaks it off leaves all as it was, rows and keys. Throws what
 * the database says of a row that must not be.
 */
export async function fillBare(
  sql: Sql,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const holders = await listHolders(sql, tables);
  await deleteHolders(sql, holders);
  await fill();
  await insertHolders(sql, holders);
}
