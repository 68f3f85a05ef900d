import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationById } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase, type Database } from '../../../packages/server/src/database/database.ts';
import type { DemoFile } from '../../../packages/server/src/sandbox/demo-file.ts';
import { type Caller, callerOf } from './caller.ts';
import { huntCanaries } from './canaries.ts';
import { type ChaosLimits, playChaos, type Target } from './chaos.ts';
import { checkAnswers } from './check-answers.ts';
import { checkEvents } from './check-events.ts';
import { checkLedgers } from './check-ledgers.ts';
import { checkOrder } from './check-order.ts';
import { checkOrders, type OrderEvidence } from './check-orders.ts';
import { startClients } from './clients.ts';
import { keepMovingClock } from './clock-mover.ts';
import { byPayment, type ClockMove, type Operation, paymentName } from './history.ts';
import { movedClock } from './moved-clock.ts';
import { countItems, type OrderedItem } from './ordered-item.ts';
import { cardNumbers } from './payment-request.ts';
import {
  listEvents,
  listOrderPayments,
  listOrders,
  listPayments,
  listQuantities,
  type StoredEvent,
  type StoredOrder,
  type StoredPayment,
  updateLeasesToEnded,
} from './payment-store.ts';
import { keepOrderingFaults } from './processor-faults.ts';
import { type LedgerHold, readProcessorLedger } from './processor-ledger.ts';
import { waitForQuiet } from './quiet.ts';
import { type Lots, lotsOf } from './random.ts';
import type { Stage } from './stage.ts';
import type { Violation } from './violation.ts';

/** More than the guests of a short run have under way: some of them have had their answers. */
const FEWEST_PAID = 10;
const RESTAURANTS = 3;
const LONGEST_START_MS = 60_000;
const START_LOOK_MS = 100;

/** What goes wrong while clients are at work. Gives how often each thing did, by its name. */
export type Trouble = (
  stage: Stage,
  lots: Lots,
  tell: (line: string) => void,
) => Promise<ReadonlyMap<string, number>>;

/** Kills servers, PostgreSQL and the processor at random. */
export function killsOfAnything(limits: ChaosLimits): Trouble {
  return (stage, lots, tell) =>
    playChaos(targetsOf(stage), limits, lots, (name, count) => {
      if (count % 25 === 0) tell(`${count} kills, the last one of ${name}`);
    });
}

/** How a run is played. */
export interface RunOptions {
  readonly seed: number;
  readonly trouble: Trouble;
  /** False for a processor without faults and a clock that nobody moves: more payments fit in. */
  readonly isWild: boolean;
  /** Client processes, and how many guests each plays at once. */
  readonly clients: number;
  readonly guests: number;
  /** True to end the leases of killed servers at once instead of waiting for half a minute. */
  readonly endsLeases: boolean;
}

/** What a run came to. */
export interface RunReport {
  readonly kills: ReadonlyMap<string, number>;
  readonly operations: readonly Operation[];
  readonly payments: readonly StoredPayment[];
  readonly orders: readonly StoredOrder[];
  readonly holds: readonly LedgerHold[];
  readonly clockMoves: number;
  readonly violations: readonly Violation[];
}

/** All that is known when all is quiet. */
interface Evidence {
  readonly operations: readonly Operation[];
  readonly moves: readonly ClockMove[];
  readonly payments: readonly StoredPayment[];
  readonly events: readonly StoredEvent[];
  readonly orders: OrderEvidence;
  readonly holds: readonly LedgerHold[];
}

/**
 * Plays one run on a stage: clients at work while parts are killed and the clock leaps, then quiet,
 * then every check. `tell` gets a line about each thing that takes time.
 */
export async function playRun(
  stage: Stage,
  options: RunOptions,
  tell: (line: string) => void,
): Promise<RunReport> {
  const { folder, demoFile, serverUrls: servers } = stage;
  const lots = lotsOf(options.seed);
  const { seed, guests } = options;
  const partner = callerOf(stage.demo.clients.partner);
  const guids = paidRestaurants(stage.demo);
  const items = await countItems(partner, { server: servers[0] ?? '', demo: stage.demo }, guids);
  await approveAtOnce(callerOf(stage.demo.clients.operator), servers[0] ?? '', guids);
  const client = { seed, guests, servers, demoFile, items };
  const clients = startClients(options.clients, folder, client);
  const orders = callerOf(stage.demo.clients.orders);
  let isOver = false;
  const isCalm = () => isOver || !options.isWild;
  const moving = keepMovingClock(orders, servers, lots.stream('clock'), isCalm);
  const faulting = keepOrderingFaults(stage.processorUrl, lots.stream('faults'), isCalm);
  await untilBusy(stage);
  const kills = await options.trouble(stage, lots.stream('kills'), tell);
  isOver = true;
  const operations = await clients.stop();
  tell(`${operations.length} requests; waiting until all is quiet`);
  const database = connectDatabase({ url: stage.databaseUrl });
  if (options.endsLeases) await updateLeasesToEnded(database.sql);
  const [moves] = await Promise.all([moving, faulting]);
  const quiet = await waitForQuiet(database, orders, servers, tell);
  const evidence = await gather(stage, database, {
    ...{ operations, items, moves: [...moves, ...quiet.moves] },
  });
  await database.close();
  tell(`checking ${evidence.payments.length} payments`);
  const canaries = await huntCanaries(folder, cardNumbers);
  const violations = [...stage.unexpectedEnds, ...judge(evidence), ...canaries];
  writeEvidence(folder, evidence, violations);
  const { payments, holds } = evidence;
  return {
    ...{ kills, operations, payments, holds, violations },
    ...{ orders: evidence.orders.orders, clockMoves: evidence.moves.length },
  };
}

/** The restaurants that guests pay at. */
export function paidRestaurants({ restaurants }: DemoFile): string[] {
  const open = restaurants.filter(({ archived }) => !archived).slice(0, RESTAURANTS);
  return open.map(({ guid }) => guid);
}

/** Clients take their time to start: before anybody has paid and ordered, a kill proves nothing. */
async function untilBusy({ databaseUrl }: Stage): Promise<void> {
  const database = connectDatabase({ url: databaseUrl, poolSize: 1 });
  const limitAt = performance.now() + LONGEST_START_MS;
  try {
    while (performance.now() < limitAt) {
      const events = await listEvents(database.sql);
      const authorized = events.filter(({ toState }) => toState === 'AUTHORIZED');
      const orders = await listOrders(database.sql);
      if (authorized.length >= FEWEST_PAID && orders.length > 0) return;
      await sleep(START_LOOK_MS);
    }
  } finally {
    await database.close();
  }
}

function targetsOf({ servers, postgres, workers, processor }: Stage): Target[] {
  return [
    ...servers.map((victim) => ({ victim, weight: 30 })),
    { victim: postgres, weight: 20 },
    ...workers.map((victim) => ({ victim, weight: 10 })),
    { victim: processor, weight: 20 },
  ];
}

async function gather(
  stage: Stage,
  database: Database,
  known: Pick<Evidence, 'operations' | 'moves'> & { readonly items: readonly OrderedItem[] },
): Promise<Evidence> {
  const { sql } = database;
  const { operations, moves, items } = known;
  const itemGuids = items.map(({ itemGuid }) => itemGuid);
  const [payments, events, holds, placed, orderPayments, quantities] = await Promise.all([
    listPayments(sql),
    listEvents(sql),
    readProcessorLedger(stage.ledgerFile),
    listOrders(sql),
    listOrderPayments(sql),
    listQuantities(sql, itemGuids),
  ]);
  const orders = { items, orders: placed, payments: orderPayments, quantities };
  return { operations, moves, payments, events, orders, holds };
}

function judge({ operations, moves, payments, events, orders, holds }: Evidence): Violation[] {
  return [
    ...checkEvents(payments, events),
    ...checkLedgers(payments, holds),
    ...checkAnswers(operations, payments, events),
    ...checkOrders(operations, payments, orders),
    ...checkOrder(operations, payments, movedClock(moves)),
  ];
}

/** Nobody plays a restaurant that approves its orders: they would all expire. */
async function approveAtOnce(
  operator: Caller,
  server: string,
  restaurantGuids: readonly string[],
): Promise<void> {
  const { path } = operationById('backOffice.restaurants.update');
  for (const guid of restaurantGuids) {
    const address = path.replace('{restaurantGuid}', guid);
    const json = { orders: { approval: 'auto' } };
    const limitMs = 30_000;
    const answer = await operator({ server, method: 'PATCH', path: address, json, limitMs });
    if (answer?.status !== 200) throw new Error(`${address}: ${answer?.status} ${answer?.text}`);
  }
}

/** What a person needs who looks into violations: all that is known of the payments concerned. */
function writeEvidence(folder: string, evidence: Evidence, violations: readonly Violation[]): void {
  if (violations.length === 0) return;
  const operations = byPayment(evidence.operations);
  const events = Map.groupBy(evidence.events, paymentName);
  const payments = new Map(evidence.payments.map((payment) => [paymentName(payment), payment]));
  const cases = [...Map.groupBy(violations, ({ subject }) => subject)].map(([subject, found]) => {
    const payment = payments.get(subject);
    return {
      violations: found.map(({ rule, text }) => `${rule}: ${text}`),
      subject,
      payment,
      events: events.get(subject),
      holds: evidence.holds.filter(({ paymentId }) => paymentId === payment?.paymentId),
      operations: operations.get(subject),
    };
  });
  const file = join(folder, 'violations.json');
  writeFileSync(file, JSON.stringify({ moves: evidence.moves, cases }, null, 1));
}
