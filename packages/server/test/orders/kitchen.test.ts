import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { newGuid } from '@servery/support/ids.ts';
import { updateOpenOrdersDue } from '../../src/orders/kitchen/due-store.ts';
import { createOrderWork } from '../../src/orders/kitchen/due-work.ts';
import { createGuestErasure } from '../../src/orders/kitchen/erase-guests.ts';
import type { TestAnswer } from '../request.ts';
import { guest, orderOf } from './fixture.ts';
import { type KitchenFixture, openKitchenFixture } from './kitchen-fixture.ts';
import { guidOf, item, select } from './menu.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let fixture: KitchenFixture;
before(async () => {
  fixture = await openKitchenFixture({
    menu: { items: [item('Soup', 8), item('Bread', 2)] },
    configuration: {
      voidReasons: { spilled: {} },
      alternatePaymentTypes: { voucher: {} },
    },
  });
});
beforeEach(() => fixture.setApproval('auto'));
after(() => fixture.close());

/** Places an order; a number pays it by card. */
async function placed(
  paid: number | null = null,
  order: Readonly<Record<string, unknown>> = {},
  selections: readonly unknown[] = [select('Soup')],
) {
  const { authorize, place } = fixture;
  const guid = paid === null ? null : await authorize(paid, 1);
  const payments = guid ? [{ type: 'CREDIT', guid, amount: paid, tipAmount: 1 }] : [];
  const answer = await place(orderOf(selections, { payments, customer: guest }, order));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** What a decision leaves: status, approval, what guests see, the selections' statuses. */
function standing({ status, body }: TestAnswer): unknown {
  if (status !== 200) return [status, body.message];
  const { order } = body;
  const statuses = order.checks[0].selections.map(
    (selection: { fulfillmentStatus: string }) => selection.fulfillmentStatus,
  );
  return [order.approvalStatus, order.guestOrderStatus, ...statuses];
}

async function causes(orderGuid: string): Promise<string[]> {
  const { body } = await fixture.decide('events', orderGuid);
  return body.map(({ cause, by }: { cause: string; by: string }) =>
    by.startsWith('system:') ? `${cause} by ${by}` : cause,
  );
}

const scheduled = (minutes: number) => ({
  promisedDate: new Date(fixture.payments.clock.nowMs() + minutes * MINUTE_MS).toISOString(),
  requiredPrepTime: 'PT15M',
});

test('ORD-56 ORD-58: the clock sends orders at their time, and staff finish them', async () => {
  const { decide, work, moveTo, payments } = fixture;
  const now = await placed();
  const later = await placed(null, scheduled(45));
  assert.deepEqual([now.approvalStatus, later.approvalStatus], ['APPROVED', 'FUTURE']);
  assert.equal(now.checks[0].selections[0].fulfillmentStatus, 'NEW');
  await work();
  assert.deepEqual(standing(await decide('get', now.guid)), ['APPROVED', 'IN_PREPARATION', 'SENT']);
  assert.deepEqual(standing(await decide('get', later.guid)), ['FUTURE', 'RECEIVED', 'NEW']);
  const startMs = payments.clock.nowMs();
  await moveTo(startMs + 30 * MINUTE_MS - 1);
  assert.deepEqual(standing(await decide('get', later.guid)), ['FUTURE', 'RECEIVED', 'NEW']);
  await moveTo(startMs + 30 * MINUTE_MS);
  assert.deepEqual(standing(await decide('get', later.guid)), [
    ...['APPROVED', 'IN_PREPARATION', 'SENT'],
  ]);
  const ready = await decide('ready', later.guid, {});
  assert.deepEqual(standing(ready), ['APPROVED', 'READY_FOR_PICKUP', 'READY']);
  assert.equal((await decide('ready', later.guid, {})).body.version, ready.body.version);
  const [check] = later.checks;
  const cash = { guid: newGuid(), type: 'CASH', amount: 8 };
  const paid = await decide('payments.add', later.guid, cash, { checkGuid: check.guid });
  assert.equal(paid.body.order.checks[0].paymentStatus, 'CLOSED');
  assert.deepEqual(standing(await decide('fulfil', later.guid)), ['APPROVED', 'CLOSED', 'READY']);
  assert.deepEqual(await causes(later.guid), [
    ...['placed', 'sent by system:clock', 'ready', 'paid', 'fulfilled'],
  ]);
});

test('ORD-56: an order that needs approval is approved, rejected, or expires', async () => {
  const { decide, setApproval, moveTo, setStock, stock, payments } = fixture;
  await setApproval('manual');
  await setStock('Soup', 5);
  const [one, two, three, four] = [
    await placed(8),
    await placed(8),
    await placed(8),
    await placed(null, scheduled(60)),
  ];
  assert.equal(one.approvalStatus, 'NEEDS_APPROVAL');
  for (const [move, body] of [
    ['fire', {}],
    ['ready', {}],
    ['fulfil', undefined],
  ] as const) {
    const refused = await decide(move, one.guid, body);
    assert.equal(refused.status, 409, move);
    assert.match(refused.body.message, /NEEDS_APPROVAL.*Legal now: approve, reject, hold/);
  }
  assert.deepEqual(standing(await decide('approve', one.guid)), [
    ...['APPROVED', 'IN_PREPARATION', 'SENT'],
  ]);
  assert.equal((await decide('approve', one.guid)).body.version, 2, 'a repeat changes nothing');
  assert.deepEqual(standing(await decide('approve', four.guid)), ['FUTURE', 'RECEIVED', 'NEW']);
  const rejected = await decide('reject', two.guid, { reason: 'No soup today.' });
  assert.deepEqual(standing(rejected), ['NOT_APPROVED', 'VOIDED', 'NEW']);
  assert.equal(rejected.body.order.checks[0].payments[0].paymentStatus, 'PROCESSING_VOID');
  assert.equal((await decide('reject', two.guid, { reason: 'Again.' })).status, 200);
  assert.equal((await decide('reject', one.guid, { reason: 'Too late.' })).status, 409);
  assert.equal(await stock('Soup'), 'QUANTITY 2', 'the rejected soup is back');
  await moveTo(payments.clock.nowMs() + 15 * MINUTE_MS);
  const expired = await decide('get', three.guid);
  assert.deepEqual(standing(expired), ['NOT_APPROVED', 'VOIDED', 'NEW']);
  assert.equal(expired.body.order.checks[0].payments[0].paymentStatus, 'VOIDED');
  assert.equal(await stock('Soup'), 'QUANTITY 3');
  assert.deepEqual(await causes(three.guid), [
    ...['placed', 'expired by system:clock', 'paymentMoved by system:payments'],
  ]);
  await setStock('Soup', 900);
});

test('backOffice.orders: selections are held, sent and ready one by one', async () => {
  const { decide, work } = fixture;
  const order = await placed(null, {}, [select('Soup'), select('Bread')]);
  const [soup, bread] = order.checks[0].selections;
  const about = (...selections: { guid: string }[]) => ({
    selectionGuids: selections.map(({ guid }) => guid),
  });
  assert.deepEqual(standing(await decide('hold', order.guid, about(bread))), [
    ...['APPROVED', 'RECEIVED', 'NEW', 'HOLD'],
  ]);
  await work();
  assert.deepEqual(standing(await decide('get', order.guid)), [
    ...['APPROVED', 'IN_PREPARATION', 'SENT', 'HOLD'],
  ]);
  const tooLate = await decide('hold', order.guid, about(soup));
  assert.deepEqual(standing(tooLate), [
    409,
    `The selection ${soup.guid} is SENT, so hold is not possible. ` +
      'Legal now: fire, ready, fulfil, pay, voidSelection, void.',
  ]);
  assert.equal((await decide('hold', order.guid, about(bread))).body.version, 3);
  assert.equal((await decide('ready', order.guid, about(bread))).status, 409);
  assert.equal((await decide('fire', order.guid, about({ guid: newGuid() }))).status, 404);
  assert.deepEqual(standing(await decide('fire', order.guid, {})), [
    ...['APPROVED', 'IN_PREPARATION', 'SENT', 'SENT'],
  ]);
  assert.deepEqual(standing(await decide('ready', order.guid, about(soup))), [
    ...['APPROVED', 'IN_PREPARATION', 'READY', 'SENT'],
  ]);
});

test('ORD-49 ORD-57: what is fulfilled is captured at the close-out, and not before', async () => {
  const { decide, moveTo, payments } = fixture;
  const delivery = {
    diningOption: { guid: guidOf('delivery') },
    deliveryInfo: { address1: '1 Main St', city: 'Boston', state: 'MA', zipCode: '02110' },
  };
  const order = await placed(8, delivery);
  const fulfilled = await decide('fulfil', order.guid);
  assert.deepEqual(standing(fulfilled), ['APPROVED', 'CLOSED', 'READY']);
  assert.equal(fulfilled.body.order.deliveryInfo.deliveryState, 'DELIVERED');
  assert.deepEqual(fulfilled.body.legalMoves, ['pay', 'voidSelection']);
  assert.equal((await decide('fulfil', order.guid)).body.version, fulfilled.body.version);
  for (const move of ['void', 'payments.void'] as const) {
    const [
      {
        payments: [payment],
      },
    ] = fulfilled.body.order.checks;
    const refused = await decide(move, order.guid, { reason: 'x' }, { paymentGuid: payment.guid });
    assert.deepEqual([refused.status, /fulfilled/.test(refused.body.message)], [409, true]);
  }
  await moveTo(payments.clock.nowMs() + DAY_MS);
  const [check] = (await decide('get', order.guid)).body.order.checks;
  assert.equal(check.payments[0].paymentStatus, 'CAPTURED');
});

test('ORD-49: the close-out captures what nobody fulfilled, also if more is due', async () => {
  const { decide, moveTo, authorize, place, payments } = fixture;
  const paid = await placed(8);
  const guid = await authorize(5, 0);
  const part = [{ type: 'CREDIT', guid, amount: 5, tipAmount: 0 }];
  const unpaid = await place(orderOf([select('Soup')], { payments: part }));
  assert.equal(unpaid.body.checks[0].paymentStatus, 'OPEN');
  await moveTo(payments.clock.nowMs() + DAY_MS);
  const statuses = async (orderGuid: string) => {
    const { order, fulfilledAt } = (await decide('get', orderGuid)).body;
    const [check] = order.checks;
    return [order.guestOrderStatus, fulfilledAt !== null, check.payments[0].paymentStatus];
  };
  assert.deepEqual(await statuses(paid.guid), ['CLOSED', true, 'CAPTURED']);
  assert.deepEqual(await statuses(unpaid.body.guid), ['IN_PREPARATION', false, 'CAPTURED']);
  const late = await decide('void', unpaid.body.guid, { reason: 'Too late.' });
  assert.deepEqual([late.status, /CAPTURED/.test(late.body.message)], [409, true]);
});

test('backOffice.orders.payments: cash and vouchers are taken, and payments voided', async () => {
  const { decide } = fixture;
  const order = await placed(8);
  const [check] = order.checks;
  const [card] = check.payments;
  const at = { checkGuid: check.guid };
  const reason = { reason: 'The guest pays in cash.' };
  const voided = await decide('payments.void', order.guid, reason, { paymentGuid: card.guid });
  const [open] = voided.body.order.checks;
  assert.deepEqual(
    [open.paymentStatus, open.payments[0].paymentStatus],
    ['OPEN', 'PROCESSING_VOID'],
  );
  const again = await decide('payments.void', order.guid, reason, { paymentGuid: card.guid });
  assert.equal(again.body.version, voided.body.version);
  const voucher = { type: 'OTHER', amount: 3, otherPaymentGuid: guidOf('voucher') };
  assert.equal((await decide('payments.add', order.guid, voucher, at)).status, 200);
  const cash = { guid: newGuid(), type: 'CASH', amount: 5, amountTendered: 10 };
  const paid = await decide('payments.add', order.guid, cash, at);
  assert.equal(paid.body.order.checks[0].paymentStatus, 'CLOSED');
  const repeated = await decide('payments.add', order.guid, cash, at);
  assert.deepEqual([repeated.status, repeated.body.version], [200, paid.body.version]);
  const refusals: readonly (readonly [object, object, number])[] = [
    [{ ...cash, amount: 6 }, at, 409],
    [{ ...voucher, otherPaymentGuid: newGuid() }, at, 404],
    [{ type: 'CASH', amount: 1 }, { checkGuid: newGuid() }, 404],
    [{ type: 'OTHER', amount: 1 }, at, 422],
    [{ type: 'CASH', amount: 1.005 }, at, 422],
  ];
  for (const [body, params, status] of refusals) {
    const refused = await decide('payments.add', order.guid, body, { ...params });
    assert.equal(refused.status, status, JSON.stringify(refused.body));
  }
});

test('ORD-50: payments of orders are moved by hand through their orders', async () => {
  const { decide, office, authorize, restaurant } = fixture;
  const order = await placed();
  const [check] = order.checks;
  const paymentUuid = await authorize(8, 1);
  const byHand = (move: 'apply' | 'fulfil' | 'tip' | 'void', body?: object) =>
    office(`backOffice.payments.${move}`, {
      params: { merchantUuid: restaurant.guid, paymentUuid },
      ...(body && { body }),
    });
  const applied = await byHand('apply', { checkGuid: check.guid });
  assert.deepEqual([applied.status, applied.body.paymentState], [200, 'APPLIED']);
  assert.equal((await byHand('apply', { checkGuid: check.guid })).status, 200);
  const [paid] = (await decide('get', order.guid)).body.order.checks;
  assert.deepEqual([paid.payments[0].guid, paid.payments[0].amount], [paymentUuid, 8]);
  assert.equal((await byHand('tip', { tipAmount: 0.5 })).status, 200);
  assert.equal((await byHand('tip', { tipAmount: 0.5 })).status, 200);
  const tipped = (await decide('get', order.guid)).body.order;
  assert.equal(tipped.checks[0].payments[0].tipAmount, 0.5);
  assert.deepEqual(await causes(order.guid), ['placed', 'paid', 'tipChanged']);
  const fulfilled = await byHand('fulfil');
  assert.deepEqual([fulfilled.status, fulfilled.body.message.includes(order.guid)], [409, true]);
  const voided = await byHand('void', { reason: 'The guest pays in cash.' });
  assert.deepEqual([voided.status, voided.body.paymentState], [200, 'VOID_PENDING']);
  const [open] = (await decide('get', order.guid)).body.order.checks;
  assert.deepEqual(
    [open.paymentStatus, open.payments[0].paymentStatus],
    ['OPEN', 'PROCESSING_VOID'],
  );
});

test('backOffice.payments.apply 409 ORD-20 ORD-50: no hold that ends before its order is fulfilled', async () => {
  const { office, authorize, restaurant, get } = fixture;
  const order = await placed(null, scheduled((8 * DAY_MS) / MINUTE_MS));
  const [{ guid: checkGuid }] = order.checks;
  const merchantUuid = restaurant.guid;
  const answer = await office('backOffice.payments.apply', {
    params: { merchantUuid, paymentUuid: await authorize(8) },
    body: { checkGuid },
  });
  assert.deepEqual([answer.status, /authorize it closer/.test(answer.body.message)], [409, true]);
  assert.deepEqual((await get(order.guid)).body.checks[0].payments, []);
});

test('ORD-51 ORD-60: voids give back what the kitchen has not begun', async () => {
  const { decide, setStock, stock, work } = fixture;
  await setStock('Soup', 6);
  const order = await placed(null, {}, [select('Soup', { quantity: 2 }), select('Soup')]);
  const [first, second] = order.checks[0].selections;
  const voidReasonGuid = guidOf('spilled');
  const named = { selectionGuid: first.guid };
  const unknown = await decide('selections.void', order.guid, { voidReasonGuid: newGuid() }, named);
  assert.equal(unknown.status, 404);
  const voided = await decide('selections.void', order.guid, { voidReasonGuid }, named);
  const [check] = voided.body.order.checks;
  assert.deepEqual(
    [check.totalAmount, check.selections[0].price, check.selections[0].voidReason.guid],
    [8, 0, voidReasonGuid],
  );
  assert.equal(await stock('Soup'), 'QUANTITY 5');
  const again = await decide('selections.void', order.guid, {}, named);
  assert.equal(again.body.version, voided.body.version);
  await work();
  const whole = await decide('void', order.guid, { reason: 'The guest left.', voidReasonGuid });
  assert.deepEqual(standing(whole), ['APPROVED', 'VOIDED', 'NEW', 'SENT']);
  assert.equal(await stock('Soup'), 'QUANTITY 5', 'the second soup was begun');
  assert.deepEqual(whole.body.legalMoves, []);
  assert.equal((await decide('void', order.guid, { reason: 'Again.' })).status, 200);
  const late = { selectionGuid: second.guid };
  assert.equal((await decide('selections.void', order.guid, {}, late)).status, 200);
  for (const [move, body] of [
    ['approve', undefined],
    ['fire', {}],
    ['hold', {}],
    ['ready', {}],
    ['fulfil', undefined],
  ] as const) {
    assert.equal((await decide(move, order.guid, body)).status, 409, move);
  }
  await setStock('Soup', 900);
});

test('backOffice.orders.list: pages, newest first, by every filter', async () => {
  const { office, restaurant, partner, decide } = fixture;
  const order = await placed(null, scheduled(90));
  const list = async (query: object) => {
    const params = { restaurantGuid: restaurant.guid };
    const { status, body } = await office('backOffice.orders.list', { params, query });
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const guidsOf = ({ results }: { results: { order: { guid: string } }[] }) =>
    results.map(({ order: { guid } }) => guid);
  const all = guidsOf(await list({}));
  assert.equal(all[0], order.guid);
  const page = await list({ pageSize: '1' });
  const next = await list({ pageToken: page.nextPageToken });
  assert.deepEqual([...guidsOf(page), ...guidsOf(next)], all.slice(0, 2));
  const matching = {
    guestOrderStatus: 'RECEIVED',
    approvalStatus: 'FUTURE',
    paymentStatus: 'OPEN',
    businessDate: String(order.businessDate),
    partnerGuid: String(partner.partnerGuid),
    open: 'true',
    modifiedFrom: order.modifiedDate.replace('+0000', 'Z'),
  };
  assert.ok(guidsOf(await list(matching)).includes(order.guid));
  const others = {
    guestOrderStatus: 'CLOSED',
    approvalStatus: 'NEEDS_APPROVAL',
    paymentStatus: 'CLOSED',
    businessDate: '20200101',
    partnerGuid: newGuid(),
    open: 'false',
    modifiedFrom: '2999-01-01T00:00:00Z',
  };
  for (const [name, value] of Object.entries(others)) {
    assert.ok(!guidsOf(await list({ [name]: value })).includes(order.guid), name);
  }
  const shown = (await decide('get', order.guid)).body;
  assert.equal(shown.order.checks[0].customer.lastName, 'Lovelace', 'staff see who orders');
  assert.equal((await decide('get', newGuid())).status, 404);
  assert.equal((await decide('events', newGuid())).status, 404);
});

test('ORD-67: guest data is erased from old orders, and the order stays', async () => {
  const { decide, payments } = fixture;
  const order = await placed();
  const { database, clock } = payments;
  const erasure = createGuestErasure({ database, clock, orderGuestDays: 400 });
  const customer = async () => (await decide('get', order.guid)).body.order.checks[0].customer;
  await erasure.runDue(clock.nowMs() + 399 * DAY_MS, { isSequential: true });
  assert.equal((await customer()).firstName, 'Ada');
  await erasure.runDue(clock.nowMs() + 402 * DAY_MS, { isSequential: true });
  assert.equal(await customer(), null);
  assert.equal(await erasure.nextDueMs(), null);
});

test('backOffice.orders: of two processes that decide at once, one does', async () => {
  const { decide, work } = fixture;
  const order = await placed(8);
  const reason = { reason: 'Twice.' };
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => decide('void', order.guid, reason)),
    ...[1, 2, 3].map(() => work()),
  ]);
  assert.deepEqual(
    answers.slice(0, 3).map((answer) => answer?.status),
    [200, 200, 200],
  );
  const made = (await causes(order.guid)).filter((cause) => cause === 'voided');
  assert.deepEqual(made, ['voided']);
});

test('a simulated kitchen approves, prepares and fulfills orders by the clock', async () => {
  const simulated = await openKitchenFixture({
    menu: { items: [item('Soup', 8)] },
    settings: { kitchen: 'simulated' },
  });
  try {
    const { place, decide, moveTo, setApproval, payments } = simulated;
    await setApproval('manual');
    const startMs = payments.clock.nowMs();
    const order = orderOf([select('Soup')], {}, { requiredPrepTime: 'PT10M' });
    const { guid } = (await place(order)).body;
    const at = async (minutes: number) => {
      await moveTo(startMs + minutes * MINUTE_MS);
      return standing(await decide('get', guid));
    };
    assert.deepEqual(await at(0), ['APPROVED', 'IN_PREPARATION', 'SENT']);
    assert.deepEqual(await at(9), ['APPROVED', 'IN_PREPARATION', 'SENT']);
    assert.deepEqual(await at(10), ['APPROVED', 'READY_FOR_PICKUP', 'READY']);
    await at(15);
    const { body } = await decide('get', guid);
    assert.equal(Date.parse(body.fulfilledAt), startMs + 15 * MINUTE_MS);
  } finally {
    await simulated.close();
  }
});

test('a simulated kitchen that is switched on later takes up the orders that are open', async () => {
  const { deps, payments, decide } = fixture;
  const startMs = payments.clock.nowMs();
  const { guid } = await placed(null, { requiredPrepTime: 'PT10M' });
  const orderSettings = { ...deps.orderSettings, kitchen: 'simulated' } as const;
  const simulated = createOrderWork({ ...payments.deps, ...deps, orderSettings });
  await updateOpenOrdersDue(payments.database.sql, new Date(startMs));
  await simulated.runDue(startMs, { isSequential: false });
  assert.deepEqual(standing(await decide('get', guid)), ['APPROVED', 'IN_PREPARATION', 'SENT']);
  payments.clock.advance(10 * MINUTE_MS);
  const done = await simulated.runDue(payments.clock.nowMs(), { isSequential: false });
  assert.ok(
    done.some(({ cause }) => cause === 'ready'),
    'the clock tells what was done',
  );
  assert.deepEqual(standing(await decide('get', guid)), ['APPROVED', 'READY_FOR_PICKUP', 'READY']);
});

test('backOffice.metrics: what happens to orders, what waits, and why orders are refused', async () => {
  const { decide, setApproval, setStock, moveTo, work, metric, place, payments } = fixture;
  await work();
  const read = async (...lines: string[]) => await Promise.all(lines.map((line) => metric(line)));
  const causes = ['placed', 'approved', 'expired', 'sent', 'held'].map(
    (cause) => `order_changes_total{cause="${cause}"}`,
  );
  const waiting = ['approval', 'time', 'fulfillment'].flatMap((what) => [
    `orders_waiting{for="${what}"}`,
    `orders_waiting_age_seconds{for="${what}"}`,
  ]);
  const [before, waitedFor] = [await read(...causes), await read(...waiting)];
  await setApproval('manual');
  await placed();
  await placed();
  const later = await placed(null, scheduled(60));
  await decide('approve', later.guid);
  await decide('approve', later.guid);
  assert.equal((await decide('ready', later.guid, { selectionGuids: [newGuid()] })).status, 404);
  const startMs = payments.clock.nowMs();
  await moveTo(startMs + 10 * MINUTE_MS);
  assert.deepEqual(
    (await read(...waiting)).slice(0, 4),
    [2, 600, Number(waitedFor[2]) + 1, 0],
    'a scheduled order is not late',
  );
  await moveTo(startMs + 15 * MINUTE_MS);
  const grown = (await read(...causes)).map((count, at) => Number(count) - Number(before[at]));
  assert.deepEqual(grown, [3, 1, 2, 0, 0], 'a repeat and a refusal change nothing');
  await moveTo(startMs + 46 * MINUTE_MS);
  const now = (await read(...waiting)).map((count, at) => Number(count) - Number(waitedFor[at]));
  assert.deepEqual([now[0], now[2], now[4]], [0, 0, 1], 'the kitchen has it');
  const reasons = ['invalid', 'unknown', 'outOfStock', 'payment', 'repeated', 'busy'];
  const refusals = reasons.map((reason) => `order_refusals_total{reason="${reason}"}`);
  const refused = await read(...refusals);
  await setStock('Bread', 1);
  const soup = [select('Soup')];
  const unpaid = { payments: [{ type: 'CREDIT', guid: newGuid(), amount: 8 }] };
  const named = orderOf(soup, {}, { externalId: 'metrics:1' });
  assert.equal((await place(named)).status, 200);
  for (const [order, status] of [
    [named, 409],
    [orderOf([select('Bread', { quantity: 2 })], unpaid), 400],
    [orderOf(soup, unpaid), 404],
    [orderOf([select('Nothing')]), 404],
    [orderOf([select('Nothing'), select('Bread', { quantity: 0 })]), 400],
    [orderOf(soup, { externalId: newGuid() }, { checks: [] }), 400],
  ] as const) {
    assert.equal((await place(order)).status, status, JSON.stringify(order));
  }
  const counted = (await read(...refusals)).map((count, at) => Number(count) - Number(refused[at]));
  assert.deepEqual(counted, [2, 1, 1, 1, 1, 0]);
  await setStock('Bread', 900);
});
