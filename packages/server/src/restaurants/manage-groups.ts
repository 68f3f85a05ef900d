import { isDeepStrictEqual } from 'node:util';
import type { ManagementGroup } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import { originOf } from '../audit/origin.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { BackOfficeRequest } from '../http/operation.ts';
import { commitOrReadBack } from '../http/read-back.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import { everywhere } from '../support/due-work.ts';
import {
  findGroup,
  findGroupLocked,
  findLiveRestaurantName,
  type ManagementGroupRow,
  updateGroup,
} from './group-store.ts';
import { insertGroup } from './write-store.ts';

export interface OrganizationDeps {
  readonly database: Pick<Database, 'sql' | 'transaction'>;
  readonly realClock: Clock;
}

/** Throws ApiError `conflict` for a taken GUID. */
export async function createGroup(
  { database, realClock }: OrganizationDeps,
  request: BackOfficeRequest,
  group: Pick<ManagementGroupRow, 'guid' | 'name'>,
): Promise<ManagementGroup> {
  const origin = originOf(request, realClock);
  return await change(database, async (sql) => {
    if (!(await insertGroup(sql, group, origin.at))) throw taken('management group', group.guid);
    const row = await findGroup(sql, group.guid, everywhere);
    if (!row) throw new Error(`the management group ${group.guid} vanished as it was made`);
    await recordGroup(sql, origin, null, row);
    return row;
  });
}

/**
 * `edit` returns the new fields or throws. Throws ApiError `notFound` when no group is within
 * reach, and `conflict` when a group with a live restaurant would be archived.
 */
export async function editGroup(
  { database, realClock }: OrganizationDeps,
  request: BackOfficeRequest & { readonly params: { readonly managementGroupGuid: string } },
  edit: (group: ManagementGroupRow) => Partial<Pick<ManagementGroupRow, 'name' | 'archived'>>,
): Promise<ManagementGroup> {
  const { reach } = request;
  const guid = request.params.managementGroupGuid;
  if (!(await findGroup(database.sql, guid, reach))) throw noSuchGroup();
  const origin = originOf(request, realClock);
  return await change(database, async (sql) => {
    const before = await findGroupLocked(sql, guid, reach);
    if (!before) throw new Error(`the management group ${guid} vanished`);
    const wanted = { ...before, ...edit(before) };
    if (wanted.archived && !before.archived) await requireNothingLive(sql, guid);
    if (isDeepStrictEqual(wanted, before)) return before;
    const after = await updateGroup(sql, wanted, origin.at);
    await recordGroup(sql, origin, before, after);
    return after;
  });
}

async function change(
  database: OrganizationDeps['database'],
  run: (sql: Sql) => Promise<ManagementGroupRow>,
): Promise<ManagementGroup> {
  const row = await commitOrReadBack(database, run, async (written) =>
    isDeepStrictEqual(await findGroup(database.sql, written.guid, everywhere), written),
  );
  return groupDocument(row);
}

/** The lock on the group keeps others from unarchiving a restaurant meanwhile. */
async function requireNothingLive(sql: Sql, groupGuid: string): Promise<void> {
  const live = await findLiveRestaurantName(sql, groupGuid);
  if (live === null) return;
  throw new ApiError(
    'conflict',
    `The restaurant ${JSON.stringify(live)} of the management group is not archived: archive ` +
      'its restaurants first.',
  );
}

/** The same text for a group out of reach, which must look absent. */
export function noSuchGroup(): ApiError {
  return new ApiError(
    'notFound',
    "There is no such management group, or you don't have access to it: check managementGroupGuid.",
  );
}

export function taken(what: string, guid: string): ApiError {
  return new ApiError(
    'conflict',
    `There is a ${what} with the guid ${guid} already: send another one, or none.`,
  );
}

async function recordGroup(
  sql: Sql,
  origin: ChangeOrigin,
  before: ManagementGroupRow | null,
  after: ManagementGroupRow,
): Promise<void> {
  await insertEntry(sql, origin, {
    subject: { kind: 'managementGroup', id: after.guid },
    managementGroupGuid: after.guid,
    before: before && groupDocument(before),
    after: groupDocument(after),
  });
}

export function groupDocument({ createdAt, modifiedAt, ...group }: ManagementGroupRow) {
  return { ...group, createdAt: isoTimestamp(createdAt), modifiedAt: isoTimestamp(modifiedAt) };
}
