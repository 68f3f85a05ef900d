import { listGroupClients } from '../clients/client-store.ts';
import { listObjects } from '../configuration/write-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { listGroupConnections, listGroupPartners } from '../partners/write-store.ts';
import { restaurantSettings } from '../restaurants/restaurant-info.ts';
import { findRestaurant } from '../restaurants/store.ts';
import { listGroupsCalled, listRestaurantGuids } from '../restaurants/write-store.ts';
import { listAllStock } from '../stock/write-store.ts';
import { type GroupHead, type Write, writeCanonical } from './canonical.ts';
import type { RestaurantContents } from './contents.ts';

/** The message lists the groups that exist. */
export class UnclearGroup extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnclearGroup';
  }
}

/**
 * Reads everything at one instant. Null means the only group. Throws UnclearGroup when not exactly
 * one group matches.
 */
export async function exportGroup(
  database: Database,
  nameOrGuid: string | null,
  write: Write,
): Promise<void> {
  await database.transaction(
    async (sql) => {
      const group = await findGroup(sql, nameOrGuid);
      const partners = await listGroupPartners(sql, group.guid);
      const partnerGuids = partners.map(({ guid }) => guid);
      const head: GroupHead = {
        group,
        partners,
        clients: await listGroupClients(sql, group.guid, partnerGuids),
        connections: await listGroupConnections(sql, group.guid),
      };
      await writeCanonical(head, readRestaurants(sql, group.guid), write);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

async function findGroup(sql: Sql, nameOrGuid: string | null) {
  const found = await listGroupsCalled(sql, nameOrGuid);
  const [group] = found;
  if (group && found.length === 1) return group;
  const all = await listGroupsCalled(sql, null);
  if (all.length === 0) throw new Error('There is no management group to export yet.');
  const list = all.map(({ guid, name }) => `  ${guid}  ${name}`).join('\n');
  const what =
    nameOrGuid === null
      ? 'Say which group with --group'
      : `No single group matches "${nameOrGuid}"`;
  throw new UnclearGroup(`${what}; there are:\n${list}`);
}

async function* readRestaurants(sql: Sql, groupGuid: string): AsyncGenerator<RestaurantContents> {
  for (const guid of await listRestaurantGuids(sql, groupGuid)) {
    yield await readRestaurant(sql, guid);
  }
}

async function readRestaurant(sql: Sql, guid: string): Promise<RestaurantContents> {
  const row = await findRestaurant(sql, guid);
  if (!row) throw new Error(`the restaurant ${guid} vanished during an export`);
  const { guid: _guid, general, ...sections } = restaurantSettings(row);
  const { managementGroupGuid: _group, ...own } = general;
  const stored = await listObjects(sql, guid);
  return {
    guid,
    info: { general: own, ...sections },
    // A removed tip withholding is not exported.
    objects: stored.filter((each) => !(each.archived && each.collection === 'tipWithholding')),
    stock: await listAllStock(sql, guid),
  };
}
