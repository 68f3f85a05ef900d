import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { TestAnswer } from '../request.ts';
import { guest, type OrderFixture, openOrderFixture, orderOf } from './fixture.ts';
import { group, guidOf, item, modify, option, select } from './menu.ts';

let fixture: OrderFixture;
before(async () => {
  fixture = await openOrderFixture({
    menu: {
      items: [item('Soup', 8, { modifierGroupReferences: [1] })],
      groups: { 1: group('Toppings', [2], { maxSelections: 2 }) },
      options: { 2: option('Bread', 1) },
    },
    configuration: {
      alternatePaymentTypes: { voucher: {} },
      discounts: {
        dollar: {
          ...{ type: 'FIXED', amount: 1, selectionType: 'CHECK' },
          ...{ active: true, nonExclusive: true },
        },
      },
      serviceCharges: { bag: { amountType: 'OPEN', criteria: {} } },
    },
  });
});
after(() => fixture.close());

const deep = (levels: number): unknown => (levels === 0 ? [] : { modifiers: [deep(levels - 1)] });

// NUL and halves of characters never get here: reading the JSON refuses them.
const rubbish: readonly unknown[] = [
  ...[null, true, -0, -1, Number.MAX_VALUE, Number.MIN_VALUE, 0.1 + 0.2],
  ...['', '𝕊🍜\u202e', '1e400', 'x'.repeat(300), '2026-02-30T25:61:61Z'],
  ...[[], [null], {}, { guid: null }, { guid: 7 }, { __proto__: null }, deep(40)],
];

/** The value with what stands at each of its places replaced in turn. */
function* replaced(value: unknown, by: unknown): Generator<unknown> {
  yield by;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    for (const other of replaced(inner, by)) {
      yield Array.isArray(value)
        ? value.map((one, at) => (String(at) === name ? other : one))
        : { ...value, [name]: other };
    }
  }
}

const payment = {
  type: 'OTHER',
  otherPayment: { guid: guidOf('voucher') },
  amount: 1,
  tipAmount: 0,
};

const order = orderOf(
  [
    select('Soup', {
      externalId: 'rubbish:1',
      quantity: 1,
      modifiers: [modify('Toppings', 'Bread', { displayName: 'Bread' })],
    }),
  ],
  {
    customer: guest,
    openedDate: '2026-03-01T12:00:00.000+0000',
    appliedDiscounts: [{ discount: { guid: guidOf('dollar') }, discountAmount: 1 }],
    appliedServiceCharges: [{ serviceCharge: { guid: guidOf('bag') }, chargeAmount: 1 }],
    payments: [payment],
    taxExempt: false,
  },
  {
    diningOption: { guid: guidOf('delivery') },
    deliveryInfo: {
      ...{ address1: '1 Main Street', city: 'Boston', zipCode: '02110', state: 'MA' },
      ...{ latitude: 42.3, longitude: -71 },
    },
    requiredPrepTime: 'PT15M',
    numberOfGuests: 2,
    promisedDate: '2026-03-01T13:00:00.000+0000',
  },
);

function assertSound(id: string, sent: unknown, { status, body }: TestAnswer): void {
  if ([200, 400, 404, 409].includes(status)) return;
  assert.fail(`${id} ${JSON.stringify(sent)?.slice(0, 1_500)}: ${JSON.stringify(body)}`);
}

test('orders.place 200 400 ORD-2: rubbish at any place is a fault that names it', async (t) => {
  // Each value at a third of all places, and each place with a third of all values: others each time.
  const first = Math.floor(Math.random() * 3);
  t.diagnostic(`begins at ${first}`);
  for (const [index, value] of rubbish.entries()) {
    const bodies = [...replaced(order, value)];
    for (const body of bodies.filter((_, at) => (at + index + first) % 3 === 0)) {
      const answer = await fixture.place(body);
      assertSound('orders.place', body, answer);
    }
  }
});

test('orders.* 400 ORD-2: what is added and changed may be rubbish too', async () => {
  const { body } = await fixture.place(orderOf([select('Soup')]));
  const [check] = body.checks;
  const params = {
    ...{ orderGuid: body.guid, checkGuid: check.guid },
    ...{ selectionGuid: check.selections[0].guid, paymentGuid: guidOf('nobody') },
  };
  const discounts = [{ discount: { guid: guidOf('dollar') }, discountAmount: 1 }];
  const bodies = {
    'orders.applicableDiscounts': { order: orderOf([select('Soup')]), promoCode: 'X' },
    'orders.selections.add': [select('Soup')],
    'orders.discounts.add': discounts,
    'orders.selectionDiscounts.add': discounts,
    'orders.payments.add': [{ type: 'CREDIT', guid: guidOf('nobody'), amount: 1, tipAmount: 1 }],
    'orders.payments.update': { tipAmount: 1 },
    'orders.deliveryInfo.update': { deliveryState: 'DELIVERED', notes: 'x' },
    'orders.void': { selections: { voidAll: true }, payments: { voidAll: true } },
  } as const;
  for (const [id, good] of Object.entries(bodies)) {
    for (const value of rubbish) {
      for (const sent of replaced(good, value)) {
        const parts = { params, body: sent };
        const answer = await fixture.call(id as keyof typeof bodies, parts);
        assertSound(id, sent, answer);
      }
    }
  }
});

test('orders.get orders.payments.get 400 404 ORD-7: any text in the path', async () => {
  const texts = [
    'x',
    ':',
    '::',
    'a:\u0000',
    `a:${'x'.repeat(990)}`,
    'a:𝕊',
    '%',
    '../a:b',
    'a:\ud800',
  ];
  for (const guid of texts) {
    for (const id of ['orders.get', 'orders.payments.get'] as const) {
      const { status, body } = await fixture.call(id, { params: { guid } });
      assert.ok(
        status === 400 || status === 404,
        `${id} ${guid}: ${status} ${JSON.stringify(body)}`,
      );
    }
  }
});
