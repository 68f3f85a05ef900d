import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import type { MenusDocument, Order, ResolvedMenuItem } from '@servery/contract';
import { newRandomId } from '@servery/support/ids.ts';
import { sleep } from '@servery/support/timer.ts';
import { ByteSearch } from '../payments/hunt/byte-search.ts';
import { logIn, type ServedDemo } from '../payments/hunt/spawned-platform.ts';

type Json = Readonly<Record<string, unknown>>;
type Account = 'partner' | 'other' | 'operator';

interface Call {
  readonly method?: string;
  /** As it is if it is a text. */
  readonly body?: unknown;
  readonly contentType?: string;
}

interface Answer {
  readonly requestId: string;
  readonly status: number;
  readonly text: string;
}

/** Orders with texts that exist once, and looks for them afterwards. */
export interface GuestHunt {
  readonly search: ByteSearch;
  /** Sends every operation of orders guest data, where it belongs and where it doesn't. */
  send(): Promise<void>;
  /** What accounts are told that see no guests, events, and what operators see in the records. */
  readAll(): Promise<string>;
}

export async function openGuestHunt({ url, demo }: ServedDemo): Promise<GuestHunt> {
  const restaurantGuid = demo.restaurants.find(({ archived }) => !archived)?.guid ?? '';
  const search = new ByteSearch();
  const tokens: Record<string, string> = {};
  for (const name of ['partner', 'other', 'operator'] as const) {
    tokens[name] = await logIn({ url, demo }, demo.clients[name]);
  }
  const ask = async (account: string, path: string, call: Call = {}): Promise<Answer> => {
    const { method = call.body === undefined ? 'GET' : 'POST', body } = call;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${tokens[account]}`,
        [`${demo.brand}-Restaurant-External-ID`]: restaurantGuid,
        ...(body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
      },
      body: body === undefined || typeof body === 'string' ? (body ?? null) : JSON.stringify(body),
    });
    const requestId = response.headers.get(`${demo.brand}-Request-ID`) ?? '';
    return { requestId, status: response.status, text: await response.text() };
  };
  const made = async (account: Account, path: string, call?: Call) => {
    const { status, text } = await ask(account, path, call);
    assert.equal(status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  };

  const remember = (where: string, text: string) => {
    search.addPiece(where, text);
    return text;
  };
  const canary = (where: string) => remember(where, randomBytes(12).toString('hex'));
  const digits = (count: number) =>
    Array.from({ length: count }, () => String(randomInt(10))).join('');
  const phone = (where: string) => `+1 (${remember(where, `617) 5${digits(2)}-${digits(4)}`)}`;
  const degrees = (where: string) => Number(remember(where, `42.${digits(6)}7`));
  const customer = (where: string) => ({
    firstName: canary(`${where} firstName`),
    lastName: canary(`${where} lastName`),
    phone: phone(`${where} phone`),
    email: `${canary(`${where} email`)}@example.com`,
  });
  const address = (where: string) => ({
    ...{ address1: canary(`${where} address1`), address2: canary(`${where} address2`) },
    ...{ city: canary(`${where} city`), state: canary(`${where} state`) },
    ...{ administrativeArea: canary(`${where} area`), zipCode: canary(`${where} zip`) },
    ...{ country: canary(`${where} country`), notes: canary(`${where} notes`) },
    ...{ latitude: degrees(`${where} latitude`), longitude: -degrees(`${where} longitude`) },
  });
  const car = (where: string) => ({
    transportDescription: canary(`${where} car`),
    transportColor: canary(`${where} color`),
    notes: canary(`${where} car notes`),
  });
  const asked = (where: string) => ({
    selectionType: 'SPECIAL_REQUEST',
    displayName: canary(`${where} request`),
  });

  const { menus } = (await made('partner', '/menus/v2/menus')) as MenusDocument;
  const isPlain = ({ price, modifierGroupReferences }: ResolvedMenuItem) =>
    price !== null && price > 0 && modifierGroupReferences.length === 0;
  const group = menus
    .flatMap(({ menuGroups }) => menuGroups)
    .find(({ menuItems }) => menuItems.some(isPlain));
  const item = group?.menuItems.find(isPlain);
  assert.ok(group && item, 'the demo restaurant has an item without modifiers');
  const options = (await made('partner', '/config/v2/diningOptions')) as {
    guid: string;
    behavior: string;
  }[];
  const optionOf = (behavior: string) => {
    const { guid } = options.find((one) => one.behavior === behavior) ?? {};
    return { guid };
  };
  const selection = (where: string) => ({
    itemGroup: { guid: group.guid },
    item: { guid: item.guid },
    modifiers: [asked(where)],
  });
  const check = (where: string) => ({
    selections: [selection(where), asked(`${where} top`)],
    customer: customer(where),
    tabName: canary(`${where} tab`),
  });
  const delivery = (where: string) => ({
    diningOption: optionOf('DELIVERY'),
    deliveryInfo: address(where),
    curbsidePickupInfo: car(where),
    checks: [check(where)],
  });
  const orders: Order[] = [];

  async function placeOrders(): Promise<void> {
    const sent = delivery('place');
    orders.push((await made('partner', '/orders/v2/orders', { body: sent })) as Order);
    const takeOut = {
      diningOption: optionOf('TAKE_OUT'),
      curbsidePickupInfo: car('take-out'),
      checks: [check('take-out')],
    };
    const { guid = '', checks } = (await made('partner', '/orders/v2/orders', {
      body: takeOut,
    })) as Order;
    orders.push({ guid, checks } as Order);
    await made('partner', '/orders/v2/prices', { body: delivery('price') });
    await made('partner', '/orders/v2/applicableDiscounts', {
      body: { order: delivery('discounts') },
    });
    const [first] = orders;
    await made('partner', `${pathOf(first)}/selections`, {
      body: [selection('more'), asked('later')],
    });
    await made('partner', `/orders/v2/orders/${first?.guid}/deliveryInfo`, {
      method: 'PATCH',
      body: { notes: canary('courier'), deliveryState: 'IN_PROGRESS' },
    });
  }

  const pathOf = (order: Order | undefined) =>
    `/orders/v2/orders/${order?.guid}/checks/${order?.checks[0]?.guid}`;
  const officePath = () => `/backoffice/v1/restaurants/${restaurantGuid}/orders/${orders[0]?.guid}`;

  /** What clients send that misunderstood the documents: most of it is ignored. */
  function misplaced(where: string): Json {
    const noted = {
      ...selection(where),
      ...{ notes: canary(`${where} notes of an item`), name: canary(`${where} name of an item`) },
    };
    const misread = {
      ...check(where),
      ...customer(`${where} on the check`),
      ...{ selections: [noted], notes: canary(`${where} notes on the check`) },
    };
    return {
      ...delivery(where),
      ...customer(`${where} on the order`),
      ...address(`${where} on the order`),
      ...{ Customer: customer(`${where} wrong case`), guest: customer(`${where} guest`) },
      ...{ comment: canary(`${where} comment`), name: canary(`${where} name`) },
      ...{ delivery_info: address(`${where} snake case`), cars: [car(`${where} list`)] },
      checks: [misread],
    };
  }

  function* faulty(where: string): Generator<Json | readonly unknown[] | string> {
    const { firstName, ...rest } = customer(where);
    const wrongCustomers = [
      { ...rest, firstName: { text: firstName } },
      { ...rest, firstName: [firstName] },
      { ...rest, firstName: firstName.repeat(20) },
      { ...rest, firstName, phone: canary(`${where} no phone`) },
      { ...rest, firstName, email: canary(`${where} no email`) },
      { ...rest, firstName, middleName: canary(`${where} middle name`) },
      `${firstName} ${rest.lastName}`,
    ];
    const whole = delivery(where);
    yield { ...whole, checks: wrongCustomers.map((one) => ({ ...check(where), customer: one })) };
    for (const wrong of [
      { ...address(where), latitude: canary(`${where} latitude in words`) },
      { ...address(where), notes: canary(`${where} notes`).repeat(60) },
      canary(`${where} address in a line`),
    ]) {
      yield { ...whole, deliveryInfo: wrong };
    }
    yield { ...whole, curbsidePickupInfo: { notes: canary(`${where} no car`) } };
    yield [whole];
    yield canary(`${where} no JSON`);
    yield `${JSON.stringify(whole)},`;
  }

  async function misplace(): Promise<void> {
    const check = pathOf(orders[0]);
    const places: readonly (readonly [account: Account, method: string, path: string])[] = [
      ['partner', 'POST', '/orders/v2/orders'],
      ['partner', 'POST', '/orders/v2/prices'],
      ['partner', 'POST', '/orders/v2/applicableDiscounts'],
      ['partner', 'POST', `${check}/selections`],
      ['partner', 'POST', `${check}/appliedDiscounts`],
      ['partner', 'POST', `${check}/payments`],
      ['partner', 'PATCH', `${check}/payments/${newRandomId()}`],
      ['partner', 'PATCH', `/orders/v2/orders/${orders[0]?.guid}/deliveryInfo`],
      ['partner', 'POST', `/orders/v2/orders/${orders[0]?.guid}/void`],
      ['operator', 'POST', `${officePath()}/reject`],
      ['operator', 'POST', `${officePath()}/fire`],
      ['operator', 'POST', `${officePath()}/checks/${orders[0]?.checks[0]?.guid}/payments`],
      ['operator', 'POST', `${officePath()}/void`],
    ];
    for (const [account, method, path] of places) {
      const isWhole = path === '/orders/v2/orders' || path === '/orders/v2/prices';
      for (const body of [misplaced(path), ...(isWhole ? faulty(path) : [])]) {
        const told = await ask(account, path, { method, body });
        assert.ok(told.status < 500, `${told.status} ${path}`);
        if (told.status >= 400) hasNone('an error', told.text);
      }
    }
    const form = `name=${canary('a form')}&phone=${canary('a form')}`;
    const contentType = 'application/x-www-form-urlencoded';
    const refused = await ask('partner', '/orders/v2/orders', { body: form, contentType });
    hasNone('an error', refused.text);
  }

  function hasNone(place: string, text: string): void {
    assert.deepEqual(search.findIn(Buffer.from(text)), [], `${place}: ${text}`);
  }

  async function decide(): Promise<void> {
    const base = officePath();
    const [first, second] = orders;
    for (const path of ['', '/events']) await made('operator', `${base}${path}`);
    await made('operator', `/backoffice/v1/restaurants/${restaurantGuid}/orders?open=true`);
    await made('operator', `${base}/ready`, { body: {} });
    const cash = { type: 'CASH', amount: 1 };
    await made('operator', `${base}/checks/${first?.checks[0]?.guid}/payments`, { body: cash });
    await made('operator', `${base}/void`, { body: { reason: 'The guest left.' } });
    const all = { selections: { voidAll: true }, payments: { voidAll: true } };
    await made('partner', `/orders/v2/orders/${second?.guid}/void`, { body: all });
    await made('partner', `/orders/v2/orders/${first?.guid}`);
    await made('partner', `/orders/v2/ordersBulk?businessDate=${first?.businessDate}`);
  }

  /** An account of the same partner that sees no guests. */
  async function addBlindAccount(): Promise<void> {
    const path = '/backoffice/v1/clients';
    const { partner } = await made('operator', `${path}/${demo.clients.partner.clientId}`);
    const scopes = ['orders:read', 'orders.items:write'];
    const body = { type: 'PARTNER', name: 'Screen', partnerGuid: partner.guid, scopes };
    const { client, clientSecret } = await made('operator', path, { body });
    const { userAccessType } = demo.clients.partner;
    const account = { ...client, clientSecret, userAccessType };
    tokens.blind = await logIn({ url, demo }, account);
  }

  /** The log is written while the platform has nothing to do. */
  async function onceLogged(requestId: string): Promise<void> {
    for (let looks = 0; looks < 600; looks += 1) {
      const { status } = await ask('operator', `/backoffice/v1/requests/${requestId}`);
      if (status === 200) return;
      await sleep(100);
    }
    throw new Error(`the request ${requestId} is not in the log`);
  }

  async function readOrders(account: string): Promise<string> {
    const [first] = orders;
    const read = [
      await ask(account, `/orders/v2/orders/${first?.guid}`),
      await ask(account, `/orders/v2/ordersBulk?businessDate=${first?.businessDate}`),
      await ask(account, `${pathOf(first)}/selections`, { body: [] }),
    ];
    return read.map(({ text }) => text).join('\n');
  }

  async function readRecords(): Promise<string> {
    const of = (path: string) => made('operator', `/backoffice/v1/${path}`);
    const { text } = await ask('operator', '/backoffice/v1/metrics');
    const read = [text, JSON.stringify(await of('audit?pageSize=100'))];
    const { results } = (await of(`requests?restaurantGuid=${restaurantGuid}&pageSize=100`)) as {
      results: { requestId: string }[];
    };
    for (const { requestId } of results) {
      read.push(JSON.stringify(await of(`requests/${requestId}`)));
    }
    const events = JSON.stringify(await made('partner', '/platform/v1/events'));
    assert.ok(events.includes('channel_order_updated'), 'there are events');
    return [...read, events].join('\n');
  }

  return {
    search,
    async send() {
      await addBlindAccount();
      // From its first read on, events are kept for the account.
      await made('partner', '/platform/v1/events');
      await placeOrders();
      await misplace();
      await decide();
      const { requestId } = await ask('partner', `/orders/v2/orders/${orders[0]?.guid}`);
      await onceLogged(requestId);
    },
    async readAll() {
      // ORD-9: everybody who reads an order sees what was asked for, and tells tabs apart.
      const seen = (await readOrders('blind')).replaceAll(/"(?:displayName|tabName)":"[^"]*"/g, '');
      return [seen, await readOrders('other'), await readRecords()].join('\n');
    },
  };
}
