/** Decisions that the worked examples leave open. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CheckRequest,
  type Discount,
  type PricedCheck,
  priceCheck,
  priceOrder,
  resolveCheck,
  type SelectionRequest,
} from '../src/index.ts';
import {
  buyOneGetOne,
  contextOf,
  discount,
  group,
  item,
  modify,
  option,
  percentTax,
  preModifier,
  rule,
  rules,
  select,
  sequence,
  type TestRestaurant,
  taxedBy,
} from './menu.ts';
import { faultsOf, priceOne, totalsOf } from './price.ts';

const use = (name: string) => ({ discount: { guid: name } });
const reasonsOf = (restaurant: TestRestaurant, check: CheckRequest) =>
  faultsOf(restaurant, check).map(({ place, reason }) => `${place} ${reason}`);

test('pricing ORD-14: every selection without a price is named, at its place', () => {
  const restaurant: TestRestaurant = {
    items: [
      item('Unpriced', null),
      item('Pizza', null, {
        pricingStrategy: 'SIZE_PRICE',
        pricingRules: rules({ sizeSpecificPricingGuid: 'Size' }),
        modifierGroupReferences: [1],
      }),
      item('Soup', 8, { modifierGroupReferences: [3] }),
    ],
    groups: { 1: group('Size', [2]), 3: group('Less', [4]) },
    options: { 2: option('Large', 16), 4: option('Half', -9) },
  };
  const selections = [
    select('Unpriced'),
    select('Pizza'),
    select('Soup', { modifiers: [modify('Less', 'Half')] }),
    select('Soup', { modifiers: [modify('Less', 'Gone')] }),
    select('Gone'),
  ];
  assert.deepEqual(reasonsOf(restaurant, { selections }), [
    'checks[0].selections[0] UNPRICED',
    'checks[0].selections[1] SIZE_MISSING',
    'checks[0].selections[2] BELOW_ZERO',
    'checks[0].selections[3].modifiers[0] NOT_IN_MENU',
    'checks[0].selections[4] NOT_IN_MENU',
  ]);
});

test('pricing ORD-26: an open item costs what was entered, and nothing if nothing was', () => {
  const items = [item('Catch of the day', null, { pricingStrategy: 'OPEN_PRICE' })];
  const selections = [
    select('Catch of the day', { openPriceAmount: 31.5, quantity: 2 }),
    select('Catch of the day'),
  ];
  assert.deepEqual(totalsOf(priceOne({ items }, { selections })), [6300, 0, 6300]);
});

test('pricing ORD-25: currencies without decimals, and with three, are priced in their units', () => {
  const total = (price: number, currencyExponent: number) =>
    priceOne(
      {
        items: [item('Soup', price, { taxInfo: ['sales'] })],
        configuration: { taxRates: [percentTax('sales', 0.1)] },
        settings: { currencyExponent },
      },
      { selections: [select('Soup')] },
    ).totalMinor;
  assert.equal(total(1205, 0), 1326);
  assert.equal(total(1.205, 3), 1326);
});

/** A bowl with toppings at 0.00, 0.50, 0.75 … for a small one and twice that for a large one. */
const bowls = (fields: Parameters<typeof group>[2] = {}): TestRestaurant => ({
  items: [
    item('Bowl', null, {
      pricingStrategy: 'SIZE_PRICE',
      pricingRules: rules({ sizeSpecificPricingGuid: 'Size' }),
      modifierGroupReferences: [1, 2],
    }),
  ],
  groups: {
    1: group('Size', [3, 4]),
    2: group('Toppings', [5, 6], {
      pricingStrategy: 'SIZE_SEQUENCE_PRICE',
      preModifierGroupReference: 7,
      pricingRules: rules({
        sizeSpecificPricingGuid: 'Size',
        sizeSequencePricingRules: [
          sequence('Small', [0, 0.5, 0.75]),
          sequence('Large', [0, 1, 1.5]),
        ],
      }),
      ...fields,
    }),
  },
  options: {
    3: option('Small', 5),
    4: option('Large', 7),
    5: option('Nuts', null, { pricingStrategy: 'GROUP_PRICE', isDefault: true }),
    6: option('Seeds', null, { pricingStrategy: 'GROUP_PRICE' }),
  },
  preModifiers: {
    7: [
      preModifier('NO', { multiplicationFactor: 0 }),
      preModifier('DOUBLE', { fixedPrice: 0, chargeAsExtra: true }),
    ],
  },
});

const modifierPrices = (restaurant: TestRestaurant, modifiers: readonly SelectionRequest[]) =>
  priceOne(restaurant, {
    selections: [select('Bowl', { modifiers })],
  }).selections[0]?.modifiers.map((one) => one.priceMinor);

test('pricing ORD-27 ORD-28: a double portion takes two places, one left out takes none', () => {
  const modifiers = [
    modify('Size', 'Large'),
    modify('Toppings', 'Seeds', { preModifier: { guid: 'NO' } }),
    modify('Toppings', 'Seeds', { preModifier: { guid: 'DOUBLE' } }),
    modify('Toppings', 'Nuts'),
  ];
  assert.deepEqual(modifierPrices(bowls(), modifiers), [0, 0, 100, 150]);
});

test('pricing ORD-27: a default is free once, takes no place, and costs when taken again', () => {
  const free = bowls({ defaultOptionsChargePrice: 'NO' });
  const modifiers = [
    modify('Size', 'Small'),
    modify('Toppings', 'Nuts'),
    modify('Toppings', 'Seeds'),
    modify('Toppings', 'Nuts'),
  ];
  assert.deepEqual(modifierPrices(free, modifiers), [0, 0, 0, 50]);
});

test('pricing ORD-27: a default that is taken away pays for its substitute as one left out', () => {
  const restaurant: TestRestaurant = {
    items: [item('Bowl', 10, { modifierGroupReferences: [1] })],
    groups: {
      1: group('Protein', [2, 3], {
        defaultOptionsChargePrice: 'NO',
        defaultOptionsSubstitutionPricing: 'YES',
        preModifierGroupReference: 4,
      }),
    },
    options: { 2: option('Chicken', 7, { isDefault: true }), 3: option('Salmon', 9) },
    preModifiers: { 4: [preModifier('NO', { multiplicationFactor: 0 })] },
  };
  const no = modify('Protein', 'Chicken', { preModifier: { guid: 'NO' } });
  assert.deepEqual(modifierPrices(restaurant, [no, modify('Protein', 'Salmon')]), [0, 200]);
  const kept = [modify('Protein', 'Chicken'), modify('Protein', 'Salmon')];
  assert.deepEqual(modifierPrices(restaurant, kept), [0, 900]);
});

test('pricing ORD-27: the place in a sequence decides, and nothing pays for what was left out', () => {
  const free = bowls({
    defaultOptionsChargePrice: 'NO',
    defaultOptionsSubstitutionPricing: 'YES',
    pricingRules: rules({
      sizeSpecificPricingGuid: 'Size',
      sizeSequencePricingRules: [sequence('Large', [2, 1])],
    }),
  });
  const modifiers = [modify('Size', 'Large'), modify('Toppings', 'Seeds')];
  assert.deepEqual(modifierPrices(free, modifiers), [0, 200]);
});

test('pricing ORD-27: a default on one half is not left out', () => {
  const restaurant: TestRestaurant = {
    items: [
      item('Bowl', 10, {
        modifierGroupReferences: [1],
        portions: [{ guid: 'Half', modifierGroupReferences: [1], priceScaleFactor: 0.5 }],
      }),
    ],
    groups: {
      1: group('Protein', [2, 3], {
        defaultOptionsChargePrice: 'NO',
        defaultOptionsSubstitutionPricing: 'YES',
      }),
    },
    options: {
      2: option('Chicken', 7, { isDefault: true }),
      3: option('Salmon', 9),
    },
  };
  const half = {
    selectionType: 'PORTION' as const,
    item: { guid: 'Half' },
    modifiers: [modify('Protein', 'Chicken')],
  };
  assert.deepEqual(modifierPrices(restaurant, [half, modify('Protein', 'Salmon')]), [0, 900]);
});

/** A pizza by size, with a side salad that has sizes of its own and a dressing. */
const withSide = (side: readonly SelectionRequest[]): TestRestaurant & { order: CheckRequest } => {
  const bySize = (name: string) => ({
    pricingStrategy: 'SIZE_PRICE' as const,
    pricingRules: rules({ sizeSpecificPricingGuid: name }),
  });
  return {
    items: [
      item('Pizza', null, {
        ...bySize('Size'),
        modifierGroupReferences: [1, 2],
        portions: [{ guid: 'Half', modifierGroupReferences: [2], priceScaleFactor: 0.5 }],
      }),
    ],
    groups: {
      1: group('Size', [3, 4]),
      2: group('Sides', [5]),
      6: group('Salad size', [7, 8]),
      9: group('Dressings', [10, 11]),
    },
    options: {
      3: option('Small', 10),
      4: option('Large', 16),
      5: option('Salad', null, { ...bySize('Salad size'), modifierGroupReferences: [6, 9] }),
      7: option('Small salad', 4, { name: 'Small' }),
      8: option('Large salad', 6, { name: 'Large' }),
      10: option('Caesar', null),
      11: option('Ranch', 1),
    },
    order: { selections: [select('Pizza', { modifiers: [modify('Size', 'Large'), ...side] })] },
  };
};
const priceOfSide = (...side: SelectionRequest[]) => {
  const restaurant = withSide(side);
  return priceOne(restaurant, restaurant.order).amountMinor - 1600;
};

test('pricing ORD-27: a modifier by size goes by its own size, else by the name of the item’s', () => {
  assert.equal(priceOfSide(modify('Sides', 'Salad')), 600);
  const small = modify('Salad size', 'Small salad');
  assert.equal(priceOfSide(modify('Sides', 'Salad', { modifiers: [small] })), 400);
});

test('pricing ORD-27: a modifier that lists its prices by size goes by the size of the item', () => {
  const bySize = rules({
    sizeSpecificPricingGuid: 'Size',
    sizeSequencePricingRules: [sequence('Small', [4]), sequence('Large', [6])],
  });
  const restaurant = withSide([modify('Sides', 'Salad')]);
  const salad = option('Salad', null, { pricingStrategy: 'SIZE_PRICE', pricingRules: bySize });
  const options = { ...restaurant.options, 5: salad };
  assert.equal(priceOne({ ...restaurant, options }, restaurant.order).amountMinor, 2200);
});

test('pricing ORD-29: what hangs on a modifier of a half costs half, and is free if unpriced', () => {
  const modifiers = [
    modify('Sides', 'Salad', {
      modifiers: [
        modify('Salad size', 'Small salad'),
        modify('Dressings', 'Caesar'),
        modify('Dressings', 'Ranch'),
      ],
    }),
  ];
  const half = { selectionType: 'PORTION' as const, item: { guid: 'Half' } };
  assert.equal(priceOfSide({ ...half, modifiers }), 250);
});

test('pricing ORD-28: an extra portion of a free option costs what the option would cost', () => {
  const restaurant: TestRestaurant = {
    items: [item('Bowl', 10, { modifierGroupReferences: [1] })],
    groups: { 1: group('Sauces', [2], { preModifierGroupReference: 3 }) },
    options: { 2: option('Chili', 0, { pricingStrategy: 'GROUP_PRICE' }) },
    preModifiers: { 3: [preModifier('EXTRA', { fixedPrice: 0, chargeAsExtra: true })] },
    supplement: { noChargePrices: [{ optionGroup: 'Sauces', item: 'Chili', price: 0.8 }] },
  };
  const extra = modify('Sauces', 'Chili', { preModifier: { guid: 'EXTRA' } });
  assert.deepEqual(modifierPrices(restaurant, [modify('Sauces', 'Chili'), extra]), [0, 80]);
});

/** A burger taxed by `state`, with modifiers that are taxed as given. */
const burger = (
  taxes: Readonly<Record<string, ReturnType<typeof taxedBy>>>,
  fields: Partial<TestRestaurant> = {},
): TestRestaurant => {
  const names = Object.keys(taxes);
  return {
    items: [item('Burger', 10, { taxInfo: ['state'], modifierGroupReferences: [99] })],
    groups: { 99: group('Toppings', [...names.keys()]) },
    options: Object.fromEntries(
      names.map((name, index) => [index, option(name, 1, taxes[name] ?? {})]),
    ),
    configuration: { taxRates: [percentTax('state', 0.1), percentTax('city', 0.5)] },
    ...fields,
  };
};
const taxOfBurger = (restaurant: TestRestaurant, ...names: string[]) =>
  priceOne(restaurant, {
    selections: [select('Burger', { modifiers: names.map((name) => modify('Toppings', name)) })],
  }).taxMinor;

test('pricing ORD-37: one overriding modifier sets the rates of the whole line, two set none', () => {
  const wine = taxedBy(['city'], true);
  const restaurant = burger({ Wine: wine, Beer: wine, Bacon: taxedBy(['state']) });
  assert.equal(taxOfBurger(restaurant, 'Bacon'), 110);
  assert.equal(taxOfBurger(restaurant, 'Wine', 'Bacon'), 600);
  assert.equal(taxOfBurger(restaurant, 'Wine', 'Beer', 'Bacon'), 130);
});

test('pricing ORD-38: a modifier taxed by itself is rounded apart, also at the same rate', () => {
  const configuration = {
    taxRates: [percentTax('state', 0.105, { roundingType: 'ALWAYS_UP' })],
  };
  const taxes = { Wine: taxedBy(['state']) };
  const items = [item('Burger', 10.1, { taxInfo: ['state'], modifierGroupReferences: [99] })];
  // 11.10 → 1.1655; 10.10 → 1.0605 and 1.00 → 0.105.
  assert.equal(taxOfBurger(burger(taxes, { configuration, items }), 'Wine'), 117);
  const supplement = { uniquelyTaxedItems: ['Wine'] };
  assert.equal(taxOfBurger(burger(taxes, { configuration, items, supplement }), 'Wine'), 118);
});

test('pricing ORD-37: a size that is taxed by itself gives its rates to the item', () => {
  const restaurant: TestRestaurant = {
    items: [
      item('Drink', null, {
        pricingStrategy: 'SIZE_PRICE',
        pricingRules: rules({ sizeSpecificPricingGuid: 'Size' }),
        taxInfo: ['state'],
        modifierGroupReferences: [1],
      }),
    ],
    groups: { 1: group('Size', [2, 3]) },
    options: {
      2: option('Small', 4, taxedBy(['state'])),
      3: option('Large', 6, taxedBy(['city'])),
    },
    configuration: { taxRates: [percentTax('state', 0.1), percentTax('city', 0.5)] },
  };
  const tax = (size: string) =>
    priceOne(restaurant, { selections: [select('Drink', { modifiers: [modify('Size', size)] })] })
      .taxMinor;
  assert.equal(tax('Small'), 40);
  assert.equal(tax('Large'), 300);
});

test('pricing ORD-37 ORD-39: an exempt guest pays no tax, and the net of an included price', () => {
  const configuration = { taxRates: [percentTax('sales', 0.07)] };
  const items = [
    item('Soup', 10, { taxInfo: ['sales'], taxInclusion: 'TAX_INCLUDED' }),
    item('Salad', 10, { taxInfo: ['sales'] }),
  ];
  const selections = [select('Soup'), select('Salad')];
  const check = priceOne({ items, configuration }, { selections, taxExempt: true });
  assert.deepEqual(totalsOf(check), [1935, 0, 1935]);
  assert.deepEqual(
    check.selections.flatMap(({ appliedTaxes }) => appliedTaxes),
    [],
  );
});

test('pricing ORD-30: a special request costs nothing and is not taxed', () => {
  const items = [item('Soup', 8)];
  const request = { selectionType: 'SPECIAL_REQUEST' as const };
  const selections = [select('Soup', { modifiers: [request] }), request];
  assert.deepEqual(totalsOf(priceOne({ items }, { selections })), [800, 0, 800]);
});

const bogo = (fields: Partial<Discount>): Discount => ({ ...buyOneGetOne, ...fields });

test('pricing ORD-33: the cheapest unit is free, and what it was bought with is named', () => {
  const configuration = { discounts: [bogo({ itemPickingPriority: 'LEAST_EXPENSIVE' })] };
  const items = [item('Steak', 30), item('Soup', 8), item('Salad', 9)];
  const check = priceOne(
    { items, configuration },
    {
      selections: [select('Steak', { quantity: 2 }), select('Salad'), select('Soup')],
      appliedDiscounts: [use('buy one, get one')],
    },
  );
  assert.deepEqual(
    check.selections.map(({ isSplit, priceMinor }) => [isSplit, priceMinor]),
    [
      [false, 6000],
      [false, 900],
      [false, 0],
    ],
  );
  const [given] = check.selections[2]?.appliedDiscounts ?? [];
  assert.deepEqual(given?.triggers, [{ selection: 0, quantity: 1 }]);
});

test('pricing ORD-33: an order sent again as it was answered has the same prices', () => {
  const context = contextOf({
    items: [item('Soup', 8), item('Tea', 3)],
    configuration: { discounts: [buyOneGetOne] },
  });
  const price = (check: CheckRequest) => {
    const order = { diningOption: { guid: 'dine-in' }, checks: [check] };
    return priceOrder(order, context).priced?.checks[0];
  };
  const first = price({
    selections: [select('Tea'), select('Soup', { quantity: 4 })],
    appliedDiscounts: [use('buy one, get one'), use('buy one, get one')],
  });
  const names = ['Tea', 'Soup'];
  const echo = (first?.selections ?? []).map((one) =>
    select(names[one.requestIndex] ?? '', {
      quantity: one.quantity,
      appliedDiscounts: one.appliedDiscounts.map(({ request }) => request),
      splitOrigin: one.isSplit ? { guid: null } : null,
    }),
  );
  assert.deepEqual(
    first?.selections.map(({ quantity }) => quantity),
    [1, 2, 1, 1],
  );
  const amounts = (check: PricedCheck | undefined) =>
    check?.selections.map(({ priceMinor }) => priceMinor);
  assert.deepEqual(amounts(first), [300, 1600, 0, 0]);
  assert.deepEqual(amounts(price({ selections: echo })), amounts(first));
});

test('pricing ORD-33: a BOGO that finds nothing to buy or to give is a fault, not a free meal', () => {
  const side = (name: string) => ({ items: [name], groups: [], quantity: 1 });
  const get = { ...side('Soup'), amountType: 'FIXED' as const, value: 2 };
  const configuration = {
    discounts: [bogo({ rule: rule({ buy: side('Steak'), get }) })],
  };
  const restaurant = { items: [item('Steak', 30), item('Soup', 8)], configuration };
  const appliedDiscounts = [use('buy one, get one')];
  const reasons = (...names: string[]) =>
    reasonsOf(restaurant, { selections: names.map((name) => select(name)), appliedDiscounts });
  const place = 'checks[0].appliedDiscounts[0]';
  assert.deepEqual(reasons('Soup'), [`${place} BOGO_WITHOUT_BUY_ITEMS`]);
  assert.deepEqual(reasons('Steak'), [`${place} BOGO_WITHOUT_GET_ITEMS`]);
  assert.deepEqual(reasons('Steak', 'Soup'), []);
});

test('pricing ORD-31: a discount outside of its rule is refused', () => {
  const limits: Readonly<Record<string, Discount['rule']>> = {
    'above 8': rule({ minCheckAmount: 8 }),
    'above 7.99': rule({ minCheckAmount: 7.99 }),
    'below 8': rule({ maxCheckAmount: 8 }),
    'below 8.01': rule({ maxCheckAmount: 8.01 }),
    'take-out': rule({ diningOptions: ['take-out'] }),
    tomorrow: rule({ startDate: '2026-03-05' }),
    'until today': rule({ endDate: '2026-03-04' }),
    'until yesterday': rule({ endDate: '2026-03-03' }),
    sundays: rule({ days: ['SUNDAY'] }),
    'until noon': rule({ days: ['WEDNESDAY'], times: [{ start: '08:00', end: '12:00' }] }),
    'after noon': rule({ times: [{ start: '12:01', end: '20:00' }] }),
    'with tea': rule({ requiredItems: ['Tea'] }),
    'with food': rule({ requiredGroups: ['All'] }),
  };
  const discounts = Object.entries(limits).map(([name, one]) =>
    discount(name, { type: 'FIXED', amount: 1, rule: one }),
  );
  const restaurant = { items: [item('Soup', 8)], configuration: { discounts } };
  const refused = Object.keys(limits).filter((name) => {
    const check = { selections: [select('Soup')], appliedDiscounts: [use(name)] };
    return reasonsOf(restaurant, check).length > 0;
  });
  assert.deepEqual(refused, [
    ...['above 8', 'below 8', 'take-out', 'tomorrow', 'until yesterday', 'sundays'],
    ...['after noon', 'with tea'],
  ]);
});

test('pricing ORD-31: an item discount stays off items that it is not for', () => {
  const ofSoup = discount('of soup', {
    percentage: 50,
    selectionType: 'ITEM',
    rule: rule({ items: ['Soup'] }),
  });
  const restaurant = {
    items: [item('Soup', 8), item('Tea', 3)],
    configuration: { discounts: [ofSoup] },
  };
  const reasons = (name: string) =>
    reasonsOf(restaurant, { selections: [select(name, { appliedDiscounts: [use('of soup')] })] });
  assert.deepEqual(reasons('Soup'), []);
  assert.deepEqual(reasons('Tea'), [
    'checks[0].selections[0].appliedDiscounts[0] DISCOUNT_RULE_NOT_MET',
  ]);
});

test('pricing ORD-34: an excluded item keeps its price, and the others bear the discount', () => {
  const offers = [
    discount('5 off', { type: 'FIXED', amount: 5, rule: rule({ excludedItems: ['Tea'] }) }),
  ];
  const check = priceOne(
    {
      items: [item('Soup', 4), item('Tea', 3)],
      configuration: { discounts: offers },
    },
    { selections: [select('Soup'), select('Tea')], appliedDiscounts: [use('5 off')] },
  );
  assert.deepEqual(
    check.selections.map(({ priceMinor }) => priceMinor),
    [0, 300],
  );
  assert.equal(check.appliedDiscounts[0]?.discountMinor, 400);
});

test('pricing ORD-35: an exclusive discount goes with no other one', () => {
  const configuration = {
    discounts: [
      discount('exclusive', { percentage: 10, nonExclusive: false }),
      discount('other exclusive', { percentage: 10, nonExclusive: false }),
      discount('open to all', { percentage: 10 }),
      discount('of item', { percentage: 10, selectionType: 'ITEM', nonExclusive: false }),
    ],
  };
  const restaurant = { items: [item('Soup', 8)], configuration };
  const count = (ofItem: string[], ...ofCheck: string[]) =>
    reasonsOf(restaurant, {
      selections: [select('Soup', { appliedDiscounts: ofItem.map(use) })],
      appliedDiscounts: ofCheck.map(use),
    }).filter((one) => one.endsWith(' DISCOUNT_EXCLUSIVE')).length;
  assert.equal(count([], 'exclusive'), 0);
  assert.equal(count([], 'exclusive', 'open to all'), 0);
  assert.equal(count(['of item'], 'open to all'), 0);
  assert.equal(count([], 'exclusive', 'other exclusive'), 2);
  assert.equal(count(['of item'], 'exclusive'), 1);
});

test('pricing ORD-42: what was ordered keeps its price, while taxes follow the configuration', () => {
  const at = (price: number, rate: number) =>
    contextOf({
      items: [item('Soup', price, { taxInfo: ['sales'] })],
      configuration: { taxRates: [percentTax('sales', rate)] },
    });
  const soup = { selections: [select('Soup')] };
  const read = (price: number) => {
    const context = at(price, 0.1);
    const result = resolveCheck(soup, { guid: 'dine-in' }, 'checks[0]', context);
    assert.ok(result.priced);
    return result.priced;
  };
  const [before, after] = [read(8), read(9)];
  const stored: typeof before = JSON.parse(JSON.stringify(before));
  const selections = [...stored.selections, ...after.selections].map((one, requestIndex) => ({
    ...one,
    requestIndex,
  }));
  const result = priceCheck({ ...stored, selections }, 'checks[0]', at(9, 0.2));
  assert.deepEqual(result.priced && totalsOf(result.priced), [1700, 340, 2040]);
  const voided = selections.map((one, index) => ({
    ...one,
    resolved: { ...one.resolved, isVoided: index === 0 },
  }));
  const rest = priceCheck({ ...stored, selections: voided }, 'checks[0]', at(9, 0.2));
  assert.deepEqual(rest.priced && totalsOf(rest.priced), [900, 180, 1080]);
});
