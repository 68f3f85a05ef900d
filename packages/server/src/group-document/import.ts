import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import { systemOrigin } from '../audit/origin.ts';
import { listGroupClients } from '../clients/client-store.ts';
import type { ClientCredentials } from '../clients/clients.ts';
import type { ObjectContents } from '../configuration/document/contents.ts';
import { recordFirstPublication, recordImportedChanges } from '../configuration/import-history.ts';
import {
  findRepeatedGuid,
  listObjects,
  objectsText,
  type PublishedObject,
  updateMultiLocationIdsFreed,
  updateObjectTimes,
  updateUnnamedArchived,
  upsertObjects,
} from '../configuration/write-store.ts';
import type { Database, Sql } from '../database/database.ts';
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
import type { RestaurantRow } from '../restaurants/store.ts';
import {
  findGroupName,
  findRestaurantLocked,
  type GroupName,
  insertGroup,
  updateGroupName,
  updateUnnamedRestaurantsArchived,
  upsertRestaurant,
} from '../restaurants/write-store.ts';
import { updateAllStock } from '../stock/write-store.ts';
import type { GroupContents, RestaurantContents } from './contents.ts';
import { insertCardKeys, makeCardKeys } from './import-card-keys.ts';
import { importClients } from './import-clients.ts';
import { ImportRefused } from './import-refused.ts';
import { type ImportedRestaurant, recordImport } from './record-import.ts';

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
  const at = await dateChanges(deps, group.guid);
  await recordImport(sql, { ...origin, at }, contents, { imported, archived, newClients });
  await recordGroupChanges(sql, group.guid, before, { ...origin, at });
  options.signal?.throwIfAborted();
  const objects = countObjects(restaurants);
  const result = { groupGuid: group.guid, restaurants: restaurants.length, objects };
  const changedObjects = imported.reduce((sum, { changedObjects: count }) => sum + count, 0);
  return { ...result, changedObjects, newClients, newCardKeyClients };
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
async function dateChanges(
  { sql, clock }: { readonly sql: Sql; readonly clock: Clock },
  groupGuid: string,
): Promise<Date> {
  const now = new Date(clock.nowMs());
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
  const { guid, objects, stock } = restaurant;
  const before = await findRestaurantLocked(sql, guid);
  const owner = before?.managementGroupGuid ?? null;
  if (owner !== null && owner !== groupGuid) throw ownedByOthers(restaurant);
  const row = restaurantRow(groupGuid, restaurant);
  const isWritten = await upsertRestaurant(sql, row, now);
  // Another group's import was faster.
  if (owner === null && !isWritten) throw ownedByOthers(restaurant);
  const stored = owner === null ? null : await listObjects(sql, guid);
  if (owner !== null) {
    const items = objects.filter(({ kind }) => kind === 'menuItems');
    await updateMultiLocationIdsFreed(sql, guid, objectsText(items.map(publishedObject)));
  }
  let changed = 0;
  for (let start = 0; start < objects.length; start += BATCH_SIZE) {
    const batch = objects.slice(start, start + BATCH_SIZE);
    const written = objectsText(batch.map(publishedObject));
    changed += await upsertObjects(sql, guid, written, CHANGING);
    onWritten(start + batch.length);
  }
  if (owner !== null) {
    const named = objects.map((object) => ({ collection: object.kind, guid: object.guid }));
    changed += await updateUnnamedArchived(sql, guid, named, CHANGING);
  }
  if (stored === null) {
    const live = objects.filter(({ archived }) => !archived).length;
    await recordFirstPublication(sql, guid, live, now);
  } else if (changed > 0) {
    const undated = objects.filter(({ modifiedMs }) => modifiedMs === null);
    await recordImportedChanges(sql, guid, stored, { at: now, changing: CHANGING, undated });
  }
  await updateAllStock(sql, guid, stock, now);
  const isToldAnew = before !== null && !isListedAlike(before, row);
  return { changedObjects: changed, isToldAnew };
}

function ownedByOthers({ guid, info }: RestaurantContents): ImportRefused {
  return new ImportRefused(
    `The restaurant "${info.general.name}" has the GUID ${guid} of a restaurant of another ` +
      'group: give it another guid or key.',
  );
}

function restaurantRow(groupGuid: string, { guid, info }: RestaurantContents): RestaurantRow {
  const { general, ...sections } = info;
  return { guid, managementGroupGuid: groupGuid, ...general, ...sections };
}

function publishedObject(object: ObjectContents): PublishedObject {
  const { kind, guid, multiLocationId, externalId, fields, archived, modifiedMs } = object;
  return {
    collection: kind,
    guid,
    multiLocationId,
    externalId,
    fields,
    archived,
    modifiedAt: modifiedMs === null ? null : new Date(modifiedMs).toISOString(),
  };
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
  for (const { createdMs, modifiedMs, ...connection } of connections) {
    const createdAt = createdMs === null ? null : new Date(createdMs);
    const modifiedAt = modifiedMs === null ? null : new Date(modifiedMs);
    await upsertConnection(sql, { ...connection, createdAt, modifiedAt }, CHANGING);
    if (modifiedAt === null && isToldAnew.has(connection.restaurantGuid)) {
      await updateConnectionDated(sql, connection, CHANGING);
    }
  }
  await updateUnnamedConnectionsRemoved(sql, group.guid, connections, CHANGING);
}
