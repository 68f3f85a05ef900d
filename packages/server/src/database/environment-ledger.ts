import { readDatabaseTimeMs } from '@servery/postgres/database.ts';
import type { Database } from './database.ts';

export async function findLedgerId({ sql }: Database): Promise<string | null> {
  const [row] = await sql<{ ledgerId: string }[]>`
    select ledger_id as "ledgerId" from processor_ledger`;
  return row?.ledgerId ?? null;
}

/** The first of several processes wins. Returns the environment's ledger. */
export async function claimLedgerId(database: Database, ledgerId: string): Promise<string> {
  const now = new Date(await readDatabaseTimeMs(database.sql));
  await database.sql`
    insert into processor_ledger (id, ledger_id, claimed_at) values (1, ${ledgerId}, ${now})
    on conflict do nothing`;
  return (await findLedgerId(database)) ?? ledgerId;
}
