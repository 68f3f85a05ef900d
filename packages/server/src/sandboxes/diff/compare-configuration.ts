import { collectionByName } from '@servery/contract';
import type { ObjectContents, ObjectKind } from '../../configuration/document/contents.ts';
import { documentOf, nameOfObject } from '../../configuration/object-state.ts';
import { listObjects } from '../../configuration/write-store.ts';
import { restaurantSettings } from '../../restaurants/restaurant-info.ts';
import type { RestaurantRow } from '../../restaurants/store.ts';
import {
  type ComparedRows,
  type Content,
  compareRows,
  listsOf,
  type Sides,
  unequalNames,
} from './compare-rows.ts';
import {
  listKindDigests,
  listObjectDigests,
  listRestaurantDigests,
  listRestaurantRows,
} from './diff-store.ts';
import { FoundDifferences } from './found-differences.ts';
import { inStep } from './in-step.ts';

/** The restaurants come before their objects, so that these can't crowd them out. */
export async function compareConfiguration({ one, other }: Sides): Promise<FoundDifferences> {
  const sides = { one, other };
  const found = await compareRows(sides, restaurants, new FoundDifferences());
  const pairs = inStep(
    (after, limit) => listRestaurantDigests(one, after, limit),
    (after, limit) => listRestaurantDigests(other, after, limit),
  );
  for await (const pair of pairs) {
    const restaurant = pair.after ?? pair.before;
    if (!restaurant) continue;
    const { restaurantGuid, name } = restaurant;
    // Kinds of a restaurant that both have can differ in all three ways.
    const isBoth = pair.before !== null && pair.after !== null;
    if (!found.wants(isBoth ? ['added', 'removed', 'changed'] : listsOf(pair))) {
      if (pair.isRestAlike) break;
      continue;
    }
    const [before, after] = await Promise.all([
      listKindDigests(one, restaurantGuid),
      listKindDigests(other, restaurantGuid),
    ]);
    for (const kind of unequalNames(before, after)) {
      await compareRows(sides, objectsOf(restaurantGuid, name, kind), found);
    }
  }
  return found;
}

const restaurants: ComparedRows = {
  listDigests: listRestaurantDigests,
  listContents: async (sql, places) =>
    (await listRestaurantRows(sql, places)).map(restaurantContent),
};

function restaurantContent(row: RestaurantRow): Content {
  const { guid, general, ...sections } = restaurantSettings(row);
  const { name } = row;
  const place = { restaurantGuid: guid, restaurantName: name };
  return { kind: 'restaurant', guid, name, ...place, fields: { ...general, ...sections } };
}

function objectsOf(
  restaurantGuid: string,
  restaurantName: string,
  collection: ObjectKind,
): ComparedRows {
  return {
    listDigests: (sql, after, limit) =>
      listObjectDigests(sql, restaurantGuid, collection, after, limit),
    listContents: async (sql, places) => {
      const objects = await listObjects(sql, restaurantGuid, {
        places: places.map(({ guid }) => ({ collection, guid })),
      });
      return objects.map((object) => ({
        ...objectContent(object),
        restaurantGuid,
        restaurantName,
      }));
    },
  };
}

function objectContent(object: ObjectContents) {
  const { guid, ...fields } = documentOf(object);
  return {
    kind: kindName(object.collection),
    guid: object.guid,
    name: nameOfObject(object),
    fields,
  };
}

function kindName(kind: ObjectKind): string {
  if (kind === 'tipWithholding') return kind;
  const { object } = collectionByName(kind);
  return `${object.charAt(0).toLowerCase()}${object.slice(1)}`;
}
