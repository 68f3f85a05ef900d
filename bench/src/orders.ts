import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { brandedHeaders } from '@servery/contract';
import type postgres from 'postgres';
import { insertAuthorizations } from './authorization-store.ts';
import { headersOf } from './filled.ts';
import type { FilledPlatform } from './fillings.ts';
import { askOnce, type LoadRequest, measureLoad, requestBytes } from './load.ts';
import type { Contender } from './scenario.ts';

/** Requests under way at once: guests who order at the same time. */
const CONNECTIONS = 64;
/** More than any side places; each order needs an authorization of its own. */
const ORDERS_PER_SECOND_AT_MOST = 1_500;
const DAY_MS = 86_400_000;
const TIP = 2;
const CURRENCY = { code: 'USD', minorUnits: 100 };

/** One restaurant, and the order that guests place there again and again. */
export interface OrderingPlace {
  readonly restaurantGuid: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly order: OrderBody;
  /** Without the tip. */
  readonly totalAmount: number;
}

interface OrderBody {
  readonly checks: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/** What both sides need to make authorizations before they are measured. */
export interface Authorizing {
  readonly patternUuid: string;
  readonly clientId: string;
  readonly places: readonly Pick<OrderingPlace, 'restaurantGuid' | 'totalAmount'>[];
}

/** An authorization, and the number of the place where it can be used. */
export interface Authorization {
  readonly paymentUuid: string;
  readonly place: number;
}

/** Orders are placed at these in turn, so that it isn't one restaurant's lock that is measured. */
export async function findOrderingPlaces(platform: FilledPlatform): Promise<OrderingPlace[]> {
  const { url, demo, filled } = platform;
  const account = await headersOf(platform, filled.partner);
  const restaurantHeader = brandedHeaders(demo.brand).restaurantExternalId;
  const places: OrderingPlace[] = [];
  for (const { guid: restaurantGuid } of filled.large) {
    const headers = { ...account, [restaurantHeader]: restaurantGuid };
    const order = await makeOrder(url, headers);
    const priced = await ask(url, '/orders/v2/prices', headers, order);
    const { totalAmount } = priced.checks[0];
    places.push({ restaurantGuid, headers, order, totalAmount });
  }
  return places;
}

/**
 * Three items, two of them with modifiers; one item is counted, and there is enough of it. It is for
 * tomorrow: what the kitchen does with an order at once isn't placing it.
 */
async function makeOrder(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<OrderBody> {
  const menus = await ask(url, '/menus/v2/menus', headers);
  const options = await ask(url, '/config/v2/diningOptions', headers);
  const takeOut = options.find(({ behavior }: { behavior: string }) => behavior === 'TAKE_OUT');
  const [group] = menus.menus[0].menuGroups;
  const isWithModifiers = (item: { modifierGroupReferences: number[] }) =>
    item.modifierGroupReferences.length > 0;
  const plain = group.menuItems.findLast((item: never) => !isWithModifiers(item));
  const items = [...group.menuItems.filter(isWithModifiers).slice(-2), plain];
  assert.equal(items.length, 3, 'the menu has too few items');
  const selections = items.map((item) => ({
    item: { guid: item.guid },
    itemGroup: { guid: group.guid },
    quantity: 1,
    modifiers: item.modifierGroupReferences.flatMap((reference: number) => {
      const modifierGroup = menus.modifierGroupReferences[reference];
      return modifierGroup.modifierOptionReferences.slice(0, 2).map((option: number) => ({
        item: { guid: menus.modifierOptionReferences[option].guid },
        optionGroup: { guid: modifierGroup.guid },
      }));
    }),
  }));
  const ordered = selections.flatMap(({ item, modifiers }) => [
    item.guid,
    ...modifiers.map((modifier: { item: { guid: string } }) => modifier.item.guid),
  ]);
  const [counted] = ordered;
  const stock = [...new Set(ordered)].map((guid) =>
    guid === counted
      ? { guid, status: 'QUANTITY', quantity: 9_999_999 }
      : { guid, status: 'IN_STOCK' },
  );
  await ask(url, '/stock/v1/inventory/update', headers, stock, 'PUT');
  const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
  return {
    diningOption: { guid: takeOut.guid },
    promisedDate: new Date(performance.timeOrigin + performance.now() + DAY_MS).toISOString(),
    checks: [{ selections, customer }],
  };
}

async function ask(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
  method = 'POST',
) {
  const json = { ...headers, 'content-type': 'application/json' };
  const parts =
    body === undefined ? { headers } : { method, headers: json, body: JSON.stringify(body) };
  const bytes = requestBytes(url + path, parts);
  return JSON.parse((await askOnce(url, { bytes, status: 200 })).toString());
}

/** Keeps authorizations in store for the next round. */
export function authorizer(sql: postgres.Sql, { places, ...pattern }: Authorizing) {
  const unused: Authorization[] = [];
  return {
    async prepare(seconds: number): Promise<void> {
      const missing = Math.ceil(seconds * ORDERS_PER_SECOND_AT_MOST) - unused.length;
      if (missing <= 0) return;
      const made = Array.from({ length: missing }, (_, index) => {
        return { paymentUuid: randomUUID(), place: index % places.length };
      });
      const each = made.map(({ paymentUuid, place }) => {
        const { restaurantGuid = '', totalAmount = 0 } = places[place] ?? {};
        const amountMinor = Math.round(totalAmount * CURRENCY.minorUnits);
        return { restaurantGuid, paymentUuid, amountMinor };
      });
      const tipMinor = TIP * CURRENCY.minorUnits;
      await insertAuthorizations(sql, { ...pattern, currencyCode: CURRENCY.code, tipMinor, each });
      unused.unshift(...made);
    },
    take(): Authorization {
      const authorization = unused.pop();
      if (!authorization) throw new Error('more orders were placed than were paid for');
      return authorization;
    },
  };
}

/** What stands for the paymentUuid, and for what makes the externalId unique. */
const PLACE_OF_UUID = '00000000-0000-4000-8000-000000000000';

/** Loads the platform with orders that are paid by card. */
export function orderingContender(
  platform: FilledPlatform,
  sql: postgres.Sql,
  authorizing: Authorizing,
  places: readonly OrderingPlace[],
): Contender {
  const requests = places.map((place) => placeRequest(platform.url, place));
  const authorizations = authorizer(sql, authorizing);
  const next = () => {
    const { paymentUuid, place } = authorizations.take();
    return withPayment(requests[place] as LoadRequest, paymentUuid);
  };
  const target = { url: platform.url, next, connections: CONNECTIONS };
  return {
    name: 'product',
    process: platform,
    async measure(seconds) {
      await authorizations.prepare(seconds);
      return await measureLoad(target, seconds);
    },
  };
}

/** Places one order, and gives its GUID. */
export async function placeOnce(
  { url }: FilledPlatform,
  place: OrderingPlace,
  paymentUuid: string,
): Promise<string> {
  const answer = await askOnce(url, withPayment(placeRequest(url, place), paymentUuid));
  return JSON.parse(answer.toString()).guid;
}

function placeRequest(url: string, { headers, order, totalAmount }: OrderingPlace): LoadRequest {
  const [check] = order.checks;
  const payment = { type: 'CREDIT', guid: PLACE_OF_UUID, amount: totalAmount, tipAmount: TIP };
  const body = JSON.stringify({
    ...{ ...order, externalId: `bench:${PLACE_OF_UUID}` },
    checks: [{ ...check, payments: [payment] }],
  });
  const json = { ...headers, 'content-type': 'application/json' };
  return {
    bytes: requestBytes(`${url}/orders/v2/orders`, { method: 'POST', headers: json, body }),
    status: 200,
    check: (answer) => {
      const { checks } = JSON.parse(answer.toString());
      assert.equal(checks[0].totalAmount, totalAmount);
      assert.equal(checks[0].paymentStatus, 'CLOSED');
    },
  };
}

function withPayment(request: LoadRequest, uuid: string): LoadRequest {
  const bytes = Buffer.from(request.bytes);
  let at = bytes.indexOf(PLACE_OF_UUID);
  while (at >= 0) {
    bytes.write(uuid, at, 'latin1');
    at = bytes.indexOf(PLACE_OF_UUID, at);
  }
  return { ...request, bytes };
}
