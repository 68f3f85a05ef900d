import { newGuid } from '@servery/support/ids.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { isWithin, type Reach } from '../reach/reach.ts';
import {
  findPartner,
  findPartnerLocked,
  insertPartner,
  listPartnersLocked,
  type PartnerRow,
  updatePartner,
} from './partner-store.ts';

export interface PartnerAdminDeps {
  readonly database: Database;
}

export interface PartnerAuthority {
  readonly reach: Reach;
  readonly origin: ChangeOrigin;
}

export async function createPartner(
  { database }: PartnerAdminDeps,
  { name, description }: Pick<PartnerRow, 'name' | 'description'>,
  { origin }: Pick<PartnerAuthority, 'origin'>,
): Promise<PartnerRow> {
  const partner = { guid: newGuid(), name, description, createdAt: origin.at };
  await database.transaction(async (sql) => {
    await insertPartner(sql, partner);
    await enter(sql, origin, null, partner);
  });
  return partner;
}

/**
 * Nothing is written when nothing differs. Throws 404 out of reach, and 403 for callers who only
 * reach connected restaurants.
 */
export async function editPartner(
  { database }: PartnerAdminDeps,
  guid: string,
  edit: Partial<Pick<PartnerRow, 'name' | 'description'>>,
  { reach, origin }: PartnerAuthority,
): Promise<PartnerRow> {
  if (!(await findPartner(database.sql, guid, reach))) throw noSuchPartner();
  if (!reach.isPlatform && !reach.partnerGuids.includes(guid)) {
    throw new ApiError(
      'forbidden',
      'The partner serves others too: ask an operator or the partner itself to edit it.',
    );
  }
  return await database.transaction(async (sql) => {
    const before = await findPartnerLocked(sql, guid);
    if (!before) throw noSuchPartner();
    const after = { ...before, ...edit };
    if (after.name === before.name && after.description === before.description) return before;
    await updatePartner(sql, after);
    await enter(sql, origin, before, after);
    return after;
  });
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
    if (JSON.stringify(known) !== JSON.stringify(after)) await enter(sql, origin, known, after);
  }
}

/** The same text for a partner out of reach, which must look absent. */
export function noSuchPartner(): ApiError {
  return new ApiError('notFound', 'There is no such partner within your reach: check the path.');
}

function enter(
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
  { database }: PartnerAdminDeps,
  reach: Reach,
  guid: string,
): Promise<void> {
  const isReached = isWithin(reach, { kind: 'partner', guid });
  if (!isReached || !(await findPartner(database.sql, guid, reach))) throw noSuchPartner();
}
