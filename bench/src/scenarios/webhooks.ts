import { exampleOf, type PartnerEvent } from '@servery/contract';
import { makeSecret, makeTestHeaders } from '@servery/webhooks';
import type postgres from 'postgres';
import { addressOf, type DatabaseAddress, openDatabase } from '../database.ts';
import { LOAD_CORE, type StartedProcess, startProcess } from '../processes.ts';
import type { Bench, Contender, Scenario } from '../scenario.ts';
import type { PostOrder } from '../webhooks/ceiling.ts';
import { archiveAll, logIn, makeEndpoints, type Operator } from '../webhooks/endpoints.ts';
import { insertQueuedEvents, updateArchived } from '../webhooks/queue-store.ts';

/** As many attempts as the product makes at once: of one endpoint, and in all. */
const AT_ONCE = { ofEndpoint: 32, inAll: 2_048 };
/** What is measured of the arrivals: neither the beginning, when endpoints are new, nor the end. */
const MEASURED = { from: 0.25, to: 0.95 };

/** What is delivered: so many events to each endpoint, of which some never answer. */
interface Delivery {
  readonly endpoints: number;
  readonly events: number;
  readonly hanging: number;
}

/**
 * How many webhooks a second go out: to one endpoint, to 200, and to 200 of which one hangs, beside
 * a loop that claims a batch with one statement, signs the same body and posts it to the same
 * receiver by undici, and records the batch with one statement. All deliveries become due at once,
 * as when all receivers of a partner are back.
 */
export const scenario: Scenario = {
  name: 'webhooks',
  about: 'deliveries to one endpoint and to 200, beside undici with one claim and record a batch',
  async run(bench) {
    const many = bench.effort.isSmoke ? 20 : 200;
    const [alone, each] = bench.effort.isSmoke ? [100, 5] : [6_000, 50];
    await using platform = await bench.startPlatform();
    await using receiver = await startProcess(['bench/src/webhooks/receiver.ts'], {
      cores: LOAD_CORE,
    });
    await using ceiling = await startProcess(['bench/src/webhooks/ceiling.ts']);
    const operator = await logIn(platform);
    const database = await addressOf(platform);
    const sql = openDatabase(database, 1);
    await using _ = { [Symbol.asyncDispose]: () => sql.end() };
    const product = (name: string, delivery: Delivery): Contender => ({
      name,
      process: platform,
      measure: async () => ({ value: await deliver({ operator, sql, receiver }, delivery) }),
    });
    const undici = (delivery: Delivery): Contender => ({
      name: 'undici and two statements',
      process: ceiling,
      measure: async () => ({ value: await postBare({ ceiling, receiver, database }, delivery) }),
    });
    const one = { endpoints: 1, events: alone, hanging: 0 };
    const all = { endpoints: many, events: each, hanging: 0 };
    await compareWith(bench, '1 endpoint', product('product', one), undici(one), 0.6);
    await compareWith(bench, `${many} endpoints`, product('product', all), undici(all), 0.6);
    const disturbed = product('product', { ...all, hanging: 1 });
    const undisturbed = product('none hangs', all);
    await compareWith(bench, `${many} endpoints, one hangs`, disturbed, undisturbed, 0.9);
  },
};

async function compareWith(
  bench: Bench,
  name: string,
  product: Contender,
  other: Contender,
  atLeast: number,
): Promise<void> {
  await bench.compare({ name, product, others: [other], goal: { atLeast } });
}

function pathsOf({ endpoints, hanging }: Delivery): string[] {
  return Array.from({ length: endpoints }, (_, index) => {
    return index < hanging ? `/hang/${index}` : `/hook/${index}`;
  });
}

/** The product at work, and who is posted to. */
interface Delivering {
  readonly operator: Operator;
  /** Its database. */
  readonly sql: postgres.Sql;
  readonly receiver: StartedProcess;
}

/** Deliveries a second of the product. */
async function deliver(
  { operator, sql, receiver }: Delivering,
  delivery: Delivery,
): Promise<number> {
  const urls = pathsOf(delivery).map((path) => receiver.url + path);
  const endpointGuids = await makeEndpoints(operator, urls);
  const { partnerGuid } = operator;
  const events = { partnerGuid, endpointGuids, count: delivery.events, ...eventToSend() };
  const rate = await arrivals(receiver, delivery, () => insertQueuedEvents(sql, events));
  // What still waits for those that hang is given up.
  await archiveAll(operator, endpointGuids.slice(0, delivery.hanging));
  await updateArchived(sql, endpointGuids.slice(delivery.hanging));
  return rate;
}

/** An event as it is sent, by the ceiling too. */
function eventToSend(): { readonly guid: string; readonly body: string } {
  const event = exampleOf({ schema: 'PartnerEvent', array: false }, 'Platform') as PartnerEvent;
  return { guid: event.guid, body: JSON.stringify(event) };
}

/** The ceiling at work, and who is posted to. */
interface Posting {
  readonly ceiling: StartedProcess;
  readonly receiver: StartedProcess;
  readonly database: DatabaseAddress;
}

/** Posts a second of the ceiling. */
async function postBare(
  { ceiling, receiver, database }: Posting,
  delivery: Delivery,
): Promise<number> {
  const paths = pathsOf(delivery);
  const { body } = eventToSend();
  const atOnce = Math.min(AT_ONCE.ofEndpoint, Math.ceil(AT_ONCE.inAll / paths.length));
  const secret = makeSecret();
  const headers = makeTestHeaders({ body, secrets: secret });
  const order: PostOrder = {
    ...{ database, origin: receiver.url, paths, count: delivery.events, atOnce },
    ...{ headers, body, secret },
  };
  return await arrivals(receiver, delivery, async () => {
    const answer = await fetch(ceiling.url, { method: 'POST', body: JSON.stringify(order) });
    await answer.text();
  });
}

/** Arrivals a second at the receiver, while `send` sends what the delivery says. */
async function arrivals(
  receiver: StartedProcess,
  { endpoints, events, hanging }: Delivery,
  send: () => Promise<void>,
): Promise<number> {
  const count = (endpoints - hanging) * events;
  await fetch(`${receiver.url}/control/reset`);
  const all = fetch(`${receiver.url}/control/wait?count=${count}`);
  await send();
  const { arrivedMs } = (await (await all).json()) as { arrivedMs: number[] };
  const [from, to] = [Math.floor(count * MEASURED.from), Math.floor(count * MEASURED.to) - 1];
  const durationMs = (arrivedMs[to] ?? 0) - (arrivedMs[from] ?? 0);
  return ((to - from) * 1000) / durationMs;
}
