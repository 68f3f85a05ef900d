import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { WebhookDeliveryDetails } from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { verify } from '@servery/webhooks';
import { callerOf } from '../../../../tools/verify/crash/caller.ts';
import {
  countItems,
  type OrderedItem,
  orderBody,
} from '../../../../tools/verify/crash/ordered-item.ts';
import { readFaultText } from '../../src/faults/fault.ts';
import type { DemoClientName } from '../../src/sandbox/demo-file.ts';
import { openTestReceiver, type TestReceiver } from '../webhooks/webhook-receiver.ts';
import { type FaultFixture, openFaultFixture, type Seen, until } from './fixture.ts';
import { putPayment } from './lose-answers.ts';

/** What came of a fault that was ordered. */
export interface Tried {
  /** What the partner saw. */
  readonly partner: string;
  /** Null for events, which wait by the clock of the sandbox. */
  readonly latencyMs: number | null;
  /** What the platform and the processor have afterwards. */
  readonly platform: string;
}

/** Where faults are tried. */
export interface TrialStage {
  readonly fixture: FaultFixture;
  readonly receiver: TestReceiver;
  readonly item: OrderedItem;
  close(): Promise<void>;
}

/** Orders the fault; `platform` is what is expected in the end. */
export type Try = (stage: TrialStage, fault: string, platform: string) => Promise<Tried>;

const GIVE_UP_AFTER_MS = 400;
const SETTLED_LIMIT_MS = 20_000;
const MENUS = '/config/v2/menus';
const ITEMS = '/config/v2/menuItems';

export async function openTrialStage(): Promise<TrialStage> {
  const fixture = await openFaultFixture();
  const receiver = await openTestReceiver();
  const { demo, url: server, restaurant } = fixture;
  const [item] = await countItems(callerOf(demo.clients.partner), { server, demo }, [restaurant]);
  assert.ok(item);
  const close = async () => {
    await fixture.close();
    await receiver.close();
  };
  return { fixture, receiver, item, close };
}

/** A payment whose request orders the fault. */
export const tryPayment: Try = ({ fixture }, fault) => payAndLook(fixture, fault);

/** A payment after a rule was added, and what it is after a minute. */
export const tryRule: Try = async ({ fixture }, fault, platform) => {
  await orderFor(fixture, fault, 'partner');
  return await payAndLook(fixture, undefined, platform);
};

async function payAndLook(
  fixture: FaultFixture,
  fault: string | undefined,
  lastly?: string,
): Promise<Tried> {
  const paymentUuid = randomUUID();
  const newHolds = await holdsFromNow(fixture);
  const seen = await timed(fault, (sending) => putPayment(fixture, paymentUuid, sending));
  const look = async () => {
    const state = await stateOf(fixture, paymentUuid);
    return `${state ? `payment ${state}` : 'no payment'}, ${await newHolds()}`;
  };
  if (lastly !== undefined) {
    await fixture.office('POST', '/clock/advance', { duration: 'PT1M' });
    // The other process may have begun some of its work before.
    const limitAt = performance.now() + SETTLED_LIMIT_MS;
    while ((await look()) !== lastly && performance.now() < limitAt) await sleep(50);
  }
  return { ...seen, platform: await look() };
}

/** A payment whose capture is refused, told by the answer to the capture. */
export const tryCapture: Try = async ({ fixture }, fault) => {
  const paymentUuid = randomUUID();
  const newHolds = await holdsFromNow(fixture);
  await putPayment(fixture, paymentUuid);
  const path = `/merchants/${fixture.restaurant}/payments/${paymentUuid}`;
  await fixture.office('POST', `${path}/apply`, { checkGuid: randomUUID() });
  await fixture.office('POST', `${path}/fulfil`);
  await orderFor(fixture, fault, 'partner');
  const seen = await timed(undefined, () =>
    fixture.send('POST', `/backoffice/v1${path}/capture`, { as: 'operator' }),
  );
  const state = await stateOf(fixture, paymentUuid);
  return { ...seen, platform: `payment ${state}, ${await newHolds()}` };
};

async function stateOf(fixture: FaultFixture, paymentUuid: string): Promise<string | null> {
  const path = `/backoffice/v1/merchants/${fixture.restaurant}/payments/${paymentUuid}`;
  const found = await fixture.send('GET', path, { as: 'operator' });
  return found?.status === 200 ? found.body.paymentState : null;
}

/** Tells of the holds that the processor gets after this. */
async function holdsFromNow(fixture: FaultFixture): Promise<() => Promise<string>> {
  const known = new Set((await fixture.holds()).map(({ key }) => key));
  return async () => {
    const made = (await fixture.holds()).filter(({ key }) => !known.has(key));
    const told = made.map((hold) => `hold ${hold.state} ${(hold.amountMinor / 100).toFixed(2)}`);
    return told.join(', ') || 'no hold';
  };
}

/** An order whose request orders the fault. */
export const tryOrder: Try = async ({ fixture, item }, fault) => {
  const externalId = `faults:${randomUUID()}`;
  const leftBefore = await leftOf(fixture, item);
  const body = orderBody(item, externalId, null);
  const path = '/orders/v2/orders';
  const seen = await timed(fault, (sending) => fixture.send('POST', path, { ...sending, body }));
  const found = await fixture.send('GET', `${path}/${externalId}`);
  const sold = leftBefore - (await leftOf(fixture, item));
  const isThere = found?.status === 200;
  return { ...seen, platform: `${isThere ? 'an order' : 'no order'}, ${sold} sold` };
};

async function leftOf(fixture: FaultFixture, { itemGuid }: OrderedItem): Promise<number> {
  const body = { guids: [itemGuid] };
  const found = await fixture.send('POST', '/stock/v1/inventory/search', { body });
  return found?.body[0]?.quantity;
}

/** The second page of a walk, and then a new walk. */
export const tryPublication: Try = async ({ fixture }, fault) => {
  const secondPage = async () => {
    const first = await fixture.send('GET', ITEMS);
    return `${ITEMS}?pageToken=${first?.headers['platform-next-page-token']}`;
  };
  const numberNow = async () =>
    (await fixture.office('GET', `/restaurants/${fixture.restaurant}`)).publishNumber as number;
  const number = await numberNow();
  const page = await secondPage();
  assert.equal((await fixture.send('GET', page))?.status, 200);
  const seen = await timed(fault, (sending) => fixture.send('GET', page, sending));
  const published = (await numberNow()) - number;
  const again = await fixture.send('GET', await secondPage());
  return { ...seen, platform: `${published} publication, a new walk: ${again?.status}` };
};

/** A page, beside what it is without the fault. */
export const tryUnknownValues: Try = async ({ fixture }, fault) => {
  const plain = await fixture.send('GET', MENUS);
  const pages: Seen[] = [];
  const seen = await timed(fault, async (sending) => {
    const page = await fixture.send('GET', MENUS, sending);
    if (page) pages.push(page);
    return page;
  });
  const [known, ...others] = (plain?.body ?? []) as Record<string, unknown>[];
  const [first = {}, ...rest] = (pages[0]?.body ?? []) as Record<string, unknown>[];
  assert.deepEqual(rest, others);
  const odd = Object.keys(first).filter(
    (name) => JSON.stringify(first[name]) !== JSON.stringify(known?.[name]),
  );
  const told = odd.map((name) => (name in (known ?? {}) ? `${first[name]}` : `the field ${name}`));
  const after = await fixture.send('GET', MENUS);
  const isPlain = JSON.stringify(after?.body) === JSON.stringify(plain?.body);
  return {
    ...seen,
    partner: `${seen.partner}: ${told.join(', ')}`,
    platform: `the next page is ${isPlain ? 'plain' : 'not plain'}`,
  };
};

/** So many events, and what arrives of them at first and after each of these moves of the clock. */
export function tryEvents(count: number, moves: readonly string[] = []): Try {
  return async ({ fixture, receiver }, fault) => {
    const { clientId } = fixture.demo.clients.other;
    const path = `/faults/${randomUUID()}`;
    const { endpoint, secret } = await fixture.office('POST', '/webhooks/endpoints', {
      ...{ clientId, url: receiver.url(path), connectTimeoutMs: 10_000, answerTimeoutMs: 30_000 },
      isOrdered: false,
    });
    await fixture.office('POST', '/clock/freeze');
    await orderFor(fixture, fault, 'other');
    const guids: string[] = [];
    const events = new Map<string, string>();
    const took = async () => (await fixture.rules()).rules.at(-1)?.injected;
    for (let number = 1; number <= count; number += 1) {
      const sent = await fixture.office('POST', `/webhooks/endpoints/${endpoint.guid}/test`, {
        eventType: 'partner_added',
      });
      guids.push(sent.guid);
      events.set(sent.eventGuid, `event ${number}`);
      // Otherwise the next event, which is delivered beside it, might take the fault.
      if (number === 1) await until('the fault', took, (injected) => injected === 1);
    }
    const deliveries = () =>
      Promise.all(
        guids.map(async (guid): Promise<WebhookDeliveryDetails> => {
          return await fixture.office('GET', `/webhooks/deliveries/${guid}`);
        }),
      );
    const arrivals: string[] = [];
    let told = 0;
    for (const move of [null, ...moves]) {
      if (move !== null) await fixture.office('POST', '/clock/advance', { duration: move });
      const { now } = await fixture.office('GET', '/clock');
      // What is due at this instant has been attempted.
      const isQuiet = (found: readonly WebhookDeliveryDetails[]) =>
        found.every(({ dueAt }) => dueAt === null || dueAt > now);
      await until('the deliveries', deliveries, isQuiet);
      const arrived = receiver.received.filter((each) => each.path === path).slice(told);
      told += arrived.length;
      const names = arrived.map(({ headers, body }) => {
        const isSound = verify({
          headers: headers as Record<string, string>,
          body,
          secrets: secret,
        });
        const name = events.get(`${headers['webhook-id']}`) ?? 'another event';
        return isSound.isValid ? name : `${name} with a wrong signature`;
      });
      arrivals.push(names.join(' and ') || 'nothing');
    }
    const platform = (await deliveries()).map(({ state, attempts }, at) => {
      const outcomes = attempts
        .map(({ outcome, fault }) => (fault === null ? outcome : `${outcome} (${fault})`))
        .join(' and ');
      return `event ${at + 1} ${state} by ${outcomes}`;
    });
    await fixture.office('POST', '/clock/run');
    return { partner: arrivals.join(', then '), latencyMs: null, platform: platform.join(', ') };
  };
}

async function orderFor(fixture: FaultFixture, fault: string, name: DemoClientName): Promise<void> {
  const client = fixture.demo.clients[name].clientId;
  const read = readFaultText(fault);
  assert.ok(typeof read !== 'string', `the fault ${fault} ${read}`);
  const given = Object.entries(read).filter(([, value]) => value !== null);
  await fixture.office('POST', '/faults', { match: { client }, fault: Object.fromEntries(given) });
}

/** What the partner sees of a request, which may order a fault, and how long it takes. */
async function timed(
  fault: string | undefined,
  send: (sending: { fault?: string; giveUpAfterMs?: number }) => Promise<Seen | null>,
): Promise<Pick<Tried, 'partner' | 'latencyMs'>> {
  const isEndless = fault === 'hang' || fault === 'processorSilent';
  const startedMs = performance.now();
  const seen = await send({
    ...(fault !== undefined && { fault }),
    ...(isEndless && { giveUpAfterMs: GIVE_UP_AFTER_MS }),
  });
  const latencyMs = performance.now() - startedMs;
  const isGivenUp = isEndless && latencyMs >= GIVE_UP_AFTER_MS;
  return {
    partner: seen ? tell(seen) : isGivenUp ? 'no answer' : 'the connection breaks',
    latencyMs,
  };
}

function tell({ status, headers, body, cutAfter }: Seen): string {
  const retry = headers['retry-after'];
  const injected = headers['platform-sandbox-fault'];
  return [
    `${status}`,
    ...(cutAfter === null
      ? []
      : [`cut off after ${cutAfter} of ${headers['content-length']} bytes`]),
    ...(status >= 400 ? [body?.message ?? body?.description] : []),
    ...(body?.paymentState ? [body.paymentState] : []),
    ...(retry === undefined ? [] : [`Retry-After ${retry}`]),
    ...(injected === undefined ? [] : [`fault ${injected}`]),
  ].join(' | ');
}
