import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { exampleOf, type PartnerEvent } from '@servery/contract';
import { makeSecret, makeTestHeaders } from '@servery/webhooks';
import { pinToCore } from './load.ts';
import { startPinned, startPlatform, stopChild } from './platform.ts';
import type { PostOrder } from './webhooks/ceiling.ts';
import {
  archiveAll,
  fillQueues,
  logIn,
  makeEndpoints,
  type Operator,
  resumeAll,
} from './webhooks/endpoints.ts';

/**
 * How many webhooks a second go out: to one endpoint, to 200, and to 200 of which one hangs, beside
 * a bare undici loop that posts the same bodies to the same receiver. What waits is queued first;
 * then all endpoints are resumed at once. `node bench/src/webhooks.ts`, with `--smoke` for a few,
 * or the names of scenarios such as `"1 endpoint"`.
 */
const GOAL = 0.6;
/** The least rate of the others while one endpoint hangs, as a share of that without it. */
const LEAST_BESIDE_HANGING = 0.9;
const LOAD_CORE = 1;
/** As many attempts as the product makes at once: of one endpoint, and in all. */
const AT_ONCE = { ofEndpoint: 32, inAll: 2_048 };
/** What is measured of the arrivals: the first ones come while endpoints are still resumed. */
const MEASURED = { from: 0.25, to: 0.95 };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { smoke: { type: 'boolean', default: false } },
});
const rounds = values.smoke ? 1 : 3;

interface Scenario {
  readonly name: string;
  readonly endpoints: number;
  readonly events: number;
  readonly hanging: number;
}

const many = values.smoke ? 20 : 200;
const [alone, each] = values.smoke ? [100, 5] : [6_000, 50];
const scenarios: readonly Scenario[] = [
  { name: '1 endpoint', endpoints: 1, events: alone, hanging: 0 },
  { name: `${many} endpoints`, endpoints: many, events: each, hanging: 0 },
  { name: `${many} endpoints, one hangs`, endpoints: many, events: each, hanging: 1 },
];

await pinToCore(process.pid, Math.min(LOAD_CORE, cpus().length - 1));
const platform = await startPlatform({ SERVERY_WEBHOOK_LOOPBACK: 'yes' });
const receiver = await startPinned(['bench/src/webhooks/receiver.ts']);
const ceiling = await startPinned(['bench/src/webhooks/ceiling.ts']);
await pinToCore(receiver.child.pid ?? 0, Math.min(LOAD_CORE, cpus().length - 1));
try {
  const operator = await logIn(platform.url, platform.dataDir);
  const rates = new Map<string, number>();
  for (const scenario of scenarios) {
    if (positionals.length > 0 && !positionals.includes(scenario.name)) continue;
    const product: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      product.push(await deliver(operator, scenario));
      bare.push(await postBare(scenario));
      const [own, other] = [product, bare].map((all) => Math.round(all.at(-1) ?? 0));
      process.stdout.write(`${scenario.name}: ${own}/s, undici ${other}/s\n`);
    }
    const rate = median(product);
    const ratio = rate / median(bare);
    rates.set(scenario.name, rate);
    process.stdout.write(
      `webhooks, ${scenario.name}: ratio ${ratio.toFixed(3)}, goal ${GOAL} ${met(ratio, GOAL)}; ` +
        `product ${span(product)}, undici ${span(bare)}\n`,
    );
  }
  const [undisturbed, beside] = scenarios.slice(1).map(({ name }) => rates.get(name));
  if (undisturbed !== undefined && beside !== undefined) {
    const share = beside / undisturbed;
    process.stdout.write(
      `webhooks, others while one hangs: ratio ${share.toFixed(3)}, ` +
        `goal ${LEAST_BESIDE_HANGING} ${met(share, LEAST_BESIDE_HANGING)}\n`,
    );
  }
} finally {
  await Promise.all([platform.stop(), stopChild(receiver.child), stopChild(ceiling.child)]);
}

function pathsOf({ endpoints, hanging }: Scenario): string[] {
  return Array.from({ length: endpoints }, (_, index) => {
    return index < hanging ? `/hang/${index}` : `/hook/${index}`;
  });
}

/** Deliveries a second of the product. */
async function deliver(operator: Operator, scenario: Scenario): Promise<number> {
  const paths = pathsOf(scenario);
  const endpoints = await makeEndpoints(
    operator,
    paths.map((path) => receiver.url + path),
  );
  await fillQueues(operator, endpoints, scenario.events);
  const rate = await measure(scenario, () => resumeAll(operator, endpoints));
  await archiveAll(operator, endpoints);
  return rate;
}

/** Posts a second of the bare loop. */
async function postBare(scenario: Scenario): Promise<number> {
  const paths = pathsOf(scenario).filter((path) => !path.startsWith('/hang'));
  const event = exampleOf({ schema: 'PartnerEvent', array: false }, 'Platform') as PartnerEvent;
  const body = JSON.stringify(event);
  const atOnce = Math.min(AT_ONCE.ofEndpoint, Math.ceil(AT_ONCE.inAll / paths.length));
  const headers = makeTestHeaders({ body, secrets: makeSecret() });
  const order: PostOrder = {
    ...{ origin: receiver.url, paths, count: scenario.events, atOnce, headers, body },
  };
  return await measure(scenario, async () => {
    const text = JSON.stringify(order);
    const answer = await fetch(ceiling.url, { method: 'POST', body: text });
    await answer.text();
  });
}

/** Arrivals a second at the receiver, while `send` sends what the scenario says. */
async function measure(scenario: Scenario, send: () => Promise<void>): Promise<number> {
  const { endpoints, events, hanging } = scenario;
  const count = (endpoints - hanging) * events;
  await fetch(`${receiver.url}/control/reset`);
  const all = fetch(`${receiver.url}/control/wait?count=${count}`);
  await send();
  const { arrivedMs } = (await (await all).json()) as { arrivedMs: number[] };
  const [from, to] = [Math.floor(count * MEASURED.from), Math.floor(count * MEASURED.to) - 1];
  const durationMs = (arrivedMs[to] ?? 0) - (arrivedMs[from] ?? 0);
  return ((to - from) * 1000) / durationMs;
}

function median(rates: readonly number[]): number {
  return [...rates].sort((a, b) => a - b)[Math.floor(rates.length / 2)] ?? Number.NaN;
}

function span(rates: readonly number[]): string {
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  return `${Math.round(median(rates))}/s (${Math.round(least)}–${Math.round(most)})`;
}

function met(ratio: number, goal: number): string {
  return ratio >= goal ? 'met' : 'missed';
}
