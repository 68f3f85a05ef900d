import type { OperationId, Order } from '@servery/contract';
import { type Scope, scopesFor } from '@servery/contract';
import type { Principal, RestaurantContext } from '../../src/http/operation.ts';
import { configurationReader } from '../../src/orders/configuration.ts';
import type { OrderDeps, OrderSettings } from '../../src/orders/order-deps.ts';
import { orderMetrics } from '../../src/orders/order-metrics.ts';
import type { OrderObserver } from '../../src/orders/order-observer.ts';
import { orderHandlers } from '../../src/orders/partner/handlers.ts';
import { findOrderingRestaurant } from '../../src/orders/published-store.ts';
import { paymentMetrics } from '../../src/payments/payment-metrics.ts';
import { createMetrics } from '../../src/support/metrics.ts';
import { openPaymentFixture, type PaymentFixture } from '../payments/fixture.ts';
import { insertColleague } from '../payments/fixture-store.ts';
import { callOperation, type TestAnswer } from '../request.ts';
import { insertObject, insertRestaurant, publish } from '../rows.ts';
import {
  archiveObject,
  deactivateObject,
  findPartnerOf,
  updateStockLevel,
} from './fixture-store.ts';
import { guidOf, menusOf, type TestMenu } from './menu.ts';

export interface OrderFixtureParts {
  readonly menu: TestMenu;
  /** By collection and name. */
  readonly configuration?: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
  >;
  readonly settings?: Partial<OrderSettings>;
  readonly timeZone?: string;
  readonly currencyCode?: string;
  readonly prepTimes?: Readonly<Record<string, number>>;
  /** Those of another restaurant, which closes them; its own when absent. */
  readonly payments?: PaymentFixture;
}

/** A restaurant with a published menu, and a partner that orders there. */
export interface OrderFixture {
  readonly payments: PaymentFixture;
  readonly restaurant: RestaurantContext;
  readonly partner: Principal;
  readonly deps: OrderDeps & { readonly observer: OrderObserver };
  call(id: OperationId, parts?: object, by?: Principal): Promise<TestAnswer>;
  price(order: unknown): Promise<TestAnswer>;
  place(order: unknown, by?: Principal): Promise<TestAnswer>;
  get(guid: string, by?: Principal): Promise<TestAnswer>;
  /** Authorizes a payment; gives its uuid. */
  authorize(amount: number, tipAmount?: number): Promise<string>;
  setStock(name: string, quantity: number | null): Promise<void>;
  /** Publishes that an object is archived. */
  archive(collection: string, name: string): Promise<void>;
  /** Publishes that an object is inactive. */
  deactivate(collection: string, name: string): Promise<void>;
  /** Status and quantity of an item's stock as one text. */
  stock(name: string): Promise<string>;
  /** An account of another partner. */
  stranger(): Promise<Principal>;
  /** The value of a metric, with its labels; null if there is none. */
  metric(line: string): Promise<number | null>;
  /** Another account of the partner. */
  colleague(scopes?: readonly Scope[]): Promise<Principal>;
  close(): Promise<void>;
}

const usualConfiguration = {
  diningOptions: {
    'dine-in': { behavior: 'DINE_IN', curbside: false },
    'take-out': { behavior: 'TAKE_OUT', curbside: false },
    curbside: { behavior: 'TAKE_OUT', curbside: true },
    delivery: { behavior: 'DELIVERY', curbside: false },
  },
};

export async function openOrderFixture(parts: OrderFixtureParts): Promise<OrderFixture> {
  const payments = parts.payments ?? (await openPaymentFixture());
  const { database, clock, vault } = payments;
  const { sql } = database;
  const { timeZone = 'America/New_York', currencyCode = 'USD', prepTimes = {} } = parts;
  const inserted = await insertRestaurant(sql, {
    currencyCode,
    columns: { prep_times: prepTimes },
  });
  const restaurant = { ...inserted, timeZone };
  await sql`update restaurant set time_zone = ${timeZone} where guid = ${restaurant.guid}`;
  const configuration = { ...usualConfiguration, ...parts.configuration };
  for (const [collection, objects] of Object.entries(configuration)) {
    for (const [name, fields] of Object.entries(objects)) {
      const guid = guidOf(name);
      await insertObject(sql, restaurant.guid, collection, { guid, fields: { name, ...fields } });
    }
  }
  const menus = menusOf(parts.menu, timeZone);
  const options = Object.values(menus.document.modifierOptionReferences);
  const names = [...parts.menu.items, ...options].map(({ name }) => name);
  for (const name of new Set(names)) {
    await insertObject(sql, restaurant.guid, 'menuItems', { guid: guidOf(name), fields: { name } });
  }
  await publish(sql, restaurant.guid);
  const partner = await withPartner(payments.client);
  const metrics = createMetrics();
  const shown = { database, clock, realClock: clock };
  const deps = {
    database,
    clock,
    realClock: clock,
    vault,
    orderSettings: {
      ...{ stock: 'enforce', repeat: 'conflict', percentTaxBasis: 'selection' },
      ...{ autoFulfil: 'closeOut', kitchen: 'staff' },
      ...parts.settings,
    },
    restaurantOf: (guid) => findOrderingRestaurant(sql, guid),
    findConfiguration: configurationReader(),
    menusOf: async () => menus,
    observer: orderMetrics(metrics, paymentMetrics(metrics, shown), shown),
  } satisfies OrderDeps;
  const handlers = orderHandlers(deps);
  const call = (id: OperationId, more: object = {}, by = partner) =>
    callOperation(handlers, id, { restaurant, principal: by, nowMs: clock.nowMs(), ...more });
  async function withPartner(
    principal: Principal,
    scopes = scopesFor('PARTNER'),
  ): Promise<Principal> {
    const partnerGuid = await findPartnerOf(sql, principal.clientId);
    return { ...principal, partnerGuid, scopes: new Set(scopes) };
  }
  return {
    payments,
    restaurant,
    partner,
    deps,
    call,
    price: (body) => call('orders.price', { body }),
    place: (body, by) => call('orders.place', { body }, by),
    get: (guid, by) => call('orders.get', { params: { guid } }, by),
    authorize: async (amount, tipAmount = 0) => {
      const paymentUuid = crypto.randomUUID();
      const body = await payments.body({ amount, tipAmount });
      const answer = await payments.put({ paymentUuid, restaurant, principal: partner, body });
      if (answer.body.paymentState !== 'AUTHORIZED') throw new Error(answer.text);
      return paymentUuid;
    },
    archive: async (collection, name) => {
      await archiveObject(sql, restaurant.guid, collection, guidOf(name));
      await publish(sql, restaurant.guid);
    },
    deactivate: async (collection, name) => {
      await deactivateObject(sql, restaurant.guid, collection, guidOf(name));
      await publish(sql, restaurant.guid);
    },
    setStock: (name, quantity) => updateStockLevel(sql, restaurant.guid, guidOf(name), quantity),
    stock: async (name) => {
      const [row] = await sql<{ status: string; quantity: string | null }[]>`
        select status, trim_scale(quantity)::text as quantity from stock
        where restaurant_guid = ${restaurant.guid} and item_guid = ${guidOf(name)}`;
      return row
        ? [row.status, row.quantity].filter((part) => part !== null).join(' ')
        : 'IN_STOCK';
    },
    stranger: async () => withPartner(await payments.addClient()),
    metric: async (line) => {
      const lines = (await metrics.text()).split('\n');
      const found = lines.find((one) => one.startsWith(`servery_${line} `));
      return found === undefined ? null : Number(found.split(' ').at(-1));
    },
    colleague: async (scopes) => {
      const now = new Date(clock.nowMs());
      const clientId = await insertColleague(sql, partner.clientId, now);
      return withPartner({ ...partner, clientId }, scopes);
    },
    close: async () => {
      if (!parts.payments) await payments.close();
    },
  };
}

/** An order with one check. */
export function orderOf(
  selections: readonly unknown[],
  check: Readonly<Record<string, unknown>> = {},
  order: Readonly<Record<string, unknown>> = {},
) {
  return {
    diningOption: { guid: guidOf('dine-in') },
    checks: [{ selections, ...check }],
    ...order,
  };
}

export const guest = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  phone: '+1 (617) 555-0123',
  email: 'ada@example.com',
};

/** amount, taxAmount and totalAmount of a check. */
export function totalsOf(order: Order, check = 0): number[] {
  const found = order.checks[check];
  return found ? [found.amount, found.taxAmount, found.totalAmount] : [];
}

/** Status, message and number of faults of an error, to compare. */
export function refusalOf({ status, body }: TestAnswer): string[] {
  if (status < 400) return [`${status}`];
  return body.errors.map(
    (one: { status: number; message: string }) => `${one.status} ${one.message}`,
  );
}
