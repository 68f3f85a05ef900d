import { createHash } from 'node:crypto';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import type { GroupContents, RestaurantContents } from './contents.ts';

/** What an import did to one of its restaurants. */
export interface ImportedRestaurant {
  readonly restaurant: RestaurantContents;
  /** Objects that were new, changed or archived. */
  readonly changedObjects: number;
  /** Whether the lists of partners say something else of it than before. */
  readonly isToldAnew: boolean;
}

/** What an import did. */
export interface Imported {
  readonly imported: readonly ImportedRestaurant[];
  /** The GUIDs of the restaurants that it archived, because the document does not name them. */
  readonly archived: readonly string[];
  readonly newClients: readonly { readonly clientId: string }[];
}

/**
 * Writes an import into the record of changes: an entry for the group and one for each restaurant,
 * with how much there was and a digest of it. The objects themselves are in the document that was
 * imported, and may be 50,000. What the document does not name has an entry too: it was archived.
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
