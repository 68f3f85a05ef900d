import { createHash } from 'node:crypto';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import type { GroupContents, RestaurantContents } from './contents.ts';

export interface ImportedRestaurant {
  readonly restaurant: RestaurantContents;
  readonly changedObjects: number;
  /** Whether partners' lists show it differently than before. */
  readonly isToldAnew: boolean;
}

export interface Imported {
  readonly imported: readonly ImportedRestaurant[];
  readonly archived: readonly string[];
  readonly newClients: readonly { readonly clientId: string }[];
}

/**
 * Adds an audit log entry for the group and for each restaurant, with counts and a digest. The
 * objects are in the imported document, and can be 50,000. Archived restaurants get an entry too.
 */
export async function recordImport(
  sql: Sql,
  origin: ChangeOrigin,
  { group, partners }: GroupContents,
  { imported, archived, newClients }: Imported,
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
