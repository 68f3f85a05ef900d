/**
 * One client process of a crash run: several guests at once who pay, and the orders side that
 * serves them. It is told in its one argument what to do, writes what it asked and was answered to
 * a file, and stops, when its standard input ends, as soon as nothing is under way anymore.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { sleep } from '@servery/support/timer.ts';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import { callerOf } from './caller.ts';
import type { ClientOrder } from './client-order.ts';
import { crowd, type GuestDeps, liveOnePayment, wantPayment } from './guest.ts';
import { monotonicUs, type Operation } from './history.ts';
import { lotsOf } from './random.ts';

/** So long, in microseconds, all processes draw the same identities for some of their payments. */
const SHARED_FOR_US = 700_000;
const SHARED_IDENTITIES = 2;
const CROWD = 6;
const LONGEST_PAUSE_MS = 120;

const order = JSON.parse(process.argv[2] ?? '{}') as ClientOrder;
const demo = JSON.parse(readFileSync(order.demoFile, 'utf8')) as DemoFile;
let isStopping = false;
process.stdin.resume().once('end', () => {
  isStopping = true;
});

const written: Operation[] = [];
const partners = {
  partner: callerOf(demo.clients.partner),
  group: callerOf(demo.clients.group),
};
const orders = callerOf(demo.clients.orders);

await Promise.all(Array.from({ length: order.guests }, (_, index) => beGuest(index)));
flush();

async function beGuest(index: number): Promise<void> {
  const lots = lotsOf(order.seed).stream(`${order.client} ${index}`);
  const deps: GuestDeps = {
    ...{ client: order.client, demo, servers: order.servers, partners, orders, lots },
    items: order.items,
    record: (operation) => {
      written.push(operation);
      if (written.length >= 200) flush();
    },
    isStopping: () => isStopping,
  };
  for (let number = 1; !isStopping; number += 1) {
    await payOnce(deps, `${order.client} ${index} ${number}`);
    await sleep(lots.between(0, LONGEST_PAUSE_MS));
  }
}

/** A payment of its own, or one that guests of other processes bring at the same time. */
async function payOnce(deps: GuestDeps, name: string): Promise<void> {
  const { lots } = deps;
  if (lots.chance(0.75)) {
    const own = lotsOf(order.seed).stream(name);
    const account = own.chance(0.9) ? 'partner' : 'group';
    await liveOnePayment(deps, account, wantPayment(deps, uuidOf(name), own));
    return;
  }
  const moment = Math.floor(monotonicUs() / SHARED_FOR_US);
  const shared = `${moment} ${lots.between(1, SHARED_IDENTITIES)}`;
  const payment = wantPayment(deps, uuidOf(shared), lotsOf(order.seed).stream(shared));
  const other = { ...payment, amount: payment.amount + lots.between(1, 3) };
  if (lots.chance(0.3)) {
    const payments = Array.from({ length: CROWD }, () => (lots.chance(0.7) ? payment : other));
    await crowd(deps, 'partner', payments);
  } else {
    const account = lots.chance(0.95) ? 'partner' : 'group';
    await liveOnePayment(deps, account, lots.chance(0.8) ? payment : other);
  }
}

function uuidOf(name: string): string {
  const hex = createHash('sha256').update(`${order.seed} ${name}`).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`];
  return [...parts, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

function flush(): void {
  const lines = written.splice(0).map((operation) => `${JSON.stringify(operation)}\n`);
  appendFileSync(order.historyFile, lines.join(''));
}
