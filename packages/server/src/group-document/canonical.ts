import { collections } from '@servery/contract';
import { canonicalObject } from '../configuration/document/canonical-object.ts';
import type { WantedConnection } from '../partners/write-store.ts';
import type { ClientContents, GroupContents, RestaurantContents } from './contents.ts';
import { DOCUMENT_FORMAT } from './document.ts';

export type Write = (text: string) => Promise<void> | void;

export type GroupHead = Omit<GroupContents, 'restaurants'>;

type Restaurants = Iterable<RestaurantContents> | AsyncIterable<RestaurantContents>;

const RESTAURANTS = '"restaurants": []';

/**
 * The same contents always give the same bytes: every GUID and field, references as GUIDs, fixed
 * order of keys, lists by GUID, two spaces of indentation, a line feed at the end. Restaurants
 * arrive one at a time to save memory, and must arrive in GUID order.
 */
export async function writeCanonical(
  { group: { guid, name }, partners, clients, connections }: GroupHead,
  restaurants: Restaurants,
  write: Write,
): Promise<void> {
  const outline = JSON.stringify(
    {
      format: DOCUMENT_FORMAT,
      managementGroup: { guid, name },
      partners: sortedBy(partners, 'guid'),
      ...(clients && { clients: sortedBy(clients, 'clientId').map(canonicalClient) }),
      restaurants: [],
      connections: [...connections]
        .sort(
          (a, b) =>
            compare(a.restaurantGuid, b.restaurantGuid) || compare(a.partnerGuid, b.partnerGuid),
        )
        .map(canonicalConnection),
    },
    null,
    2,
  );
  // No other text of the outline has quotes that are not escaped around this word.
  const place = outline.indexOf(RESTAURANTS) + RESTAURANTS.length - 1;
  await write(outline.slice(0, place));
  let isFirst = true;
  for await (const restaurant of inOrder(restaurants)) {
    const text = JSON.stringify(canonicalRestaurant(restaurant), null, 2);
    await write(`${isFirst ? '' : ','}\n    ${text.replaceAll('\n', '\n    ')}`);
    isFirst = false;
  }
  await write(`${isFirst ? '' : '\n  '}${outline.slice(place)}\n`);
}

function inOrder(restaurants: Restaurants): Restaurants {
  return Array.isArray(restaurants)
    ? sortedBy(restaurants as readonly RestaurantContents[], 'guid')
    : restaurants;
}

function canonicalRestaurant({ guid, info, objects, stock }: RestaurantContents): object {
  const byKind = Map.groupBy(objects, ({ collection }) => collection);
  const [tipWithholding] = byKind.get('tipWithholding') ?? [];
  const lists = collections.map(({ name }) => [
    name,
    sortedBy(byKind.get(name) ?? [], 'guid').map(canonicalObject),
  ]);
  return {
    guid,
    info,
    configuration: {
      ...Object.fromEntries(lists),
      tipWithholding: tipWithholding ? canonicalObject(tipWithholding) : null,
    },
    stock: sortedBy(stock, 'itemGuid').map(({ itemGuid, status, quantity }) => ({
      item: itemGuid,
      status,
      quantity: quantity === null ? null : Number(quantity),
    })),
  };
}

function canonicalClient(client: ClientContents): object {
  const { clientId, name, type, partnerGuid, scopes, holdsLegacyCardKey } = client;
  const partner = partnerGuid === null ? {} : { partner: partnerGuid };
  return { clientId, name, userAccessType: type, ...partner, scopes, holdsLegacyCardKey };
}

function canonicalConnection(connection: WantedConnection): object {
  const { partnerGuid, restaurantGuid, externalGroupRef, externalRestaurantRef } = connection;
  const { createdBy, createdAt, modifiedAt } = connection;
  return {
    partner: partnerGuid,
    restaurant: restaurantGuid,
    ...{ externalGroupRef, externalRestaurantRef, createdBy },
    ...(createdAt && { createdDate: createdAt }),
    ...(modifiedAt && { modifiedDate: modifiedAt }),
  };
}

function sortedBy<Thing, Key extends keyof Thing>(things: readonly Thing[], key: Key): Thing[] {
  return [...things].sort((a, b) => compare(String(a[key]), String(b[key])));
}

/** By code unit: the order of GUIDs in the database, and the same on every machine. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
