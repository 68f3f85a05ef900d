import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  guest,
  type OrderFixture,
  openOrderFixture,
  orderOf,
  refusalOf,
  totalsOf,
} from './fixture.ts';
import {
  group,
  guidOf,
  item,
  modify,
  multiLocationIdOf,
  option,
  preModifier,
  select,
} from './menu.ts';

let fixture: OrderFixture;
before(async () => {
  fixture = await openOrderFixture({
    menu: {
      items: [
        item('Soup', 8),
        item('Cheese', 20, { unitOfMeasure: 'LB' }),
        item('Secret', null),
        item('Open', null, { pricingStrategy: 'OPEN_PRICE' }),
        item('Burger', 10, {
          modifierGroupReferences: [1, 2],
          portions: [
            {
              name: 'Half',
              guid: guidOf('Half'),
              modifierGroupReferences: [2],
              priceScaleFactor: 0.5,
            },
          ],
        }),
      ],
      groups: {
        1: group('Temperature', [3, 4], {
          minSelections: 1,
          maxSelections: 1,
          requiredMode: 'REQUIRED',
          isMultiSelect: false,
        }),
        2: group('Toppings', [5, 6], { maxSelections: 2, preModifierGroupReference: 9 }),
        3: group('Elsewhere', [7]),
      },
      options: {
        3: option('Rare', 0),
        4: option('Medium', 0),
        5: option('Bacon', 2),
        6: option('Cheddar', 1),
        7: option('Ice', -30),
      },
      preModifiers: { 9: [preModifier('NO', { multiplicationFactor: 0 })] },
    },
    configuration: {
      discounts: {
        'ten off': { type: 'FIXED', amount: 10, selectionType: 'CHECK' },
        'old one': { type: 'FIXED', amount: 1, selectionType: 'CHECK', active: false },
        'any percent': { type: 'OPEN_PERCENT', selectionType: 'CHECK' },
        'any amount': { type: 'OPEN_FIXED', selectionType: 'CHECK' },
      },
      serviceCharges: {
        'to the door': { amountType: 'FIXED', amount: 3, criteria: { delivery: true } },
        'any charge': { amountType: 'OPEN', criteria: {} },
        'large tables': { amountType: 'FIXED', amount: 3, criteria: { minCheckAmount: 100 } },
      },
      alternatePaymentTypes: { voucher: {} },
    },
  });
});
after(() => fixture.close());

const ofKind = (name: string, more: object = {}) => ({
  diningOption: { guid: guidOf(name) },
  ...more,
});
const soup = select('Soup');
const rare = modify('Temperature', 'Rare');
const burger = (...modifiers: unknown[]) => orderOf([select('Burger', { modifiers })]);
const discounted = (name: string, more: object = {}) =>
  orderOf([soup], { appliedDiscounts: [{ discount: { guid: guidOf(name) }, ...more }] });
const charged = (name: string, more: object = {}) =>
  orderOf([soup], { appliedServiceCharges: [{ serviceCharge: { guid: guidOf(name) }, ...more }] });
const paid = (payment: object) => orderOf([soup], { payments: [payment] });
const customer = (fields: object) =>
  orderOf([soup], { customer: { ...guest, ...fields } }, ofKind('take-out'));
const address = { address1: '1 Main Street', city: 'Boston', zipCode: '02110', state: 'MA' };
const delivered = (deliveryInfo: object | null) =>
  orderOf([soup], { customer: guest }, ofKind('delivery', { deliveryInfo }));

/** An order, and the status and place of its faults. */
const refused: readonly (readonly [rule: string, order: unknown, ...faults: string[]])[] = [
  ['ORD-11', { checks: [{ selections: [] }] }, '400 diningOption'],
  ['ORD-11', orderOf([soup], {}, ofKind('nowhere')), '404 diningOption'],
  ['ORD-11', { ...ofKind('dine-in'), checks: [] }, '400 checks'],
  ['ORD-11', ofKind('dine-in'), '400 checks'],
  ['ORD-11', orderOf([soup], {}, { numberOfGuests: 0 }), '400 numberOfGuests'],
  ['ORD-11', orderOf([soup], {}, { requiredPrepTime: 'PT7M' }), '400 requiredPrepTime'],
  ['ORD-11', orderOf([soup], {}, { requiredPrepTime: 'P1M' }), '400 requiredPrepTime'],
  // A time that far away has no date.
  ['ORD-11', orderOf([soup], {}, { requiredPrepTime: 'PT2400000000H' }), '400 requiredPrepTime'],
  ['ORD-11', orderOf([soup], {}, { table: { guid: guidOf('T1') } }), '404 table'],
  ['ORD-12', orderOf([{ itemGroup: soup.itemGroup }]), '400 checks[0].selections[0].item'],
  ['ORD-12', orderOf([{ item: soup.item }]), '400 checks[0].selections[0].itemGroup'],
  ['ORD-12', orderOf([select('Nothing')]), '404 checks[0].selections[0].item'],
  ['ORD-12', orderOf([select('Bacon')]), '400 checks[0].selections[0].item'],
  ['ORD-5', orderOf([{ ...soup, item: {} }]), '400 checks[0].selections[0].item'],
  [
    'ORD-5',
    orderOf([{ ...soup, item: { ...soup.item, multiLocationId: multiLocationIdOf('Open') } }]),
    '400 checks[0].selections[0].item',
  ],
  [
    'ORD-13',
    orderOf([select('Soup', { selectionType: 'OPEN_ITEM' })]),
    '400 checks[0].selections[0].selectionType',
  ],
  [
    'ORD-13',
    orderOf([select('Soup', { externalPriceAmount: 0 })]),
    '400 checks[0].selections[0].externalPriceAmount',
  ],
  [
    'ORD-13',
    orderOf([soup], {}, { marketplaceFacilitatorTaxInfo: {} }),
    '400 marketplaceFacilitatorTaxInfo',
  ],
  ['ORD-13', orderOf([soup], { appliedLoyaltyInfo: {} }), '400 checks[0].appliedLoyaltyInfo'],
  ['ORD-14', orderOf([select('Secret')]), '400 checks[0].selections[0]'],
  [
    'ORD-14',
    orderOf([select('Open', { openPriceAmount: -1 })]),
    '400 checks[0].selections[0].openPriceAmount',
  ],
  [
    'ORD-14',
    orderOf([select('Open', { openPriceAmount: 1.005 })]),
    '400 checks[0].selections[0].openPriceAmount',
  ],
  ['ORD-16', burger(), '400 checks[0].selections[0].modifiers'],
  [
    'ORD-16',
    burger(rare, modify('Temperature', 'Medium')),
    '400 checks[0].selections[0].modifiers',
  ],
  [
    'ORD-16',
    burger(rare, modify('Toppings', 'Bacon'), modify('Toppings', 'Bacon')),
    '400 checks[0].selections[0].modifiers',
  ],
  [
    'ORD-16',
    burger(rare, modify('Toppings', 'Ice')),
    '400 checks[0].selections[0].modifiers[1].item',
  ],
  [
    'ORD-16',
    burger(rare, modify('Toppings', 'Nothing')),
    '404 checks[0].selections[0].modifiers[1].item',
  ],
  [
    'ORD-16',
    burger(rare, modify('Elsewhere', 'Ice')),
    '400 checks[0].selections[0].modifiers[1].optionGroup',
  ],
  [
    'ORD-16',
    burger({ ...rare, preModifier: { guid: guidOf('NO') } }),
    '400 checks[0].selections[0].modifiers[0].preModifier',
  ],
  [
    'ORD-16',
    burger(rare, { selectionType: 'PORTION', item: { guid: guidOf('Third') } }),
    '400 checks[0].selections[0].modifiers[1].item',
  ],
  [
    'ORD-16',
    burger(rare, {
      selectionType: 'PORTION',
      item: { guid: guidOf('Half') },
      modifiers: [modify('Temperature', 'Rare')],
    }),
    '400 checks[0].selections[0].modifiers[1].modifiers[0].optionGroup',
  ],
  [
    'ORD-16',
    orderOf([select('Soup', { preModifier: { guid: guidOf('NO') } })]),
    '400 checks[0].selections[0].preModifier',
  ],
  ['ORD-17', orderOf([select('Soup', { quantity: 0 })]), '400 checks[0].selections[0].quantity'],
  [
    'ORD-17',
    orderOf([select('Soup', { quantity: 10_000 })]),
    '400 checks[0].selections[0].quantity',
  ],
  ['ORD-17', orderOf([select('Soup', { quantity: 1.5 })]), '400 checks[0].selections[0].quantity'],
  [
    'ORD-17',
    orderOf([select('Cheese', { quantity: 1.00001 })]),
    '400 checks[0].selections[0].quantity',
  ],
  ['ORD-17', burger({ ...rare, quantity: 2 }), '400 checks[0].selections[0].modifiers[0].quantity'],
  [
    'ORD-18',
    orderOf([{ selectionType: 'SPECIAL_REQUEST' }]),
    '400 checks[0].selections[0].displayName',
  ],
  [
    'ORD-18',
    orderOf([{ ...soup, selectionType: 'SPECIAL_REQUEST', displayName: 'Hot' }]),
    '400 checks[0].selections[0].item',
  ],
  [
    'ORD-18',
    orderOf([select('Soup', { selectionType: 'PORTION' })]),
    '400 checks[0].selections[0].selectionType',
  ],
  ['ORD-19', orderOf([soup], {}, ofKind('take-out')), '400 checks[0].customer'],
  ['ORD-19', customer({ lastName: null }), '400 checks[0].customer.lastName'],
  ['ORD-19', customer({ phone: '555-0123' }), '400 checks[0].customer.phone'],
  ['ORD-19', customer({ email: 'ada' }), '400 checks[0].customer.email'],
  ['ORD-19', delivered(null), '400 deliveryInfo'],
  [
    'ORD-19',
    delivered({ ...address, zipCode: '', state: null }),
    '400 deliveryInfo.zipCode',
    '400 deliveryInfo.state',
  ],
  [
    'ORD-19',
    orderOf([soup], {}, { curbsidePickupInfo: {} }),
    '400 curbsidePickupInfo.transportDescription',
  ],
  ['ORD-20', orderOf([soup], {}, { promisedDate: '2026-03-01T12:00:00Z' }), '400 promisedDate'],
  ['ORD-20', orderOf([soup], {}, { openedDate: '2026-02-20T12:00:00Z' }), '400 openedDate'],
  ['ORD-20', orderOf([soup], {}, { openedDate: '2027-03-20T12:00:00Z' }), '400 openedDate'],
  ['ORD-6', orderOf([soup], {}, { openedDate: '2026-03-01 12:00' }), '400 openedDate'],
  ['ORD-21', charged('nothing'), '404 checks[0].appliedServiceCharges[0].serviceCharge'],
  ['ORD-21', charged('any charge'), '400 checks[0].appliedServiceCharges[0].chargeAmount'],
  ['ORD-21', charged('to the door'), '400 checks[0].appliedServiceCharges[0].serviceCharge'],
  ['ORD-21', charged('large tables'), '400 checks[0].appliedServiceCharges[0]'],
  ['ORD-22', discounted('nothing'), '404 checks[0].appliedDiscounts[0].discount'],
  ['ORD-22', discounted('old one'), '404 checks[0].appliedDiscounts[0].discount'],
  [
    'ORD-22',
    burger({ ...rare, appliedDiscounts: [{ discount: { guid: guidOf('ten off') } }] }),
    '400 checks[0].selections[0].modifiers[0].appliedDiscounts',
  ],
  ['ORD-22', discounted('any percent'), '400 checks[0].appliedDiscounts[0]'],
  ['ORD-22', discounted('any amount'), '400 checks[0].appliedDiscounts[0].discountAmount'],
  [
    'ORD-13',
    discounted('ten off', { loyaltyDetails: {} }),
    '400 checks[0].appliedDiscounts[0].loyaltyDetails',
  ],
  ['ORD-23', orderOf([soup], { tabName: 'Card 4111 1111 1111 1111' }), '400 checks[0].tabName'],
  ['ORD-23', orderOf([soup], { tabName: 'x'.repeat(256) }), '400 checks[0].tabName'],
  // PostgreSQL would make the same identifier of all of these.
  ['ORD-23', orderOf([soup], {}, { externalId: 'shop:\ud800' }), '400 externalId'],
  [
    'ORD-23',
    discounted('ten off', { appliedPromoCode: '\udbff' }),
    '400 checks[0].appliedDiscounts[0].appliedPromoCode',
  ],
  [
    'ORD-24',
    paid({ type: 'OTHER', otherPayment: { guid: guidOf('voucher') }, amount: 1.001 }),
    '400 checks[0].payments[0].amount',
  ],
  [
    'ORD-24',
    paid({ type: 'OTHER', otherPayment: { guid: guidOf('voucher') }, amount: 10_000_001 }),
    '400 checks[0].payments[0].amount',
  ],
  [
    'ORD-46',
    paid({ type: 'OTHER', otherPayment: { guid: guidOf('cash') }, amount: 1 }),
    '404 checks[0].payments[0].otherPayment',
  ],
  ['ORD-46', paid({ type: 'CASH', amount: 1 }), '400 checks[0].payments[0].type'],
  [
    'ORD-44',
    paid({ type: 'CREDIT', guid: guidOf('no payment'), amount: 1 }),
    '404 checks[0].payments[0].guid',
  ],
];

test('orders.place 400 404 ORD-1 ORD-5 ORD-6 ORD-11 ORD-12 ORD-13 ORD-14 ORD-16 ORD-17 ORD-18 ORD-19 ORD-20 ORD-21 ORD-22 ORD-23 ORD-24 ORD-44 ORD-46: each says where', async () => {
  for (const [rule, order, ...faults] of refused) {
    const answer = await fixture.place(order);
    const told = refusalOf(answer).map((text) => text.split(':')[0]);
    assert.deepEqual(
      told,
      faults,
      `${rule} ${JSON.stringify(order)} ${JSON.stringify(answer.body)}`,
    );
  }
  const { body } = await fixture.call('orders.list', { query: { businessDate: '20260301' } });
  assert.deepEqual(body, [], 'nothing was stored');
});

test('orders.place 400 ORD-2: all faults at once, whatever they are about', async () => {
  const order = orderOf(
    [select('Nothing'), select('Soup', { quantity: 'two' }), select('Secret')],
    { tabName: 7, payments: [{ type: 'CREDIT', guid: guidOf('none'), amount: 1 }] },
    { numberOfGuests: 0 },
  );
  const { status, body } = await fixture.place(order);
  assert.equal(status, 400);
  const told = refusalOf({ status, body, headers: {} }).map((text) => text.split(':')[0]);
  assert.deepEqual(told.sort(), [
    '400 checks[0].selections[1].quantity',
    '400 checks[0].tabName',
    '400 numberOfGuests',
    '404 checks[0].payments[0].guid',
    '404 checks[0].selections[0].item',
  ]);
});

test('orders.place ORD-4 ORD-26: the answer to orders.price, sent on, costs the same', async () => {
  const priced = await fixture.price(
    orderOf([select('Open', { quantity: 2, openPriceAmount: 3.5 })]),
  );
  const { body } = await fixture.place(priced.body);
  assert.deepEqual(totalsOf(body), [7, 0, 7]);
  assert.deepEqual(totalsOf(body), totalsOf(priced.body));
});

test('orders.place 413 ORD-11, 400 ORD-10: limits of size', async () => {
  const check = { selections: [] };
  const many = { ...ofKind('dine-in'), checks: Array.from({ length: 51 }, () => check) };
  assert.equal((await fixture.place(many)).status, 413);
  const half = { selections: Array.from({ length: 501 }, () => soup) };
  assert.equal((await fixture.place({ ...ofKind('dine-in'), checks: [half, half] })).status, 400);
  const toppings = Array.from({ length: 201 }, () => modify('Toppings', 'Bacon'));
  assert.equal((await fixture.place(burger(...toppings))).status, 400);
});

test('orders.place 200 ORD-4 ORD-15 ORD-18 ORD-43: what is not refused', async () => {
  const fine = [
    orderOf([]),
    orderOf([soup, { selectionType: 'SPECIAL_REQUEST', displayName: 'No salt' }]),
    orderOf([select('Open')], { appliedDiscounts: [] }, { guid: 'echoed', entityType: 'Order' }),
    orderOf([soup], {
      payments: [{ type: 'OTHER', amount: 99, otherPayment: { guid: guidOf('voucher') } }],
    }),
    customer({ phone: '(617) 555-0123', email: null }),
    orderOf([select('Soup', { externalId: '' })], { externalId: '' }, { externalId: '' }),
    orderOf([select('Soup', { externalId: '' })], { externalId: '' }, { externalId: '' }),
    delivered({ ...address, state: null, administrativeArea: 'MA' }),
  ];
  for (const order of fine) {
    const { status, body } = await fixture.place(order);
    assert.equal(status, 200, JSON.stringify(body));
  }
  const faultyPayment = { payments: [{ type: 'BARTER' }], externalId: 7 };
  const priced = await fixture.price(orderOf([soup], faultyPayment));
  assert.equal(priced.status, 400, 'an externalId must still be a text');
  assert.equal(
    (await fixture.price(orderOf([soup], { payments: [{ type: 'BARTER' }] }))).status,
    200,
  );
});
