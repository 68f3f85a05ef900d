import type { Sql } from '../database/database.ts';

/** True for anything that depends on the master key. */
export async function findHasSealed(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ hasSealed: boolean }]>`
    select exists (select from signing_key) or exists (select from client_secret)
      or exists (select from card_key where state <> 'DESTROYED')
      or exists (select from webhook_secret) as "hasSealed"`;
  return row.hasSealed;
}
