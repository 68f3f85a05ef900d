import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { isWithin, type Reach } from '../reach/reach.ts';
import { findPartner, listPartnersLocked, type PartnerRow } from './partner-store.ts';

export interface PartnerAdminDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}

/** `sql` is the transaction of the change. */
export async function recordPartnerChanges(
  sql: Sql,
  origin: ChangeOrigin,
  guids: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  const before = new Map((await listPartnersLocked(sql, guids)).map((row) => [row.guid, row]));
  await change();
  for (const after of await listPartnersLocked(sql, guids)) {
    const known = before.get(after.guid) ?? null;
    if (JSON.stringify(known) !== JSON.stringify(after))
      await recordPartner(sql, origin, known, after);
  }
}

/** The same text for a partner out of reach, which must look absent. */
export function noSuchPartner(): ApiError {
  return new ApiError(
    'notFound',
    "There is no such partner, or you don't have access to it: check the path.",
  );
}

export function recordPartner(
  sql: Sql,
  origin: ChangeOrigin,
  before: PartnerRow | null,
  after: PartnerRow,
): Promise<void> {
  const { guid } = after;
  return insertEntry(sql, origin, {
    subject: { kind: 'partner', id: guid },
    partnerGuid: guid,
    before: before && { ...before },
    after: { ...after },
  });
}

/** Throws 404 unless the whole partner is in the reach. */
export async function requirePartner(
  { database }: Pick<PartnerAdminDeps, 'database'>,
  reach: Reach,
  guid: string,
): Promise<void> {
  const isReached = isWithin(reach, { kind: 'partner', guid });
  if (!isReached || !(await findPartner(database.sql, guid, reach))) throw noSuchPartner();
}
