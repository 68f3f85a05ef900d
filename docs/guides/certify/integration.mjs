// integration.mjs: a small integration that `servery certify` runs, for the task in SERVERY_TASK.
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Conflict, OrderUnknown, Servery } from '@servery/client';

const { env } = process;
const options = {
  baseUrl: env.SERVERY_URL,
  clientId: env.SERVERY_CLIENT_ID,
  clientSecret: env.SERVERY_CLIENT_SECRET,
  restaurant: env.SERVERY_RESTAURANT,
  webhookSecrets: env.SERVERY_WEBHOOK_SECRET ?? '',
};
const servery = new Servery(options);
const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
const guest = { identifier: 'guest-1', ipAddress: '8.8.4.4' };

/** Copies the menu items and their stock. */
async function sync() {
  const items = await servery.configuration.menuItems.list().all();
  const stock = await servery.stock.list();
  await keep('copy.json', { items, stock });
}

/** Sells one item, and has it paid by card. */
async function order() {
  const cart = await newCart();
  const [check] = (await servery.orders.price(cart)).checks;
  const amount = check.totalAmount;
  // After five minutes without an order, the money is no longer on hold: authorize it again, once.
  const placed = await sell(cart, amount).catch((error) => {
    if (error instanceof Conflict) return sell(cart, amount);
    throw error;
  });
  console.log(placed ? `sold as order ${placed.displayNumber}` : 'not sold');
}

async function newCart() {
  const document = await servery.menus.get();
  const soldOut = new Set((await servery.stock.list({ status: 'OUT_OF_STOCK' })).map(guidOf));
  const diningOptions = await servery.configuration.diningOptions.list().all();
  const takeOut = diningOptions.find(({ behavior }) => behavior === 'TAKE_OUT');
  const [selection] = plainItems(document).filter(({ item }) => !soldOut.has(item.guid));
  return { diningOption: { guid: takeOut.guid }, checks: [{ selections: [selection], customer }] };
}

/** What can be ordered without a choice. */
function plainItems({ menus, modifierGroupReferences: groups }) {
  const needsNoChoice = (key) => groups[key].requiredMode !== 'REQUIRED';
  return menus
    .flatMap(({ menuGroups }) => menuGroups)
    .flatMap((group) => group.menuItems.map((item) => ({ item, group })))
    .filter(({ item }) => item.price > 0 && item.modifierGroupReferences.every(needsNoChoice))
    .map(({ item, group }) => ({ item: { guid: item.guid }, itemGroup: { guid: group.guid } }));
}

async function sell(cart, amount) {
  const card = JSON.parse(env.SERVERY_CARD);
  const payment = await servery.payments.prepare({ amount, card, guest });
  await keep('payment.json', payment);
  let answer = await servery.payments.authorize(payment);
  // A payment whose outcome is unknown may be on hold: never start another one.
  while (answer.outcome === 'unknown') answer = await servery.payments.resolve(payment);
  if (answer.outcome === 'declined') return null;
  try {
    return await servery.orders.place(cart, { payment: answer });
  } catch (error) {
    if (error instanceof OrderUnknown) {
      return await servery.orders.place(error.order, { again: true });
    }
    throw error;
  }
}

/** Receives webhooks, and reads the stock of each item whose stock changed. */
async function listen() {
  const seen = new Set(); // A real receiver keeps this in its database.
  const server = createServer(async (request, response) => {
    const verdict = await servery.webhooks.verify(request.headers, await buffer(request));
    if (!verdict.isValid) return response.writeHead(400).end();
    response.writeHead(204).end();
    const { guid, eventCategory, details } = verdict.event;
    if (seen.has(guid)) return;
    seen.add(guid);
    if (eventCategory === 'stock') await servery.stock.search({ guids: [details.itemGuid] });
  });
  server.listen(Number(env.SERVERY_WEBHOOK_PORT), '127.0.0.1');
  await once(server, 'close');
}

function guidOf({ guid }) {
  return guid;
}

/** A real integration keeps this in its database. */
async function keep(name, content) {
  await mkdir(env.SERVERY_STATE, { recursive: true });
  await writeFile(`${env.SERVERY_STATE}/${name}`, JSON.stringify(content));
}

await { sync, order, listen }[env.SERVERY_TASK]();
