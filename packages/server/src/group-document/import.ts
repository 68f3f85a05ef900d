import { createHash } from 'node:crypto';
import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import { systemOrigin } from '../audit/origin.ts';
import { listGroupClients } from '../clients/client-store.ts';
import type { ClientCredentials } from '../clients/clients.ts';
import type { ObjectContents } from '../configuration/document/contents.ts';
import { recordFirstPublication, recordImportedChanges } from '../configuration/import-history.ts';
import { byPlaceKey, isSameState, placeKey } from '../configuration/object-state.ts';
import {
  findRepeatedGuid,
  listObjects,
  updateMultiLocationIdsFreed,
  updateObjectTimes,
  updateUnnamedArchived,
  upsertObjects,
} from '../configuration/write-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { makeMenus } from '../menus/make-menus.ts';
import { recordMenus } from '../menus/record-menus.ts';
import { listGroupConnectionsLocked } from '../partners/connection-store.ts';
import { recordPartnerChanges } from '../partners/partners.ts';
import { recordGroupChanges } from '../partners/record-group-changes.ts';
import { isListedAlike } from '../partners/record-restaurant-change.ts';
import {
  listListedPartnerGuids,
  updateConnectionDated,
  updateConnectionTimes,
  updateGroupPartners,
  updateUnnamedConnectionsRemoved,
  upsertConnection,
} from '../partners/write-store.ts';
import type { NewCardKey } from '../payments/cards/card-key-store.ts';
import { findManagedRestaurantLocked } from '../restaurants/admin-store.ts';
import {
  findGroupName,
  type GroupName,
  insertGroup,
  updateGroupName,
  updateUnnamedRestaurantsArchived,
  upsertRestaurant,
} from '../restaurants/write-store.ts';
import type { MadeChange } from '../stock/change-store.ts';
import { stockNews } from '../stock/stock-events.ts';
import { updateAllStock } from '../stock/write-store.ts';
import { queueRestaurantEvents } from '../webhooks/delivery/queue-restaurant-events.ts';
import type { GroupContents, RestaurantContents } from './contents.ts';
import { insertCardKeys, makeCardKeys } from './import-card-keys.ts';
import { importClients } from './import-clients.ts';
import { ImportRefused } from './import-refused.ts';

export interface ImportDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** Dates the audit log; `clock` when absent. */
  readonly realClock?: Clock;
}

export interface ImportOptions {
  /** Makes an existing group exactly what the document says. */
  readonly replace?: boolean;
  /** Starts over when the database repeats the transaction. */
  readonly onProgress?: (done: number, total: number) => void;
  /** When aborted, the import throws its reason and changes nothing. */
  readonly signal?: AbortSignal;
}

export interface ImportResult {
  readonly groupGuid: string;
  readonly restaurants: number;
  readonly objects: number;
  readonly changedObjects: number;
  readonly newClients: readonly (ClientCredentials & { readonly name: string })[];
  readonly newCardKeyClients: readonly string[];
}

/** Few enough to limit memory, enough to save round trips. */
const BATCH_SIZE = 1_000;

/**
 * Marks changes until the import ends; no document can use this time. Changes show only at COMMIT:
 * dated earlier, they would never reach a partner that asked for changes (API-8) during the import.
 */
const CHANGING = new Date('0900-01-01T00:00:00.000Z');

/**
 * Runs in one transaction. Refuses an existing group without `replace`. With it, archives objects,
 * removes connections and revokes accounts that the document doesn't name. Publishes each changed
 * restaurant once (CFG-8). Throws ImportRefused when the contents conflict with the database.
 */
export async function importGroup(
  deps: ImportDeps,
  contents: GroupContents,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const cardKeys = await makeCardKeys(deps, contents.clients ?? [], options.signal);
  const nowMs = deps.clock.nowMs();
  return deps.database.transaction((sql) =>
    write({ ...deps, sql, cardKeys }, contents, options, nowMs),
  );
}

async function write(
  deps: ImportDeps & { readonly sql: Sql; readonly cardKeys: readonly NewCardKey[] },
  contents: GroupContents,
  options: ImportOptions,
  nowMs: number,
): Promise<ImportResult> {
  const { sql } = deps;
  const now = new Date(nowMs);
  const { group, partners, restaurants } = contents;
  const isNew = await insertGroup(sql, group, now);
  if (!isNew) await claimExisting(sql, group, options.replace ?? false, now);
  // Read this before the partners change: when a partner goes, so do its accounts, unless the
  // document never listed it and the back office connected it.
  const listed = await listListedPartnerGuids(sql, group.guid);
  const knownClients = await listGroupClients(sql, group.guid, listed);
  const origin = systemOrigin({ realClock: deps.clock, ...deps }, 'import', 'import');
  const partnerGuids = partners.map(({ guid }) => guid);
  await recordPartnerChanges(sql, origin, partnerGuids, () =>
    updateGroupPartners(sql, group.guid, partners, now),
  );
  const imported = await writeRestaurants(sql, contents, now, options);
  const guids = restaurants.map(({ guid }) => guid);
  const archived = await updateUnnamedRestaurantsArchived(sql, group.guid, guids, now);
  if (!isNew) await refuseRepeatedGuid(sql, group.guid);
  const connections = await listGroupConnectionsLocked(sql, group.guid);
  const toldAnew = imported.filter(({ isToldAnew }) => isToldAnew);
  const isToldAnew = new Set(toldAnew.map(({ restaurant: { guid } }) => guid));
  const before = { connections, isToldAnew };
  await writeConnections(sql, contents, isToldAnew);
  const newClients = await importClients({ ...deps, origin }, contents, knownClients, nowMs);
  const newCardKeyClients = await insertCardKeys(sql, deps.cardKeys, nowMs);
  const at = await dateChanges(sql, group.guid, new Date(deps.clock.nowMs()));
  await recordImport(sql, { ...origin, at }, contents, imported, archived, newClients);
  await recordGroupChanges(sql, group.guid, before, { ...origin, at });
  await recordMenusOf(deps, imported);
  for (const { restaurant, stockChanges } of imported) {
    const news = stockNews(sql, restaurant.guid, at, stockChanges, 'IMPORT');
    await queueRestaurantEvents(sql, ...news);
  }
  options.signal?.throwIfAborted();
  const objects = countObjects(restaurants);
  const result = { groupGuid: group.guid, restaurants: restaurants.length, objects };
  const changedObjects = imported.reduce((sum, { changedObjects: count }) => sum + count, 0);
  return { ...result, changedObjects, newClients, newCardKeyClients };
}

async function recordMenusOf(
  { sql, clock }: ImportDeps & { readonly sql: Sql },
  imported: readonly ImportedRestaurant[],
): Promise<void> {
  for (const { restaurant, hasOtherMenus } of imported) {
    if (!hasOtherMenus) continue;
    const { guid, info } = restaurant;
    const { name, timeZone } = info.general;
    try {
      const menus = makeMenus({ guid, timeZone }, await listObjects(sql, guid));
      await recordMenus({ sql, clock }, guid, menus);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw new ImportRefused(`The restaurant "${name}": ${error.message}`);
    }
  }
}

async function claimExisting(
  sql: Sql,
  group: GroupName,
  replace: boolean,
  now: Date,
): Promise<void> {
  if (replace) return updateGroupName(sql, group, now);
  throw new ImportRefused(
    `The group "${await findGroupName(sql, group.guid)}" (${group.guid}) exists already: ` +
      'add --replace to make it exactly what the document says.',
  );
}

/** Runs shortly before COMMIT, so that the changes show soon after their time. */
async function dateChanges(sql: Sql, groupGuid: string, now: Date): Promise<Date> {
  await updateConnectionTimes(sql, groupGuid, CHANGING, now);
  await updateObjectTimes(sql, groupGuid, CHANGING, now);
  return now;
}

/** A moved object would also stay behind, archived, and no export could be imported again. */
async function refuseRepeatedGuid(sql: Sql, groupGuid: string): Promise<void> {
  const [first, second] = await findRepeatedGuid(sql, groupGuid);
  if (!first || !second) return;
  const [here, there] = [first, second].map(
    ({ collection, restaurantName }) => `the ${collection} of "${restaurantName}"`,
  );
  throw new ImportRefused(
    `The GUID ${first.guid} is in ${here} and, from an earlier import, in ${there}: an object ` +
      'cannot move, so give the one in the document another guid.',
  );
}

function countObjects(restaurants: readonly RestaurantContents[]): number {
  return restaurants.reduce((sum, restaurant) => sum + restaurant.objects.length, 0);
}

async function writeRestaurants(
  sql: Sql,
  { group, restaurants }: GroupContents,
  now: Date,
  { onProgress = () => {}, signal }: ImportOptions,
): Promise<ImportedRestaurant[]> {
  const objects = countObjects(restaurants);
  let done = 0;
  const imported: ImportedRestaurant[] = [];
  for (const restaurant of restaurants) {
    const onWritten = (written: number) => {
      signal?.throwIfAborted();
      onProgress(done + written, objects);
    };
    const written = await writeRestaurant(sql, group.guid, restaurant, now, onWritten);
    imported.push({ restaurant, ...written });
    done += restaurant.objects.length;
  }
  return imported;
}

async function writeRestaurant(
  sql: Sql,
  groupGuid: string,
  restaurant: RestaurantContents,
  now: Date,
  onWritten: (objects: number) => void,
): Promise<Omit<ImportedRestaurant, 'restaurant'>> {
  const { guid, stock } = restaurant;
  const before = await findManagedRestaurantLocked(sql, guid);
  const owner = before?.managementGroupGuid ?? null;
  if (owner !== null && owner !== groupGuid) throw ownedByOthers(restaurant);
  const { general, ...sections } = restaurant.info;
  const row = { guid, managementGroupGuid: groupGuid, ...general, ...sections };
  const isWritten = await upsertRestaurant(sql, row, now);
  // Another group's import was faster.
  if (owner === null && !isWritten) throw ownedByOthers(restaurant);
  const stored = owner === null ? null : await listObjects(sql, guid);
  const known = byPlaceKey(stored ?? []);
  const objects = restaurant.objects.map((object) =>
    withoutRepeatedDate(object, known.get(placeKey(object))),
  );
  if (owner !== null) {
    const identified = objects.filter(({ multiLocationId }) => multiLocationId !== null);
    await updateMultiLocationIdsFreed(sql, guid, JSON.stringify(identified));
  }
  let changed = 0;
  for (let start = 0; start < objects.length; start += BATCH_SIZE) {
    const batch = objects.slice(start, start + BATCH_SIZE);
    const unlike = batch.filter((object) => !isStoredAlike(object, known.get(placeKey(object))));
    changed += await upsertObjects(sql, guid, JSON.stringify(unlike), CHANGING);
    onWritten(start + batch.length);
  }
  if (owner !== null) {
    changed += await updateUnnamedArchived(sql, guid, objects, CHANGING);
  }
  if (stored === null) {
    const live = objects.filter(({ archived }) => !archived).length;
    await recordFirstPublication(sql, guid, live, now);
  } else if (changed > 0) {
    const undated = objects.filter(({ modifiedAt }) => modifiedAt === null);
    await recordImportedChanges(sql, guid, stored, { at: now, changing: CHANGING, undated });
  }
  const stockChanges = await updateAllStock(sql, guid, stock, now);
  const isToldAnew = before !== null && !isListedAlike(before, row);
  const hasOtherMenus = changed > 0 || before?.timeZone !== general.timeZone;
  return { changedObjects: changed, isToldAnew, hasOtherMenus, stockChanges };
}

/**
 * An edited export repeats the stored dates. Kept, they would hide from partners what the edit
 * changes (CFG-12).
 */
function withoutRepeatedDate(
  object: ObjectContents,
  stored: ObjectContents | undefined,
): ObjectContents {
  const isRepeated =
    object.modifiedAt !== null && Number(object.modifiedAt) === Number(stored?.modifiedAt);
  return isRepeated ? { ...object, modifiedAt: null } : object;
}

/** A row that only lacks fields that are newer than itself is not changed. */
function isStoredAlike(object: ObjectContents, stored: ObjectContents | undefined): boolean {
  if (stored === undefined || !isSameState(object, stored)) return false;
  return object.modifiedAt === null || Number(object.modifiedAt) === Number(stored.modifiedAt);
}

function ownedByOthers({ guid, info }: RestaurantContents): ImportRefused {
  return new ImportRefused(
    `The restaurant "${info.general.name}" has the GUID ${guid} of a restaurant of another ` +
      'group: give it another guid or key.',
  );
}

/**
 * When partners must see the restaurant as changed, dates its connections too, unless the document
 * dates them.
 */
async function writeConnections(
  sql: Sql,
  { group, connections }: GroupContents,
  isToldAnew: ReadonlySet<string>,
): Promise<void> {
  for (const connection of connections) {
    await upsertConnection(sql, connection, CHANGING);
    if (connection.modifiedAt === null && isToldAnew.has(connection.restaurantGuid)) {
      await updateConnectionDated(sql, connection, CHANGING);
    }
  }
  await updateUnnamedConnectionsRemoved(sql, group.guid, connections, CHANGING);
}

interface ImportedRestaurant {
  readonly restaurant: RestaurantContents;
  readonly changedObjects: number;
  /** Whether partners' lists show it differently than before. */
  readonly isToldAnew: boolean;
  /** Whether partners may read other menus than before. */
  readonly hasOtherMenus: boolean;
  readonly stockChanges: readonly MadeChange[];
}

/**
 * Adds an audit log entry for the group and for each restaurant, with counts and a digest. The
 * objects are in the imported document, and can be 50,000. Archived restaurants get an entry too.
 */
async function recordImport(
  sql: Sql,
  origin: ChangeOrigin,
  { group, partners }: GroupContents,
  imported: readonly ImportedRestaurant[],
  archived: readonly string[],
  newClients: ImportResult['newClients'],
): Promise<void> {
  const managementGroupGuid = group.guid;
  await insertEntry(sql, origin, {
    subject: { kind: 'managementGroup', id: managementGroupGuid },
    managementGroupGuid,
    before: null,
    after: {
      name: group.name,
      restaurants: imported.map(({ restaurant }) => restaurant.guid),
      partners: partners.map(({ guid }) => guid),
      newClients: newClients.map(({ clientId }) => clientId),
    },
  });
  for (const { restaurant, changedObjects } of imported) {
    const { guid, info, objects } = restaurant;
    await insertEntry(sql, origin, {
      subject: { kind: 'restaurant', id: guid },
      managementGroupGuid,
      restaurantGuid: guid,
      before: null,
      after: {
        name: info.general.name,
        objects: objects.length,
        changedObjects,
        contentSha256: digestOf(restaurant),
      },
    });
  }
  for (const guid of archived) {
    await insertEntry(sql, origin, {
      subject: { kind: 'restaurant', id: guid },
      managementGroupGuid,
      restaurantGuid: guid,
      before: { archived: false },
      after: { archived: true },
    });
  }
}

function digestOf({ info, objects, stock }: RestaurantContents): string {
  const digest = createHash('sha256').update(JSON.stringify([info, stock]));
  for (const object of objects) digest.update(JSON.stringify(object));
  return digest.digest('hex');
}
