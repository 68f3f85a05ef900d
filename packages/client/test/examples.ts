/** The examples of docs/reference/client.md: `npm run docs` copies each region to its place. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import {
  type Card,
  currentOpening,
  encryptCard,
  InvalidInput,
  NotFound,
  nextOpening,
  OrderUnknown,
  type PaymentRequest,
  type PreparedPayment,
  Refused,
  Servery,
  type TokenStore,
} from '@servery/client';
import { guestMenu, type MenusCopy, priceOf, syncMenus } from '@servery/client/menu';
import type { OrderRequest } from '@servery/contract';

interface Account {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly restaurant: string;
}

export function openExample({ baseUrl, clientId, clientSecret, restaurant }: Account): Servery {
  // #region open
  const servery = new Servery({ baseUrl, clientId, clientSecret, restaurant, currency: 'USD' });
  // #endregion
  return servery;
}

export async function readExample(servery: Servery, lastSync: Date): Promise<string[]> {
  const names: string[] = [];
  // #region read
  for await (const item of servery.configuration.menuItems.list()) {
    names.push(item.name);
  }
  const tables = await servery.configuration.tables.list().all();
  const { changed, until } = await servery.configuration.menuItems.changesSince(lastSync);
  const soldOut = await servery.stock.list({ status: 'OUT_OF_STOCK' });
  // #endregion
  return [...names, `${tables.length} ${changed.length} ${until.getTime()} ${soldOut.length}`];
}

export async function menuExample(servery: Servery, stored: MenusCopy | null) {
  // #region menu
  const copy = await syncMenus(servery, stored);
  if (!copy.document) throw new Error('no menu is published');
  const menu = guestMenu(copy.document, { at: new Date(), stock: await servery.stock.list() });
  for (const { name, groups } of menu.menus) {
    for (const { items } of groups) {
      for (const item of items) console.log(name, item.name, item.price ?? item.priceFrom);
    }
  }
  // #endregion
  return copy;
}

export function priceExample(copy: MenusCopy, cart: OrderRequest): number {
  // #region price
  const price = priceOf(cart, copy);
  if (!price.isPriced) throw new Error(`${price.faults[0]?.place}: ${price.faults[0]?.reason}`);
  const total = price.checks[0]?.totalAmount ?? 0;
  // #endregion
  return total;
}

export async function payExample(
  servery: Servery,
  request: Pick<PaymentRequest, 'amount' | 'card'>,
  save: (payment: PreparedPayment) => Promise<void>,
) {
  const { amount, card } = request;
  // #region pay
  const payment = await servery.payments.prepare({
    amount,
    tipAmount: 4,
    card,
    guest: { identifier: 'guest-1', ipAddress: '203.0.113.7' },
  });
  await save(payment);
  let answer = await servery.payments.authorize(payment);
  if (answer.outcome === 'unknown') {
    // You can also do this later, even after a restart, because you saved the payment.
    answer = await servery.payments.resolve(payment);
  }
  if (answer.outcome === 'declined') return answer.reason;
  // #endregion
  return answer;
}

export async function orderExample(
  servery: Servery,
  cart: OrderRequest,
  payment: NonNullable<NonNullable<Parameters<Servery['orders']['place']>[1]>['payment']>,
) {
  // #region order
  try {
    return await servery.orders.place(cart, { payment });
  } catch (error) {
    if (!(error instanceof OrderUnknown)) throw error;
    return await servery.orders.place(error.order, { again: true });
  }
  // #endregion
}

export async function encryptExample(servery: Servery, card: Card) {
  // #region encrypt
  // On your server: send the keys to the browser.
  const keys = await servery.platform.cardEncryptionKeys.list();
  // In the browser: send the encrypted card to your server, which passes it as `card`.
  const encrypted = await encryptCard(card, keys);
  // #endregion
  return encrypted;
}

export function webhookExample(servery: Servery) {
  // #region webhooks
  const server = createServer(async (request, response) => {
    const verdict = await servery.webhooks.verify(request.headers, await buffer(request));
    if (!verdict.isValid) console.error(verdict.explanation);
    else if (verdict.event.eventType === 'menus_updated') console.log('read the menus again');
    response.writeHead(verdict.isValid ? 204 : 400).end();
  });
  // #endregion
  return server;
}

export async function hoursExample(servery: Servery): Promise<string> {
  // #region hours
  const restaurant = await servery.restaurants.get();
  const now = new Date();
  const isOpen = currentOpening(restaurant, now) !== null;
  const opens = nextOpening(restaurant, now)?.opens;
  // #endregion
  return `${isOpen} ${opens?.getTime()}`;
}

export async function errorExample(servery: Servery, guid: string): Promise<string> {
  // #region errors
  try {
    return (await servery.orders.get({ guid })).displayNumber ?? '';
  } catch (error) {
    if (error instanceof NotFound) return 'there is no such order';
    if (error instanceof InvalidInput) return `${error.field} is wrong, and nothing was sent`;
    if (error instanceof Refused) return `${error.code} ${error.requestId}: see ${error.link}`;
    throw error;
  }
  // #endregion
}

export function storeExample(
  account: Account,
  cache: {
    get(key: string): Promise<string | null>;
    set(key: string, text: string): Promise<void>;
  },
): Servery {
  // #region store
  const tokens: TokenStore = {
    get: async (key) => JSON.parse((await cache.get(key)) ?? 'null'),
    set: (key, token) => cache.set(key, JSON.stringify(token)),
  };
  const servery = new Servery({ ...account, tokens });
  // #endregion
  return servery;
}
