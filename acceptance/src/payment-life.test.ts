import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { BackOfficeOrderPage, Order } from '@servery/contract';
import { Agent, request } from 'undici';
import {
  askForMove,
  type BackOfficePayment,
  type ClockMove,
  callMove,
  cardNamed,
  type DoneWork,
  moveClock,
  type OrdersMove,
  type PaymentKey,
  type PayOptions,
  payFor,
  readClock,
  readEvents,
  readPayment,
  statesOf,
  until,
} from './back-office.ts';
import { BackOfficeStock } from './back-office-stock.ts';
import { DemoCallers } from './client.ts';
import { nightsAfter, TABLE_ZONE } from './daylight-saving.ts';
import type { DemoTestCard } from './demo.ts';
import { type Inventory, itemGuids, openRestaurants } from './fixtures.ts';
import { expectedOperation } from './operations.ts';
import { authorize, cardWithOutcome, type PaymentBody, paymentBody } from './payment.ts';
import { endServer, RAISED_LIMITS, startPlatform } from './platform.ts';
import { messageOf, nth } from './values.ts';

// A platform of its own, whose clock stands still but where a test moves it. The tests run in their
// order: time only goes forward, and who counts payments first lets those of the others end.
const settings = RAISED_LIMITS;
let platform = await startPlatform({ settings, flags: ['--tls-dev', '--tls-port', '0'] });
after(() => platform.stop());

const { dataDir, demo } = platform;
const [merchant, second, third = second] = openRestaurants(demo);
const AMOUNT = 10.5;
const TIP = 1.5;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MS = 7 * DAY_MS;
/** A second, and as long as a busy machine may hold all processes in between. */
const HELD_MS = 30_000;

/** The demo accounts, with tokens of the clock's present: a token lives by that clock too. */
let callers = new DemoCallers(platform);

/** Moves the clock as the operator, and logs all accounts in again. */
async function move(how: Parameters<typeof moveClock>[1]): Promise<ClockMove> {
  try {
    return await moveClock(await callers.as('operator'), how);
  } finally {
    callers = new DemoCallers(platform);
  }
}

const clock = async () => readClock(await callers.as('operator'));
/** Nights that lie ahead of what the tests before them do. */
const nights = nightsAfter(Date.parse((await clock()).now) + 9 * DAY_MS);
const pay = (options?: PayOptions) => payFor(callers, options);
const read = (key: PaymentKey) => readPayment(callers, key);
const stateOf = async (key: PaymentKey) => (await read(key)).paymentState;
const shifted = (instant: string | null, ms: number) =>
  new Date(Date.parse(String(instant)) + ms).toISOString();

/** The work that a move did on one payment, as `FROM cause TO`. */
const workOn = ({ done }: ClockMove, { paymentUuid }: PaymentKey): DoneWork[] =>
  done.filter((work) => work.paymentUuid === paymentUuid);
const changesIn = (work: readonly DoneWork[]) =>
  work.map(({ fromState, toState }) => `${fromState} ${toState}`);

/** Repeats the PUT of a payment that may have been made by another body. */
async function repeat(key: PaymentKey, body: PaymentBody, status: number) {
  const partner = await callers.as('partner');
  return authorize(partner, status, key.merchantGuid, body, key.paymentUuid);
}

test('start: demo.json is for its owner alone, and the ready line names the address', async () => {
  const { mode } = await stat(platform.demoPath);
  assert.equal((mode & 0o777).toString(8), '600');
  assert.equal(platform.demo.baseUrl.replace(/\/$/, ''), platform.baseUrl);
  assert.match(platform.output(), /curl /, 'a first call to copy');
  for (const { clientSecret } of Object.values(platform.demo.clients)) {
    assert.ok(clientSecret.length >= 32);
  }
});

test('start: with --tls-dev the same platform answers by https', async () => {
  const { tlsUrl } = platform.demo;
  assert.match(String(tlsUrl), /^https:\/\//);
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  const answer = await request(`${tlsUrl}/healthz`, { dispatcher });
  assert.equal(answer.statusCode, 200);
  await answer.body.dump();
  await dispatcher.close();
});

test('backOffice.orders.list 200 ORD-69: the demo group has an order of each state', async () => {
  const operator = await callers.as('operator');
  const found: Order[] = [];
  for (const restaurantGuid of openRestaurants(demo)) {
    const params = { restaurantGuid };
    const { json } = await operator.call('backOffice.orders.list', 200, { params });
    found.push(...(json as BackOfficeOrderPage).results.map(({ order }) => order));
  }
  const states = (of: (order: Order) => unknown) => [...new Set(found.flatMap(of))].sort();
  const checks = (order: Order) => order.checks;
  assert.deepEqual(
    states(({ guestOrderStatus }) => guestOrderStatus),
    ['CLOSED', 'IN_PREPARATION', 'READY_FOR_PICKUP', 'RECEIVED', 'VOIDED'],
  );
  assert.deepEqual(
    states(({ approvalStatus }) => approvalStatus),
    ['APPROVED', 'FUTURE', 'NEEDS_APPROVAL', 'NOT_APPROVED'],
  );
  assert.deepEqual(
    states((order) => checks(order).map(({ paymentStatus }) => paymentStatus)),
    ['CLOSED', 'OPEN', 'PAID'],
  );
  const payments = found.flatMap(checks).flatMap((check) => check.payments);
  assert.deepEqual(payments.map(({ type, paymentStatus }) => `${type} ${paymentStatus}`).sort(), [
    'CASH CAPTURED',
    'CREDIT AUTHORIZED',
    'CREDIT CAPTURED',
    'OTHER VOIDED',
  ]);
  assert.equal(states(({ businessDate }) => businessDate).length >= 2, true);
});

test('backOffice.clock.next 200: when nothing waits, the clock stays where it is', async () => {
  await move('freeze');
  // The demo orders wait for approval, for their day to end, and for tomorrow.
  while ((await clock()).nextDeadline !== null) await move('next');
  const before = await clock();
  assert.equal(before.mode, 'FROZEN');
  const { clock: afterwards, done } = await move('next');
  assert.deepEqual([afterwards.now, done], [before.now, []]);
  assert.equal((await clock()).now, before.now, 'a clock that stands still does not go by');
});

test('creditCards.authorize 200 409 PAY-I3 PAY-7: unapplied for five minutes it is voided', async () => {
  const body = await paymentBody(demo);
  const payment = await pay({ body });
  const { authorizedAt, applyDeadline, nextDeadline } = payment;
  assert.equal(payment.paymentState, 'AUTHORIZED');
  assert.equal(authorizedAt, (await clock()).now);
  assert.equal(applyDeadline, shifted(authorizedAt, 5 * MINUTE_MS));
  assert.deepEqual(nextDeadline, { at: applyDeadline, action: 'VOID' });
  assert.deepEqual(workOn(await move({ advance: 'PT4M59.999S' }), payment), []);
  assert.equal(await stateOf(payment), 'AUTHORIZED', 'deadlines never act early');
  await repeat(payment, body, 200);

  const work = workOn(await move({ advance: 'PT0.001S' }), payment);
  assert.deepEqual(changesIn(work), ['AUTHORIZED VOID_PENDING', 'VOID_PENDING VOIDED']);
  assert.ok(work.every(({ at }) => at === applyDeadline));
  const voided = await read(payment);
  assert.deepEqual(
    [voided.paymentState, voided.legalMoves, voided.nextDeadline],
    ['VOIDED', [], null],
  );
  const events = await readEvents(callers, payment);
  assert.deepEqual(
    events.map(({ toState }) => toState),
    ['PENDING', 'AUTHORIZED', 'VOID_PENDING', 'VOIDED'],
  );
  assert.equal(events[2]?.occurredAt, applyDeadline);
  await repeat(payment, body, 409);
});

test('backOffice.payments.apply 200 PAY-I3: uncaptured for seven days it is voided', async () => {
  const payment = await pay();
  const applied = await callMove(callers, payment, 'apply');
  const deadline = shifted(payment.authorizedAt, WEEK_MS);
  assert.deepEqual(applied.nextDeadline, { at: deadline, action: 'VOID' });
  assert.equal(applied.captureDeadline, deadline);
  assert.deepEqual(workOn(await move({ advance: 'PT5M' }), payment), [], 'a check took it');
  const early = await move({ set: shifted(deadline, -1) });
  assert.deepEqual(workOn(early, payment), []);
  assert.equal(await stateOf(payment), 'APPLIED');
  const work = workOn(await move({ advance: 'P1D' }), payment);
  assert.deepEqual(changesIn(work), ['APPLIED VOID_PENDING', 'VOID_PENDING VOIDED']);
  assert.ok(work.every(({ at }) => at === deadline));
});

test('backOffice.clock.advance 200 401: a day on, the token of who moved it is over', async () => {
  const operator = await callers.as('operator');
  await move({ advance: 'P1DT1S' });
  await operator.call('backOffice.clock.get', 401);
});

const bar = demo.restaurants.find(({ timeZone }) => timeZone === TABLE_ZONE);

for (const [index, night] of nights.entries()) {
  test(`backOffice.payments.fulfil 200: ${night.name}: captured at 04:00 (${index})`, async () => {
    assert.ok(bar, `the demo group has a restaurant in ${TABLE_ZONE}`);
    const { guid } = bar;
    await move({ set: shifted(night.fulfilledAt, -MINUTE_MS) });
    const partner = await callers.as('partner');
    const params = { restaurantGUID: guid };
    const info = await partner.call('restaurants.get', 200, { restaurant: guid, params });
    const { general } = info.json as { general: { closeoutHour: number; timeZone: string } };
    assert.deepEqual([general.closeoutHour, general.timeZone], [4, TABLE_ZONE]);

    const payment = await pay({ merchant: guid });
    await callMove(callers, payment, 'apply');
    await move({ set: night.fulfilledAt });
    const { captureAt, nextDeadline } = await callMove(callers, payment, 'fulfil');
    assert.equal(captureAt, night.closeOutAt);
    assert.deepEqual(nextDeadline, { at: night.closeOutAt, action: 'CAPTURE' });
    assert.deepEqual(workOn(await move({ set: shifted(captureAt, -1) }), payment), []);
    assert.equal(await stateOf(payment), 'CAPTURE_SCHEDULED');
    const work = workOn(await move({ advance: 'PT6H' }), payment);
    assert.deepEqual(changesIn(work), [
      'CAPTURE_SCHEDULED CAPTURE_PENDING',
      'CAPTURE_PENDING CAPTURED',
    ]);
    assert.ok(work.every(({ at }) => at === night.closeOutAt));
    const captured = await read(payment);
    assert.equal(captured.capturedAmount, AMOUNT + TIP);
    assert.deepEqual([captured.nextDeadline, captured.legalMoves], [null, []]);
  });
}

test('backOffice.payments.fulfil 200: the close-out itself belongs to the next day', async () => {
  assert.ok(bar);
  const { now } = await clock();
  const [{ closeOutAt }] = nightsAfter(Date.parse(now));
  await move({ set: shifted(closeOutAt, -MINUTE_MS) });
  const payments = await Promise.all([1, 2].map(() => pay({ merchant: bar.guid })));
  for (const payment of payments) await callMove(callers, payment, 'apply');
  const [before, at] = [nth(payments, 0, 'payment'), nth(payments, 1, 'payment')];
  await move({ set: shifted(closeOutAt, -1) });
  assert.equal((await callMove(callers, before, 'fulfil')).captureAt, closeOutAt);
  await move({ set: closeOutAt });
  assert.equal(await stateOf(before), 'CAPTURED');
  const { captureAt } = await callMove(callers, at, 'fulfil');
  assert.equal(captureAt, shifted(closeOutAt, DAY_MS));
  assert.equal((await callMove(callers, at, 'capture')).paymentState, 'CAPTURED');
});

const ALL_MOVES: readonly OrdersMove[] = ['apply', 'fulfil', 'void', 'capture', 'tip'];

/** Where some moves lead, what is legal there, and which of the others are harmless repeats. */
const places: readonly {
  readonly state: string;
  readonly after: readonly OrdersMove[];
  readonly card?: RegExp;
  readonly legal: readonly OrdersMove[];
  readonly repeats: readonly OrdersMove[];
}[] = [
  { state: 'AUTHORIZED', after: [], legal: ['apply', 'void'], repeats: [] },
  { state: 'APPLIED', after: ['apply'], legal: ['fulfil', 'void', 'tip'], repeats: ['apply'] },
  {
    state: 'CAPTURE_SCHEDULED',
    after: ['apply', 'fulfil'],
    legal: ['capture', 'tip'],
    repeats: ['apply', 'fulfil'],
  },
  {
    state: 'CAPTURED',
    after: ['apply', 'fulfil', 'capture'],
    legal: [],
    repeats: ['apply', 'fulfil', 'capture'],
  },
  {
    state: 'CAPTURED',
    after: ['apply', 'tip', 'fulfil', 'capture'],
    legal: [],
    repeats: ['apply', 'fulfil', 'capture', 'tip'],
  },
  { state: 'VOIDED', after: ['void'], legal: [], repeats: ['void'] },
  { state: 'VOIDED', after: ['apply', 'void'], legal: [], repeats: ['void'] },
  { state: 'REVIEW', after: ['void'], card: /a void is declined/, legal: [], repeats: ['void'] },
  {
    state: 'REVIEW',
    after: ['apply', 'void'],
    card: /finds it captured already/,
    legal: [],
    repeats: ['void'],
  },
  {
    state: 'REVIEW',
    after: ['apply', 'fulfil', 'capture'],
    card: /the capture is declined/,
    legal: [],
    repeats: [],
  },
  { state: 'DENIED', after: [], card: /Declined 51/, legal: [], repeats: [] },
];

for (const { state, after: before, card, legal, repeats } of places) {
  const way = before.length > 0 ? ` by ${before.join(', ')}` : '';
  test(`backOffice.payments.void 200 409: ${state}${way}: what is legal`, async () => {
    const payment = await pay(card ? { card: cardNamed(callers, card) } : {});
    for (const each of before) await callMove(callers, payment, each);
    const there = await read(payment);
    assert.equal(there.paymentState, state);
    assert.deepEqual([...there.legalMoves].sort(), [...legal].sort());
    for (const each of ALL_MOVES.filter((name) => !legal.includes(name))) {
      if (repeats.includes(each)) {
        assert.deepEqual(await callMove(callers, payment, each), there, `${each} again`);
        continue;
      }
      const message = messageOf(await askForMove(callers, payment, each, 409));
      const named = ALL_MOVES.filter((name) => new RegExp(`\\b${name}\\b`).test(message));
      assert.deepEqual(
        named.filter((name) => name !== each),
        legal,
        message,
      );
      assert.ok(message.includes(state), message);
    }
    assert.deepEqual(await read(payment), there, 'what was refused changed nothing');
  });
}

test('backOffice.payments.apply 200 409: of many checks at once one wins', async () => {
  const { merchantGuid: merchantUuid, paymentUuid } = await pay();
  const orders = await callers.as('orders');
  const checks = Array.from({ length: 16 }, () => randomUUID());
  const params = { merchantUuid, paymentUuid };
  const operation = expectedOperation('backOffice.payments.apply');
  const apply = (checkGuid: string) => orders.send(operation, { params, json: { checkGuid } });
  const answers = await Promise.all(checks.map(apply));
  const winners = checks.filter((_, index) => answers[index]?.status === 200);
  assert.equal(winners.length, 1);
  assert.ok(answers.every(({ status }) => status === 200 || status === 409));
  const { checkGuid, version } = await read({ merchantGuid: merchantUuid, paymentUuid });
  assert.deepEqual([checkGuid, version], [winners[0], 3]);
});

test('backOffice.payments.void 409: past its deadline no move is legal', async () => {
  // Two processes may differ by the time that the work takes: a frozen clock shows the instant.
  const payment = await pay();
  const moved = await move({ set: String(payment.applyDeadline) });
  assert.deepEqual(changesIn(workOn(moved, payment)).at(-1), 'VOID_PENDING VOIDED');
  for (const each of ALL_MOVES) await askForMove(callers, payment, each, 409);
});

/** Test cards whose first answer is not the last word, but for those that take 15 seconds. */
function unsettledCards(): DemoTestCard[] {
  return demo.testCards.filter(
    ({ outcome, name }) =>
      (outcome === 'ACKNOWLEDGED' || outcome === 'ERROR') && !/no response in time/.test(name),
  );
}

interface Unsettled {
  readonly card: DemoTestCard;
  readonly body: PaymentBody;
  readonly payment: BackOfficePayment;
}

/** What the PUT of a payment answers once it is in that state; null for a conflict. */
const wireStates: Readonly<Record<string, string | null>> = {
  AUTHORIZED: 'AUTHORIZED',
  DENIED: 'DENIED',
  REVERSED: 'DENIED',
  REVIEW: null,
};

async function payUnsettled(card: DemoTestCard): Promise<Unsettled> {
  const body = await paymentBody(demo, { card });
  return { card, body, payment: await pay({ body, status: card.status ?? 200 }) };
}

test('creditCards.authorize 200 409 PAY-8: unknown outcomes settle as the cards say', async () => {
  const cards = unsettledCards();
  assert.ok(cards.length >= 10, 'the sandbox has cards for unknown outcomes');
  const all = await Promise.all(cards.map(payUnsettled));
  const open = new Set(all);
  for (let seconds = 0; open.size > 0 && seconds < 290; seconds += 10) {
    await move({ advance: 'PT10S' });
    for (const each of open) {
      if ((await stateOf(each.payment)) === each.card.settles) open.delete(each);
    }
  }
  const late = [...open].map(({ card }) => `${card.name} is not ${card.settles}`);
  assert.deepEqual(late, [], 'before the apply deadline');
  for (const { card, body, payment } of all) {
    const events = await readEvents(callers, payment);
    assert.equal(events[0]?.toState, 'PENDING', card.name);
    const wire = wireStates[card.settles];
    if (wire === undefined) continue;
    const answer = await repeat(payment, body, wire === null ? 409 : 200);
    const { paymentState, error } = answer.json as { paymentState?: string; error?: string };
    if (wire !== null) assert.equal(paymentState, wire, card.name);
    if (card.settles === 'REVERSED') assert.ok(error, `${card.name} shows an error`);
  }
});

test('creditCards.authorize 200 PAY-8: what is lost is found, what is late reversed', async () => {
  const lost = await payUnsettled(cardNamed(callers, /^Money held, response lost at once$/));
  assert.equal((await read(lost.payment)).attempt, 1);
  const settled = () => stateOf(lost.payment);
  await until('the inquiry', settled, (state) => state === 'AUTHORIZED');
  assert.deepEqual(await statesOf(callers, lost.payment), ['PENDING', 'UNKNOWN', 'AUTHORIZED']);
  const { authorizedAt, applyDeadline } = await read(lost.payment);
  assert.equal(applyDeadline, shifted(authorizedAt, 5 * MINUTE_MS));

  const { payment } = await payUnsettled(cardNamed(callers, /when nobody expects it/));
  for (let steps = 0; steps < 30 && (await stateOf(payment)) !== 'REVERSED'; steps += 1) {
    await move({ advance: 'PT10S' });
  }
  const states = await statesOf(callers, payment);
  assert.deepEqual(states.slice(0, 3), ['PENDING', 'UNKNOWN', 'ABORTED']);
  assert.deepEqual(states.slice(3), ['REVERSAL_PENDING', 'REVERSED']);
});

test('creditCards.authorize 500 200 PAY-7: what was surely not processed is tried again', async () => {
  const card = cardNamed(callers, /approved when repeated/);
  const { payment, body } = await payUnsettled(card);
  assert.deepEqual([payment.paymentState, payment.attempt], ['ABORTED', 1]);
  await repeat(payment, body, 200);
  const { paymentState, attempt } = await read(payment);
  assert.deepEqual([paymentState, attempt], ['AUTHORIZED', 2]);
});

test('backOffice.payments.capture 200: without an answer it is asked for again', async () => {
  const names = [/first void is not answered/, /first void is not processed/];
  const captures = [/first capture is not answered/, /first capture is not processed/];
  const finish = async (card: RegExp, moves: readonly OrdersMove[]) => {
    const payment = await pay({ card: cardNamed(callers, card) });
    let reached = payment.paymentState;
    for (const each of moves) reached = (await callMove(callers, payment, each)).paymentState;
    return { payment, reached };
  };
  const all = await Promise.all([
    ...names.map((card) => finish(card, ['void'])),
    ...captures.map((card) => finish(card, ['apply', 'fulfil', 'capture'])),
  ]);
  assert.deepEqual(
    all.map(({ reached }) => reached),
    ['VOID_PENDING', 'VOID_PENDING', 'CAPTURE_PENDING', 'CAPTURE_PENDING'],
  );
  await move({ advance: 'PT1M' });
  const states = await Promise.all(all.map(({ payment }) => stateOf(payment)));
  assert.deepEqual(states, ['VOIDED', 'VOIDED', 'CAPTURED', 'CAPTURED']);
});

test('backOffice.clock.next 200: it goes from deadline to deadline', async () => {
  const one = await pay();
  await move({ advance: 'PT1M' });
  const other = await pay({ merchant: second });
  const stops: string[] = [];
  for (let steps = 0; steps < 50 && (await stateOf(other)) !== 'VOIDED'; steps += 1) {
    const { nextDeadline } = await clock();
    assert.ok(nextDeadline);
    const moved = await move('next');
    assert.equal(moved.clock.now, nextDeadline.at);
    // Housekeeping is no deadline: it is done on the way.
    const changes = moved.done.filter(({ toState }) => toState !== null);
    assert.ok(changes.every(({ at }) => at === nextDeadline.at));
    stops.push(nextDeadline.at);
  }
  assert.ok(stops.includes(String(one.applyDeadline)));
  assert.equal(stops.at(-1), other.applyDeadline);
  assert.deepEqual(stops, [...new Set(stops)].sort());
});

test('backOffice.clock.advance 200: all restaurants’ work is in the order of time', async () => {
  const places = [merchant, second, third];
  const made: BackOfficePayment[] = [];
  for (let index = 0; index < 9; index += 1) {
    made.push(await pay({ merchant: nth(places, (index * 2) % 3, 'restaurant') }));
    await move({ advance: 'PT7.5S' });
  }
  const deadlines = new Map(made.map((each) => [each.paymentUuid, String(each.applyDeadline)]));
  const applied = nth(made, 4, 'payment');
  await callMove(callers, applied, 'apply');
  deadlines.set(applied.paymentUuid, String(applied.captureDeadline));
  const captured = nth(made, 7, 'payment');
  await callMove(callers, captured, 'apply');
  const { captureAt } = await callMove(callers, captured, 'fulfil');
  deadlines.set(captured.paymentUuid, String(captureAt));

  const { done, clock: stands } = await move({ advance: 'P8D' });
  const ours = done.filter(({ paymentUuid }) => deadlines.has(String(paymentUuid)));
  assert.deepEqual(
    done.map(({ at }) => at),
    done.map(({ at }) => at).sort(),
  );
  assert.equal(ours.length, 2 * made.length, 'each is begun and acknowledged, once');
  assert.equal(new Set(ours.map(({ merchantGuid }) => merchantGuid)).size, new Set(places).size);
  for (const { at, paymentUuid } of ours) assert.equal(at, deadlines.get(String(paymentUuid)));
  for (const each of made) {
    const events = await readEvents(callers, each);
    const last = events.slice(-2).map(({ occurredAt }) => occurredAt);
    const deadline = deadlines.get(each.paymentUuid);
    assert.deepEqual(last, [deadline, deadline], 'each at its own instant');
  }
  assert.equal(stands.now, (await clock()).now);
});

test('backOffice.clock.set 200: it may go back, which undoes nothing', async () => {
  const over = await pay();
  await callMove(callers, over, 'void');
  const open = await pay();
  const { now } = await clock();
  const moved = await move({ set: shifted(now, -60 * MINUTE_MS) });
  assert.deepEqual([moved.clock.now, moved.done], [shifted(now, -60 * MINUTE_MS), []]);
  assert.deepEqual([await stateOf(over), await stateOf(open)], ['VOIDED', 'AUTHORIZED']);
  assert.equal((await read(open)).applyDeadline, open.applyDeadline);
  await move({ set: now });
});

/** The stock of the first restaurant, and one of its items whose name no other has. */
async function stockItem(index: number) {
  const stock = await openStock();
  const all = await stock.list();
  const items = all.filter(({ name }) => all.filter((each) => each.name === name).length === 1);
  return { stock, item: nth(items, index, 'item') };
}

const openStock = () => BackOfficeStock.open(callers);

/** What the partner sees of an item. */
async function seen(guid: string): Promise<Inventory | undefined> {
  const partner = await callers.as('partner');
  const answer = await partner.call('stock.search', 200, {
    restaurant: merchant,
    json: { guids: [guid] },
  });
  return (answer.json as Inventory[])[0];
}

test('backOffice.stock.set 200: 86 until tomorrow, and it comes back by itself', async () => {
  // The payments of other tests are over.
  while ((await clock()).nextDeadline !== null) await move('next');
  const { stock, item } = await stockItem(0);
  const [out] = await stock.set({ name: item.name, status: 'OUT_OF_STOCK', until: 'closeOut' });
  assert.ok(out?.until);
  assert.equal((await seen(item.guid))?.status, 'OUT_OF_STOCK');
  assert.equal(
    (await stock.list({ status: 'OUT_OF_STOCK' })).some(({ guid }) => guid === item.guid),
    true,
  );
  const { clock: moved, done } = await move('next');
  assert.equal(moved.now, out.until);
  const work = { at: out.until, kind: 'stock', merchantGuid: merchant, paymentUuid: null };
  const none = { fromState: null, cause: null, toState: null, webhook: null };
  assert.deepEqual(done, [{ ...work, ...none }]);
  assert.equal((await seen(item.guid))?.status, 'IN_STOCK');
  const [restored, set] = await (await openStock()).history({ item: item.guid });
  assert.deepEqual(
    [restored?.cause, restored?.by, restored?.at],
    ['RESTORED', 'system:clock', out.until],
  );
  assert.deepEqual([set?.cause, set?.by], ['SET', demo.clients.operator.clientId]);
});

test('backOffice.stock.set 200: what a partner sets later is not undone by the clock', async () => {
  const { stock, item } = await stockItem(1);
  await stock.set({ guid: item.guid, status: 'OUT_OF_STOCK', until: 'closeOut' });
  const json = [{ guid: item.guid, status: 'QUANTITY', quantity: 7 }];
  await (await callers.as('partner')).call('stock.update', 200, { restaurant: merchant, json });
  const { done } = await move({ advance: 'P2D' });
  assert.ok(done.every(({ kind }) => kind !== 'stock'));
  assert.equal((await seen(item.guid))?.quantity, 7);
  const later = await openStock();
  const [change] = await later.history({ item: item.guid });
  const { clientId } = demo.clients.partner;
  assert.deepEqual([change?.by, change?.cause], [clientId, 'SET']);
  assert.ok(change?.byName);
  assert.deepEqual(await later.history({ item: item.guid, by: clientId }), [change]);
});

test('backOffice.stock.undo 200 409: undone while the item is as it was left', async () => {
  const { stock, item } = await stockItem(2);
  const [out] = await stock.set({ guid: item.guid, status: 'OUT_OF_STOCK' });
  const change = String(out?.lastChange?.guid);
  const ranOut = async () => {
    const { results } = (await stock.ranOut()) as { results: { itemGuid: string }[] };
    return results.some(({ itemGuid }) => itemGuid === item.guid);
  };
  assert.equal(await ranOut(), true);
  await stock.undo(change);
  assert.equal((await seen(item.guid))?.status, 'IN_STOCK');
  assert.equal(await ranOut(), false, 'it never did');
  await (await callers.as('partner')).call('stock.update', 200, {
    ...{ restaurant: merchant, json: [{ guid: item.guid, status: 'QUANTITY', quantity: 3 }] },
  });
  const params = { restaurantGuid: merchant, changeGuid: change };
  const refused = await (await callers.as('operator')).call('backOffice.stock.undo', 409, {
    params,
  });
  assert.match(messageOf(refused), /it is QUANTITY 3 now/);
});

test('backOffice.stock.set 422: a list with a fault changes nothing', async () => {
  const { item } = await stockItem(3);
  const params = { restaurantGuid: merchant };
  const changes = [
    { guid: item.guid, status: 'OUT_OF_STOCK' },
    { sku: 'no such thing', status: 'OUT_OF_STOCK' },
    { guid: item.guid, status: 'QUANTITY', quantity: -1 },
  ];
  const refused = await (await callers.as('operator')).call('backOffice.stock.set', 422, {
    params,
    json: { changes },
  });
  const { errors } = refused.json as { errors: { message: string }[] };
  assert.equal(errors.length, 2, 'all faults at once');
  assert.equal((await seen(item.guid))?.status, item.status);
});

/** A number of no card, with a right check digit, that nothing else writes. */
const CANARY_NUMBER = '4111119706581937';
const canaries: string[] = [];
/** What each server of the folder has written. */
const outputs: (() => string)[] = [];

test('backOffice.clock.get 200: after kill -9 nothing acknowledged is lost, nor where the clock is', async () => {
  const payment = await pay();
  const partner = await callers.as('partner');
  const guid = nth(await itemGuids(partner, merchant), 0, 'menu item');
  const json = [{ guid, status: 'QUANTITY', quantity: 41 }];
  await partner.call('stock.update', 200, { restaurant: merchant, json });
  const card = { ...cardWithOutcome(demo, 'AUTHORIZED'), cardNumber: CANARY_NUMBER };
  const body = await paymentBody(demo, { card });
  const paymentUuid = randomUUID();
  const paid = await authorize(partner, 200, merchant, body, paymentUuid);
  canaries.push(CANARY_NUMBER, String(body.encryptedCardData).slice(0, 60), String(partner.token));
  const before = await clock();
  await endServer(platform.process, 'SIGKILL');
  outputs.push(platform.output);

  platform = await startPlatform({ settings, dataDir, throughNpm: true });
  outputs.push(platform.output);
  assert.deepEqual(platform.demo.clients, demo.clients);
  callers = new DemoCallers(platform);
  const afterKill = await clock();
  assert.deepEqual([afterKill.now, afterKill.mode], [before.now, 'FROZEN']);
  assert.deepEqual(afterKill.nextDeadline, before.nextDeadline);
  assert.equal((await seen(guid))?.quantity, 41);
  const again = await callers.as('partner');
  const repeated = await authorize(again, 200, merchant, body, paymentUuid);
  assert.deepEqual(repeated.json, paid.json);
  const work = workOn(await move({ advance: 'PT5M' }), payment);
  assert.deepEqual(changesIn(work).at(-1), 'VOID_PENDING VOIDED');
});

/** All files under a folder. */
async function filesUnder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Asserts that no card number, ciphertext, token or client secret is written anywhere. */
async function assertNothingWritten(): Promise<void> {
  assert.equal(canaries.length, 3);
  const secrets = Object.values(demo.clients).map(({ clientSecret }) => clientSecret);
  const files = (await filesUnder(dataDir)).filter((file) => !file.endsWith('demo.json'));
  assert.ok(files.length > 100, 'the database is among the files');
  for (const file of files) {
    const bytes = await readFile(file);
    const found = [...canaries, ...secrets].filter((canary) => bytes.includes(canary));
    assert.deepEqual(found, [], file);
  }
  for (const output of outputs) {
    for (const canary of canaries) assert.ok(!output().includes(canary), 'nor into the log');
  }
}

const movesBy = async (from: DemoCallers, cause: string) => {
  const { text } = await (await from.as('operator')).call('backOffice.metrics', 200);
  return Number(new RegExp(`moves_total\\{cause="${cause}"\\} (\\d+)`).exec(text)?.[1]);
};

test('backOffice.payments.events 200 PAY-I5: two processes share what falls due; Ctrl-C stops one cleanly', async (t) => {
  await move('run');
  const beside = await startPlatform({ settings, dataDir });
  outputs.push(beside.output);
  // Before the other one, which removes the folder of both.
  t.after(() => endServer(beside.process, 'SIGTERM'));
  const others = new DemoCallers(beside);
  const count = async () =>
    (await movesBy(callers, 'applyDeadlinePassed')) +
    (await movesBy(others, 'applyDeadlinePassed'));
  const before = await count();
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      payFor(index % 2 === 0 ? callers : others, {
        merchant: nth([merchant, second, third], index % 3, 'restaurant'),
      }),
    ),
  );
  const deadlines = made.map(({ applyDeadline }) => Date.parse(String(applyDeadline)));
  const { now } = await readClock(await others.as('operator'));
  const toGo = Math.min(...deadlines) - Date.parse(now) - 1500;
  await move({ advance: `PT${(toGo / 1000).toFixed(3)}S` });
  for (const payment of made) {
    await until(
      'the void',
      () => stateOf(payment),
      (state) => state === 'VOIDED',
    );
    const events = await readEvents(callers, payment);
    assert.deepEqual(
      events.map(({ toState }) => toState),
      ['PENDING', 'AUTHORIZED', 'VOID_PENDING', 'VOIDED'],
    );
    const lateMs =
      Date.parse(String(events[2]?.occurredAt)) - Date.parse(String(payment.applyDeadline));
    assert.ok(lateMs >= 0 && lateMs <= HELD_MS, `${lateMs} ms after its deadline`);
  }
  assert.equal((await count()) - before, made.length, 'no process did what the other did');
  await endServer(beside.process, 'SIGINT');
  assert.equal(beside.process.exitCode, 0, beside.output().slice(-500));
});

test('start: a signal to npm start stops the server in order, not only npm; no file has a secret', async () => {
  await endServer(platform.process, 'SIGTERM');
  await assert.rejects(request(`${platform.baseUrl}/healthz`), 'nothing answers anymore');
  assert.match(platform.output(), /servery: stopping/);
  await assertNothingWritten();
});
