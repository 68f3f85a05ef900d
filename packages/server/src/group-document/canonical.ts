import { collections } from '@servery/contract';
import { canonicalObject } from '../configuration/document/canonical-object.ts';
import type {
  ClientContents,
  ConnectionContents,
  GroupContents,
  RestaurantContents,
} from './contents.ts';
import { DOCUMENT_FORMAT } from './document.ts';

export type Write = (text: string) => Promise<void> | void;

export type GroupHead = Omit<GroupContents, 'restaurants'>;

/**
 * The same contents always give the same bytes: every GUID and field, references as GUIDs, fixed
 * order of keys, lists by GUID, two spaces of indentation, a line feed at the end. Restaurants
 * arrive one at a time to save memory, and must arrive in GUID order.
 */
export async function writeCanonical(
  head: GroupHead,
  restaurants: Restaurants,
  write: Write,
): Promise<void> {
  await write(`{\n  "format": ${JSON.stringify(DOCUMENT_FORMAT)},\n`);
  const { guid, name } = head.group;
  await write(`  "managementGroup": ${block({ guid, name }, 1)},\n`);
  await write('  "partners": ');
  await writeList(sortedBy(head.partners, 'guid'), 1, write);
  if (head.clients) {
    await write(',\n  "clients": ');
    await writeList(sortedBy(head.clients, 'clientId').map(canonicalClient), 1, write);
  }
  await write(',\n  "restaurants": [');
  let separator = '\n';
  for await (const restaurant of inOrder(restaurants)) {
    await write(separator);
    await writeRestaurant(restaurant, write);
    separator = ',\n';
  }
  await write(separator === '\n' ? ']' : '\n  ]');
  await write(',\n  "connections": ');
  const connections = [...head.connections].sort(
    (a, b) => compare(a.restaurantGuid, b.restaurantGuid) || compare(a.partnerGuid, b.partnerGuid),
  );
  await writeList(connections.map(canonicalConnection), 1, write);
  await write('\n}\n');
}

type Restaurants = Iterable<RestaurantContents> | AsyncIterable<RestaurantContents>;

function inOrder(restaurants: Restaurants): Restaurants {
  return Array.isArray(restaurants)
    ? sortedBy(restaurants as readonly RestaurantContents[], 'guid')
    : restaurants;
}

async function writeRestaurant(restaurant: RestaurantContents, write: Write): Promise<void> {
  const { guid, info, objects, stock } = restaurant;
  await write(`    {\n      "guid": "${guid}",\n      "info": ${block(info, 3)},\n`);
  await write('      "configuration": {\n');
  const byKind = Map.groupBy(objects, ({ collection }) => collection);
  for (const { name } of collections) {
    await write(`        "${name}": `);
    const list = sortedBy(byKind.get(name) ?? [], 'guid');
    await writeList(list.map(canonicalObject), 4, write);
    await write(',\n');
  }
  const [tipWithholding] = byKind.get('tipWithholding') ?? [];
  const tips = tipWithholding ? block(canonicalObject(tipWithholding), 4) : 'null';
  await write(`        "tipWithholding": ${tips}\n      },\n      "stock": `);
  const entries = sortedBy(stock, 'itemGuid').map(({ itemGuid, status, quantity }) => ({
    item: itemGuid,
    status,
    quantity: quantity === null ? null : Number(quantity),
  }));
  await writeList(entries, 3, write);
  await write('\n    }');
}

/** Joins pieces before writing, to save calls. */
const PIECES = 200;

async function writeList(values: readonly object[], depth: number, write: Write): Promise<void> {
  if (values.length === 0) {
    await write('[]');
    return;
  }
  const indent = '  '.repeat(depth + 1);
  for (let start = 0; start < values.length; start += PIECES) {
    const pieces = values
      .slice(start, start + PIECES)
      .map((value) => `${indent}${block(value, depth + 1)}`);
    await write(`${start === 0 ? '[\n' : ',\n'}${pieces.join(',\n')}`);
  }
  await write(`\n${'  '.repeat(depth)}]`);
}

function block(value: unknown, depth: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(depth)}`);
}

function canonicalClient(client: ClientContents): object {
  const { clientId, name, type, partnerGuid, scopes, holdsLegacyCardKey } = client;
  const partner = partnerGuid === null ? {} : { partner: partnerGuid };
  return { clientId, name, userAccessType: type, ...partner, scopes, holdsLegacyCardKey };
}

function canonicalConnection(connection: ConnectionContents): object {
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
