import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPaymentFixture, type PaymentFixture } from '../payments/fixture.ts';
import { orderOf, totalsOf } from './fixture.ts';
import { openKitchenFixture } from './kitchen-fixture.ts';
import { guidOf, item, select } from './menu.ts';

let payments: PaymentFixture;
before(async () => {
  payments = await openPaymentFixture();
});
after(() => payments.close());

type Fields = Readonly<Record<string, unknown>>;

const percent = (rate: number) => ({ type: 'PERCENT', rate, roundingType: 'HALF_UP' });
const discount = (fields: Fields) => ({ active: true, nonExclusive: true, ...fields });
const applied = (name: string) => ({ discount: { guid: guidOf(name) } });
const charged = (name: string) => ({ serviceCharge: { guid: guidOf(name) } });
const taxed = (name: string, price: number, fields: Fields = {}) =>
  item(name, price, { taxInfo: ['T1'], ...fields });

const discountedOrder = {
  menu: { items: [taxed('A', 20), taxed('B', 10.01), taxed('C', 4.99, { isDiscountable: false })] },
  configuration: {
    taxRates: { T1: percent(0.08) },
    discounts: {
      tenth: discount({
        ...{ type: 'PERCENT', percentage: 10, selectionType: 'CHECK' },
        rule: { minCheckAmount: 30 },
      }),
      five: discount({ type: 'FIXED', amount: 5, selectionType: 'CHECK' }),
    },
    serviceCharges: {
      service: {
        ...{ amountType: 'PERCENT', percent: 12, taxable: true, criteria: {} },
        ...{ applicableTaxes: [guidOf('T1')], serviceChargeCalculation: 'POST_DISCOUNT' },
      },
    },
  },
  order: orderOf([select('A'), select('B'), select('C')], {
    appliedDiscounts: [applied('tenth'), applied('five')],
    appliedServiceCharges: [charged('service')],
  }),
};

const brackets = [
  [0, 0.1, 0, false],
  [0.11, 0.17, 0.01, true],
  [0.18, 0.34, 0.02, true],
  [0.35, 0.5, 0.03, true],
  [0.51, 0.67, 0.04, true],
  [0.68, 0.84, 0.05, true],
  [0.85, 1.1, 0.06, true],
].map(([start, end, tax, pattern]) => ({ start, end, tax, pattern }));

const tableOrder = {
  menu: { items: [taxed('X', 2.5), taxed('Y', 1.62)] },
  configuration: { taxRates: { T1: { type: 'TABLE', rate: null, taxTable: brackets } } },
  order: orderOf([select('X'), select('Y')]),
};

const bogoOrder = {
  menu: { items: [taxed('Soup', 8.99)] },
  configuration: {
    taxRates: { T1: percent(0.0625) },
    discounts: {
      bogo: discount({
        ...{ type: 'BOGO', selectionType: 'BOGO' },
        rule: {
          buy: { items: [], groups: [], quantity: 1 },
          get: { items: [], groups: [], quantity: 1, amountType: 'PERCENT', value: 100 },
        },
      }),
    },
  },
  order: orderOf([select('Soup', { quantity: 3 })], { appliedDiscounts: [applied('bogo')] }),
};

const cases = [
  {
    title: 'of E7, its discounts stay, though the rule of one is no longer met',
    ...discountedOrder,
    voided: 0,
    totals: [10.64, 0.85, 11.49],
    prices: [0, 4.51, 4.99],
  },
  {
    title: 'of E12, the tax table is looked up again',
    ...tableOrder,
    voided: 1,
    totals: [2.5, 0.15, 2.65],
    prices: [2.5, 0],
  },
  {
    title: 'of E13, what was given is paid when nothing is bought',
    ...bogoOrder,
    voided: 0,
    totals: [8.99, 0.56, 9.55],
    prices: [0, 8.99],
  },
  {
    title: 'of E13, what was given takes its discount with it',
    ...bogoOrder,
    voided: 1,
    totals: [17.98, 1.12, 19.1],
    prices: [17.98, 0],
  },
];

for (const { title, menu, configuration, order, voided, totals, prices } of cases) {
  test(`ORD-41 ORD-42: with a selection voided ${title}`, async () => {
    const fixture = await openKitchenFixture({ payments, menu, configuration });
    const placed = await fixture.place(order);
    assert.equal(placed.status, 200, JSON.stringify(placed.body));
    const selectionGuid = placed.body.checks[0].selections[voided].guid;
    const named = { selectionGuid };
    const answer = await fixture.decide('selections.void', placed.body.guid, {}, named);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(totalsOf(answer.body.order), totals);
    const shown = answer.body.order.checks[0].selections;
    assert.deepEqual(
      shown.map(({ price }: { price: number }) => price),
      prices,
    );
    assert.equal(shown[voided].guid, selectionGuid);
    assert.equal(shown[voided].voided, true);
  });
}

test('ORD-57: a voided selection lowers the gratuity of E14, so the check is paid', async () => {
  const fixture = await openKitchenFixture({
    payments,
    menu: { items: [taxed('Roast', 60), taxed('Wine', 40)] },
    configuration: {
      taxRates: { T1: percent(0.05) },
      serviceCharges: {
        service: {
          ...{ amountType: 'PERCENT', percent: 18, gratuity: true, taxable: false, criteria: {} },
          ...{ applicableTaxes: [], serviceChargeCalculation: 'PRE_DISCOUNT' },
        },
      },
    },
  });
  const { body: order } = await fixture.place(
    orderOf([select('Roast'), select('Wine')], { appliedServiceCharges: [charged('service')] }),
  );
  const [check] = order.checks;
  assert.equal(check.appliedServiceCharges[0].chargeAmount, 18);
  const cash = { type: 'CASH', amount: 63, tipAmount: 10.8 };
  const at = { checkGuid: check.guid };
  const { body: paid } = await fixture.decide('payments.add', order.guid, cash, at);
  assert.equal(paid.order.checks[0].paymentStatus, 'OPEN');
  const named = { selectionGuid: check.selections[1].guid };
  const { body } = await fixture.decide('selections.void', order.guid, {}, named);
  const [left] = body.order.checks;
  assert.deepEqual(totalsOf(body.order), [60, 3, 63]);
  assert.equal(left.appliedServiceCharges[0].chargeAmount, 10.8);
  assert.equal(left.paymentStatus, 'CLOSED');
});

test('backOffice.orders.selections.void 409: a discount of the check is not published anymore', async () => {
  const { menu, configuration, order } = discountedOrder;
  const fixture = await openKitchenFixture({ payments, menu, configuration });
  const placed = await fixture.place(order);
  await fixture.archive('discounts', 'tenth');
  const [{ guid: selectionGuid }] = placed.body.checks[0].selections;
  const { guid } = placed.body;
  const answer = await fixture.decide('selections.void', guid, {}, { selectionGuid });
  assert.equal(answer.status, 409, JSON.stringify(answer.body));
  assert.match(JSON.stringify(answer.body), /tenth|appliedDiscounts/);
  assert.deepEqual(totalsOf((await fixture.get(guid)).body), totalsOf(placed.body));
});
