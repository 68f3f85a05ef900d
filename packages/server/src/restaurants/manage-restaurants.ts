import { isDeepStrictEqual } from 'node:util';
import type { BackOfficeRestaurant } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import { originOf } from '../audit/origin.ts';
import {
  findGroupHeldForGuids,
  insertPublication,
  listGuidsShared,
} from '../configuration/publication-store.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { BackOfficeRequest, BackOfficeRestaurantRequest } from '../http/operation.ts';
import { commitOrReadBack } from '../http/read-back.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import { recordTimeZone } from '../menus/record-menus.ts';
import { isListedAlike, recordRestaurantChange } from '../partners/record-restaurant-change.ts';
import type { Reach } from '../reach/reach.ts';
import {
  findManagedRestaurant,
  findManagedRestaurantLocked,
  insertRestaurant,
  type ManagedRestaurantRow,
  updateRestaurant,
} from './admin-store.ts';
import type { RestaurantSettings } from './document/info-schema.ts';
import { findGroupHeld } from './group-store.ts';
import { type OrganizationDeps, taken } from './manage-groups.ts';
import { restaurantSettings } from './restaurant-info.ts';
import type { RestaurantRow } from './store.ts';

export interface RestaurantDeps extends OrganizationDeps {
  readonly clock: Clock;
}

export interface CurrentRestaurant {
  readonly info: RestaurantSettings;
  readonly version: number;
}

/** Throws ApiError `unprocessable` (group out of reach), `conflict` (archived or GUID taken). */
export async function createRestaurant(
  deps: OrganizationDeps,
  request: BackOfficeRequest,
  info: RestaurantSettings,
): Promise<BackOfficeRestaurant> {
  const origin = originOf(request, deps.realClock);
  return await change(deps, async (sql) => {
    await requireLiveGroup(sql, info.general.managementGroupGuid, request.reach);
    const row = await insertRestaurant(sql, rowOf(info), origin.at);
    if (!row) throw taken('restaurant', info.guid);
    await beginHistory(sql, origin, row);
    await recordRestaurant(sql, origin, null, row);
    return row;
  });
}

/** Publishes nothing, so that the history starts at 1. */
async function beginHistory(
  sql: Sql,
  { by, at }: ChangeOrigin,
  { guid, publishNumber }: ManagedRestaurantRow,
): Promise<void> {
  await insertPublication(sql, {
    restaurantGuid: guid,
    number: publishNumber,
    cause: 'BEGUN',
    publishedBy: by,
    publishedAt: at,
    ...{ added: 0, changed: 0, removed: 0 },
  });
}

/**
 * `edit` returns the new fields and throws when they are invalid. Throws ApiError `unprocessable`
 * when the old or new group is out of reach, and `conflict` when the new group is archived or has
 * objects with the same GUIDs.
 */
export async function editRestaurant(
  deps: RestaurantDeps,
  request: BackOfficeRestaurantRequest,
  edit: (current: CurrentRestaurant) => RestaurantSettings,
): Promise<BackOfficeRestaurant> {
  const { reach, restaurant } = request;
  const { guid } = restaurant;
  const origin = originOf(request, deps.realClock);
  return await change(deps, async (sql) => {
    // The lock makes the second of two parallel edits see the first.
    const before = await lock(sql, guid);
    const current = restaurantSettings(before);
    const info = edit({ info: current, version: before.version });
    if (isDeepStrictEqual(info, current)) return before;
    const { managementGroupGuid } = info.general;
    if (managementGroupGuid !== before.managementGroupGuid) {
      requireGroup(before.managementGroupGuid, reach);
      // Must be the first lock in the group: two parallel moves would deadlock.
      await findGroupHeldForGuids(sql, managementGroupGuid);
      await requireLiveGroup(sql, managementGroupGuid, reach);
      await requireOwnGuids(sql, guid, managementGroupGuid);
    }
    return await write(deps, sql, origin, before, rowOf(info));
  });
}

/** Throws ApiError `forbidden` (no reach of the group), `conflict` (live in an archived group). */
export async function archiveRestaurant(
  deps: RestaurantDeps,
  request: BackOfficeRestaurantRequest,
  archived: boolean,
): Promise<BackOfficeRestaurant> {
  const { reach, restaurant } = request;
  const origin = originOf(request, deps.realClock);
  return await change(deps, async (sql) => {
    const before = await lock(sql, restaurant.guid);
    // The restaurant may have changed its group since the access check.
    if (!reachesGroup(reach, before.managementGroupGuid)) {
      throw ofWholeGroup(archived ? 'archived' : 'unarchived');
    }
    if (before.archived === archived) return before;
    if (!archived) await requireLiveGroup(sql, before.managementGroupGuid, reach);
    return await write(deps, sql, origin, before, { ...before, archived });
  });
}

async function change(
  { database }: OrganizationDeps,
  run: (sql: Sql) => Promise<ManagedRestaurantRow>,
): Promise<BackOfficeRestaurant> {
  const row = await commitOrReadBack(database, run, async (written) =>
    isDeepStrictEqual(await findManagedRestaurant(database.sql, written.guid), written),
  );
  return restaurantDocument(row);
}

async function lock(sql: Sql, guid: string): Promise<ManagedRestaurantRow> {
  const row = await findManagedRestaurantLocked(sql, guid);
  if (!row) throw new Error(`the restaurant ${guid} vanished`);
  return row;
}

async function write(
  { clock }: RestaurantDeps,
  sql: Sql,
  origin: ChangeOrigin,
  before: ManagedRestaurantRow,
  wanted: RestaurantRow,
): Promise<ManagedRestaurantRow> {
  const after = await updateRestaurant(sql, wanted, before.managementGroupGuid, origin.at);
  await recordRestaurant(sql, origin, before, after);
  if (!isListedAlike(before, after)) await recordRestaurantChange(sql, clock, origin, after.guid);
  const { guid, timeZone } = after;
  if (timeZone !== before.timeZone) await recordTimeZone({ sql, clock }, guid, timeZone);
  return after;
}

function reachesGroup({ isPlatform, groupGuids }: Reach, groupGuid: string): boolean {
  return isPlatform || groupGuids.includes(groupGuid);
}

/** A reach of one restaurant allows no move between groups. */
function requireGroup(groupGuid: string, reach: Reach): void {
  if (!reachesGroup(reach, groupGuid)) throw noSuchGroup();
}

/** Locks the group until the transaction ends. */
async function requireLiveGroup(sql: Sql, groupGuid: string, reach: Reach): Promise<void> {
  const group = await findGroupHeld(sql, groupGuid, reach);
  if (!group) throw noSuchGroup();
  if (!group.archived) return;
  throw new ApiError(
    'conflict',
    `The management group ${JSON.stringify(group.name)} is archived: unarchive it first.`,
  );
}

/** A GUID names one object per group. The caller holds the group. */
async function requireOwnGuids(sql: Sql, guid: string, groupGuid: string): Promise<void> {
  const shared = await listGuidsShared(sql, guid, groupGuid, 3);
  if (shared.length === 0) return;
  throw new ApiError(
    'conflict',
    'The restaurant cannot move: some of its objects have the same GUIDs as objects of that ' +
      `group, for example ${shared.join(', ')}. Create a restaurant there instead, and apply an ` +
      'export of this one without the GUIDs.',
  );
}

/** The same text for a group out of reach, which must look absent. */
function noSuchGroup(): ApiError {
  const where = 'general.managementGroupGuid';
  const message = 'is not a management group that you have full access to; send the guid of one';
  return new ApiError('unprocessable', `${where} ${message}.`, { faults: [{ where, message }] });
}

function ofWholeGroup(verb: string): ApiError {
  return new ApiError(
    'forbidden',
    `Only somebody who can change the whole management group can have a restaurant ${verb}: ask ` +
      'an administrator of the group.',
  );
}

function rowOf({ guid, general, ...sections }: RestaurantSettings): RestaurantRow {
  return { guid, ...general, ...sections };
}

/** Readers of the group that a restaurant leaves must see that it left. */
async function recordRestaurant(
  sql: Sql,
  origin: ChangeOrigin,
  before: ManagedRestaurantRow | null,
  after: ManagedRestaurantRow,
): Promise<void> {
  await insertEntry(sql, origin, {
    subject: { kind: 'restaurant', id: after.guid },
    managementGroupGuid: (before ?? after).managementGroupGuid,
    restaurantGuid: after.guid,
    before: before && restaurantDocument(before),
    after: restaurantDocument(after),
  });
}

export function restaurantDocument(row: ManagedRestaurantRow): BackOfficeRestaurant {
  const { guid, ...sections } = restaurantSettings(row);
  return {
    guid,
    version: row.version,
    publishNumber: row.publishNumber,
    createdAt: isoTimestamp(row.createdAt),
    modifiedAt: isoTimestamp(row.modifiedAt),
    ...sections,
  };
}
