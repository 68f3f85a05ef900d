import { exampleOf, type PartnerEvent } from '@servery/contract';
import { makeSecret, makeTestHeaders } from '@servery/webhooks';
import { LOAD_CORE, type StartedProcess, startProcess } from '../processes.ts';
import type { Bench, Contender, Scenario } from '../scenario.ts';
import type { PostOrder } from '../webhooks/ceiling.ts';
import {
  archiveAll,
  fillQueues,
  logIn,
  makeEndpoints,
  type Operator,
  resumeAll,
} from '../webhooks/endpoints.ts';

/** As many attempts as the product makes at once: of one endpoint, and in all. */
const AT_ONCE = { ofEndpoint: 32, inAll: 2_048 };
/** What is measured of the arrivals: the first ones come while endpoints are still resumed. */
const MEASURED = { from: 0.25, to: 0.95 };

/** What is delivered: so many events to each endpoint, of which some never answer. */
interface Delivery {
  readonly endpoints: number;
  readonly events: number;
  readonly hanging: number;
}

/**
 * How many webhooks a second go out: to one endpoint, to 200, and to 200 of which one hangs, beside
 * a bare undici loop that posts the same bodies to the same receiver. What waits is queued first;
 * then all endpoints are resumed at once.
 */
export const scenario: Scenario = {
  name: 'webhooks',
  about: 'deliveries to one endpoint and to 200, beside a bare undici loop',
  async run(bench) {
    const many = bench.effort.isSmoke ? 20 : 200;
    const [alone, each] = bench.effort.isSmoke ? [100, 5] : [6_000, 50];
    await using platform = await bench.startPlatform();
    await using receiver = await startProcess(['bench/src/webhooks/receiver.ts'], {
      cores: LOAD_CORE,
    });
    await using ceiling = await startProcess(['bench/src/webhooks/ceiling.ts']);
    const operator = await logIn(platform);
    const product = (name: string, delivery: Delivery): Contender => ({
      name,
      process: platform,
      measure: async () => ({ value: await deliver(operator, receiver, delivery) }),
    });
    const undici = (delivery: Delivery): Contender => ({
      name: 'undici',
      process: ceiling,
      measure: async () => ({ value: await postBare(ceiling, receiver, delivery) }),
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

/** Deliveries a second of the product. */
async function deliver(
  operator: Operator,
  receiver: StartedProcess,
  delivery: Delivery,
): Promise<number> {
  const urls = pathsOf(delivery).map((path) => receiver.url + path);
  const endpoints = await makeEndpoints(operator, urls);
  await fillQueues(operator, endpoints, delivery.events);
  const rate = await arrivals(receiver, delivery, () => resumeAll(operator, endpoints));
  await archiveAll(operator, endpoints);
  return rate;
}

/** Posts a second of the bare loop. */
async function postBare(
  ceiling: StartedProcess,
  receiver: StartedProcess,
  delivery: Delivery,
): Promise<number> {
  const paths = pathsOf(delivery);
  const event = exampleOf({ schema: 'PartnerEvent', array: false }, 'Platform') as PartnerEvent;
  const body = JSON.stringify(event);
  const atOnce = Math.min(AT_ONCE.ofEndpoint, Math.ceil(AT_ONCE.inAll / paths.length));
  const headers = makeTestHeaders({ body, secrets: makeSecret() });
  const order: PostOrder = {
    ...{ origin: receiver.url, paths, count: delivery.events, atOnce, headers, body },
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
