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

/** What changing partners needs. */
export interface PartnerAdminDeps {
  readonly database: Database;
}

/** Who asks, and where he may change partners. */
export interface PartnerAuthority {
  readonly reach: Reach;
  readonly origin: ChangeOrigin;
}

/** Adds a partner, which every restaurant of the platform can connect to. */
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
 * Edits what is given of a partner and gives it as it is then; nothing is written when nothing
 * differs. Throws 404 for one out of reach, and 403 for who reaches it only because restaurants of
 * his are connected.
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

/**
 * Makes a change of the named partners and writes what differs into the record of changes; `sql` is
 * the transaction of the change.
 */
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

/** The same words for a partner that does not exist and for one out of reach. */
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

/** Throws 404 for a partner that is not in the reach as a whole, such as one of some restaurants. */
export async function requirePartner(
  { database }: PartnerAdminDeps,
  reach: Reach,
  guid: string,
): Promise<void> {
  const isReached = isWithin(reach, { kind: 'partner', guid });
  if (!isReached || !(await findPartner(database.sql, guid, reach))) throw noSuchPartner();
}
