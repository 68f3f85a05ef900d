import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Servery } from '@servery/client';
import { syncMenus } from '@servery/client/menu';
import { createReceiver } from './receiver.js';
import { buy, cartOf, listItems, totalOf } from './shop.js';

// The sandbox wrote this file when it started in this folder.
const { baseUrl, clients, restaurants } = JSON.parse(readFileSync('.servery/demo.json', 'utf8'));
const [{ guid: restaurant, currencyCode: currency }] = restaurants;
const servery = new Servery({ baseUrl, ...clients.partner, restaurant, currency });

const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
const card = {
  ...{ number: '4111111111111111', expMonth: 12, expYear: 2039, cvv: '123' },
  ...{ postalCode: '60607', country: 'USA' },
};

const commands = {
  async menu() {
    for (const { name, price, priceFrom } of await readItems()) {
      console.log(name, price?.toFixed(2) ?? `from ${priceFrom.toFixed(2)}`);
    }
  },

  async order(name) {
    const copy = await syncMenus(servery);
    const item = (await readItems(copy)).find((one) => one.name === name);
    if (!item) throw new Error(`"${name}" is not for sale now: see node main.js menu`);
    const cart = cartOf(item, copy, customer);
    const total = totalOf(cart, copy);
    console.log(`${name} for ${total.toFixed(2)}: paying and ordering`);
    const { displayNumber, guestOrderStatus } = await buy(servery, cart, total, card);
    console.log(`order ${displayNumber}, ${guestOrderStatus}`);
  },

  async listen(secret) {
    const receiver = createReceiver([secret], ({ eventType }) => console.log(eventType));
    await once(receiver.listen(4300, '127.0.0.1'), 'listening');
    console.log('http://127.0.0.1:4300');
  },
};

async function readItems(copy) {
  return listItems(copy ?? (await syncMenus(servery)), await servery.stock.list());
}

const [command, word] = process.argv.slice(2);
try {
  const isComplete = word || command === 'menu';
  if (!isComplete || !Object.hasOwn(commands, command)) {
    throw new Error('Use: node main.js menu | order NAME | listen SECRET');
  }
  await commands[command](word);
} catch (error) {
  // Errors of the client say what the platform refused, and why.
  console.error(error.message);
  process.exitCode = 1;
}
