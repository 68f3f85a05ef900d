import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MenusDocument as PricedMenus } from '@servery/pricing';
import { resolveMenus, withLastUpdated } from '../../../src/menus/document/resolve.ts';
import { schedulesOf } from '../../../src/menus/document/schedules.ts';
import {
  type Fields,
  groups,
  guidOf,
  items,
  menuOf,
  rates,
  resolved,
  sourceOf,
  type TestRestaurant,
} from './restaurant.ts';

const base = (price: number) => ({ pricing: { strategy: 'BASE_PRICE', price } });
const open = { pricing: { strategy: 'OPEN_PRICE' } };
const level = (name: string) => ({
  pricing: { strategy: 'PRICE_LEVEL', priceGroup: guidOf('priceGroups', name) },
});
const inMenu = (name: string, price: number) => ({
  pricing: {
    strategy: 'MENU_SPECIFIC_PRICE',
    price: 9,
    menuPrices: [{ menu: guidOf('menus', name), price }],
  },
});

test('menus MENU-1: archived objects and references to them are left out', () => {
  const { document, ...menus } = resolved({
    menus: {
      Menu: { groups: [guidOf('menuGroups', 'Group'), guidOf('menuGroups', 'Old group')] },
      'Old menu': { archived: true },
    },
    menuGroups: {
      Group: { items: items('Soup', 'Old soup') },
      'Old group': { archived: true },
    },
    menuItems: {
      Soup: {
        optionGroups: groups('Bread', 'Old bread'),
        taxRates: rates('Old tax'),
        salesCategory: guidOf('salesCategories', 'Old category'),
        itemTags: [guidOf('itemTags', 'Old tag')],
        ...level('Old level'),
      },
      'Old soup': { archived: true },
      Roll: {},
      'Old roll': { archived: true },
    },
    menuOptionGroups: {
      Bread: {
        options: items('Roll', 'Old roll'),
        preModifierGroup: guidOf('preModifierGroups', 'Old words'),
      },
      'Old bread': { archived: true },
    },
    taxRates: { 'Old tax': { archived: true } },
    salesCategories: { 'Old category': { archived: true } },
    itemTags: { 'Old tag': { archived: true } },
    priceGroups: { 'Old level': { ...base(5), archived: true } },
    preModifierGroups: { 'Old words': { archived: true, isDefault: true } },
  });
  assert.doesNotMatch(JSON.stringify(document), /Old/);
  assert.equal(document.menus.length, 1);
  assert.deepEqual(Object.keys(menus), ['resolution']);
  const nothing = resolveMenus(sourceOf({ menus: { Menu: { archived: true } } }));
  assert.ok(nothing.refusal === null && nothing.document === null && nothing.text === null);
});

test('menus MENU-2: other objects and the order of the source change no byte', () => {
  const restaurant = { ...menuOf(['Soup']), menuItems: { Soup: base(5) } };
  const { text } = resolved(restaurant).resolution;
  const more = { ...restaurant, printers: { Kitchen: {} }, discounts: { Friends: {} } };
  const source = sourceOf(more);
  const backwards = resolveMenus({ ...source, objects: [...source.objects].reverse() });
  assert.ok(backwards.refusal === null);
  assert.equal(backwards.text, text);
  assert.notEqual(resolved(restaurant, { timeZone: 'Europe/Berlin' }).resolution.text, text);
  const dated = JSON.parse(withLastUpdated(text ?? '', '2026-01-31T18:30:00.000+0000'));
  assert.deepEqual(Object.keys(dated).slice(0, 3), [
    ...['restaurantGuid', 'lastUpdated', 'restaurantTimeZone'],
  ]);
  assert.equal(dated.lastUpdated, '2026-01-31T18:30:00.000+0000');
});

test('menus MENU-11 MENU-12: the price of an item in its menu and group', () => {
  const dinner = [guidOf('menuGroups', 'Dinner')];
  const cases: readonly (readonly [string, Fields, Fields, unknown[]])[] = [
    ['its own', base(5), base(7), [5, 'BASE_PRICE']],
    ['of its group', {}, base(7), [7, 'BASE_PRICE']],
    ['of its group by name', { pricing: { strategy: 'GROUP_PRICE' } }, base(7), [7, 'BASE_PRICE']],
    ['of the group above', {}, {}, [12, 'BASE_PRICE']],
    ['of this menu', inMenu('Menu', 6), {}, [6, 'MENU_SPECIFIC_PRICE']],
    ['of another menu', inMenu('Other', 6), {}, [9, 'MENU_SPECIFIC_PRICE']],
    ['of its price level', level('Cheap'), {}, [3, 'BASE_PRICE']],
    ['of the price level of its group', {}, level('Open'), [null, 'OPEN_PRICE']],
    ['of a price level without a price', level('Bare'), base(7), [null, 'BASE_PRICE']],
    ['entered with the order', open, base(7), [null, 'OPEN_PRICE']],
  ];
  for (const [title, item, group, expected] of cases) {
    const { price, pricingStrategy } = resolved({
      menus: { Menu: { groups: dinner } },
      menuGroups: {
        Dinner: { ...base(12), subgroups: [guidOf('menuGroups', 'Soups')] },
        Soups: { items: items('Soup'), ...group },
      },
      menuItems: { Soup: item },
      priceGroups: { Cheap: base(3), Open: open, Bare: {} },
    }).item('Soup');
    assert.deepEqual([price, pricingStrategy], expected, title);
  }
  const unpriced = resolved({ ...menuOf(['Soup']), menuItems: { Soup: {} } }).item('Soup');
  const { price, pricingStrategy, pricingRules } = unpriced;
  assert.deepEqual([price, pricingStrategy, pricingRules], [null, 'BASE_PRICE', null]);
});

test('menus MENU-12 MENU-13: the price of an option by its group', () => {
  const group = (pricing: Fields) => ({ pricingMode: 'GROUP', groupPricing: pricing });
  const sequence = { strategy: 'SEQUENCE_PRICE', sequencePrices: [0, 1] };
  const override = { optionSettings: [{ item: guidOf('menuItems', 'Ham'), price: -0.5 }] };
  const cases: readonly (readonly [string, Fields, Fields, unknown[]])[] = [
    ['free', { pricingMode: 'NO_CHARGE' }, base(2), [0, 'GROUP_PRICE', 'NONE']],
    ['fixed', group({ strategy: 'FIXED_PRICE', price: 1 }), base(2), [1, 'GROUP_PRICE', 'NONE']],
    ['in order', group(sequence), base(2), [null, 'GROUP_PRICE', 'SEQUENCE_PRICE']],
    ['its own', {}, base(2), [2, 'BASE_PRICE', 'NONE']],
    ['override', override, base(2), [-0.5, 'BASE_PRICE', 'NONE']],
    ['of the menu', {}, inMenu('Menu', 4), [4, 'MENU_SPECIFIC_PRICE', 'NONE']],
    ['nobody priced it', {}, {}, [0, 'BASE_PRICE', 'NONE']],
    ['no group', {}, { pricing: { strategy: 'GROUP_PRICE' } }, [0, 'BASE_PRICE', 'NONE']],
    ['open', {}, open, [null, 'OPEN_PRICE', 'NONE']],
  ];
  for (const [title, fields, item, expected] of cases) {
    const menus = resolved({
      ...menuOf(['Soup'], base(12)),
      menuItems: { Soup: { optionGroups: groups('Extras') }, Ham: item },
      menuOptionGroups: { Extras: { options: items('Ham'), ...fields } },
    });
    const { price, pricingStrategy } = menus.option('Soup', 'Extras', 'Ham');
    const ofGroup = menus.group('Soup', 'Extras').pricingStrategy;
    assert.deepEqual([price, pricingStrategy, ofGroup], expected, title);
    const charged = title === 'free' ? [2] : [];
    const { noChargePrices } = menus.resolution.supplement;
    assert.deepEqual(
      noChargePrices.map(({ price }) => price),
      charged,
    );
  }
});

test('menus MENU-14 MENU-19: days with the same hours are together', () => {
  const at = (days: readonly ('SUNDAY' | 'MONDAY' | 'TUESDAY')[], start: string, end: string) => ({
    days,
    start,
    end,
  });
  const lunch = { start: '11:00', end: '13:59' };
  const dinner = { start: '18:00', end: '00:59' };
  assert.deepEqual(
    schedulesOf([
      at(['TUESDAY', 'MONDAY'], lunch.start, lunch.end),
      at(['SUNDAY'], dinner.start, dinner.end),
      at(['TUESDAY', 'MONDAY'], dinner.start, dinner.end),
      at(['MONDAY'], lunch.start, lunch.end),
    ]),
    [
      { days: ['MONDAY', 'TUESDAY'], timeRanges: [lunch, dinner] },
      { days: ['SUNDAY'], timeRanges: [dinner] },
    ],
  );
  const menu = (availability: Fields) =>
    resolved({ menus: { Menu: { availability } } }).document.menus[0]?.availability;
  assert.deepEqual(menu({ alwaysAvailable: true, schedule: [] }), { alwaysAvailable: true });
  const schedule = [
    { days: ['MONDAY'], timeRanges: [lunch] },
    { days: ['SUNDAY'], timeRanges: [lunch] },
  ];
  assert.deepEqual(menu({ alwaysAvailable: false, schedule }), {
    alwaysAvailable: false,
    schedule: [{ days: ['SUNDAY', 'MONDAY'], timeRanges: [lunch] }],
  });
});

test('menus MENU-15: an option with sizes costs by the size of the item or by its own', () => {
  const sized = (group: string) => ({
    pricing: { strategy: 'SIZE_PRICE', sizeGroup: guidOf('menuOptionGroups', group) },
  });
  const restaurant = (sizeBehavior: string, host: Fields): TestRestaurant => ({
    ...menuOf(['Pizza']),
    menuItems: {
      Pizza: { ...host, optionGroups: groups('Sides') },
      Salad: sized('Salad size'),
      ...{ Small: base(10), Large: base(16) },
      'Small salad': { ...base(3), name: 'Small' },
      'Large salad': { ...base(5), name: 'Large' },
    },
    menuOptionGroups: {
      Size: { options: items('Small', 'Large') },
      'Salad size': { options: items('Small salad', 'Large salad') },
      Sides: { options: items('Salad'), sizeBehavior },
    },
  });
  const shown = (sizeBehavior: string, host: Fields) => {
    const menus = resolved(restaurant(sizeBehavior, host));
    const salad = menus.option('Pizza', 'Sides', 'Salad');
    const { sizeSpecificPricingGuid, sizeSequencePricingRules = [] } = salad.pricingRules ?? {};
    return [
      salad.price,
      salad.pricingStrategy,
      sizeSpecificPricingGuid,
      sizeSequencePricingRules.map(({ sizeGuid, sequencePrices }) => [
        sizeGuid,
        sequencePrices.map(({ price }) => price),
      ]),
      menus.groupsOf(salad).map(({ name }) => name),
    ];
  };
  const own = [null, 'SIZE_PRICE', guidOf('menuOptionGroups', 'Salad size'), [], ['Salad size']];
  const ofItem = [
    ...[null, 'SIZE_PRICE', guidOf('menuOptionGroups', 'Size')],
    [
      [guidOf('menuItems', 'Small'), [3]],
      [guidOf('menuItems', 'Large'), [5]],
    ],
    [],
  ];
  assert.deepEqual(shown('ITEM_SIZE', sized('Size')), ofItem);
  assert.deepEqual(shown('OWN_SIZE', sized('Size')), own);
  assert.deepEqual(shown('ITEM_SIZE', base(5)), own);
});

test('menus MENU-16: taxes come from the nearest that says something', () => {
  const taxRates = { State: { isDefault: true }, City: {}, Spirits: {} };
  const cases: readonly (readonly [Fields, Fields, Fields, string[], string])[] = [
    [{}, {}, {}, ['State'], 'TAX_NOT_INCLUDED'],
    [{ taxRates: rates('City') }, {}, {}, ['City'], 'TAX_NOT_INCLUDED'],
    [{}, { taxRates: [] }, {}, [], 'TAX_NOT_INCLUDED'],
    [{}, { taxRates: [] }, { taxRates: rates('Spirits', 'City') }, ['Spirits', 'City'], ''],
    [{ taxInclusion: 'TAX_INCLUDED' }, {}, {}, ['State'], 'TAX_INCLUDED'],
    [{ taxInclusion: 'TAX_INCLUDED' }, {}, { taxInclusion: 'SMART_TAX' }, ['State'], 'SMART_TAX'],
  ];
  for (const [menu, group, item, expected, inclusion] of cases) {
    const { taxInfo, taxInclusion } = resolved({
      menus: { Menu: { groups: [guidOf('menuGroups', 'Group')], ...menu } },
      menuGroups: { Group: { items: items('Soup'), ...group } },
      menuItems: { Soup: item },
      taxRates,
    }).item('Soup');
    assert.deepEqual(taxInfo, rates(...expected));
    assert.equal(taxInclusion, inclusion || 'TAX_NOT_INCLUDED');
  }
});

test('menus MENU-17: how options are taxed, and what hangs on them', () => {
  const taxed = (behavior: string, taxRates: string[] | null) => ({
    ...{ modifierTaxBehavior: behavior, taxRates, optionGroups: groups('Nested') },
  });
  const cases: readonly (readonly [Fields, string[], boolean])[] = [
    [taxed('INHERIT', rates('City')), ['State'], false],
    [taxed('UNIQUE', rates('City')), ['City'], false],
    [taxed('UNIQUE', null), [], false],
    [taxed('OVERRIDE', rates('City')), ['City'], true],
  ];
  for (const [fields, expected, overrideItemTaxRates] of cases) {
    const menus = resolved({
      ...menuOf(['Soup']),
      menuItems: { Soup: { optionGroups: groups('Extras') }, Wine: fields, Ice: {} },
      menuOptionGroups: { Extras: { options: items('Wine') }, Nested: { options: items('Ice') } },
      taxRates: { State: { isDefault: true }, City: {} },
    });
    const wine = menus.option('Soup', 'Extras', 'Wine');
    const info = { taxRateGuids: rates(...expected), overrideItemTaxRates };
    assert.deepEqual(wine.modifierOptionTaxInfo, info);
    assert.deepEqual(wine.taxInfo, rates('State'));
    const [ice] = menus.groupsOf(wine).flatMap((group) => menus.optionsOf(group));
    assert.deepEqual(ice?.modifierOptionTaxInfo.taxRateGuids, rates(...expected));
    assert.equal(ice?.modifierOptionTaxInfo.overrideItemTaxRates, false);
  }
});

test('menus MENU-18: where something is shown, with the brand', () => {
  const all = ['POS', 'KIOSK', 'ACME_ONLINE_ORDERING', 'ORDERING_PARTNERS'];
  const cases: readonly (readonly [Fields, string[]])[] = [
    [{}, all],
    [{ orderableOnline: 'NO' }, ['POS', 'KIOSK']],
    [{ visibility: 'POS_ONLY' }, ['POS']],
    [{ visibility: 'NONE' }, []],
    [{ channels: ['ORDERING_PARTNERS', 'POS'] }, ['POS', 'ORDERING_PARTNERS']],
    [{ channels: ['PLATFORM_ONLINE_ORDERING'], visibility: 'NONE' }, ['ACME_ONLINE_ORDERING']],
  ];
  for (const [fields, expected] of cases) {
    const restaurant = (menu: Fields, group: Fields, item: Fields, option: Fields) =>
      resolved({
        menus: { Menu: { groups: [guidOf('menuGroups', 'Group')], ...menu } },
        menuGroups: { Group: { items: items('Soup'), ...group } },
        menuItems: { Soup: { optionGroups: groups('Extras'), ...item }, Ham: option },
        menuOptionGroups: { Extras: { options: items('Ham') } },
      });
    const above = [
      restaurant(fields, {}, {}, {}),
      restaurant({}, fields, {}, {}),
      restaurant({}, {}, fields, {}),
    ];
    for (const menus of above) {
      assert.deepEqual(menus.item('Soup').visibility, expected);
      assert.deepEqual(menus.group('Soup', 'Extras').visibility, expected);
      assert.deepEqual(menus.option('Soup', 'Extras', 'Ham').visibility, expected);
    }
    const below = restaurant({}, {}, {}, fields);
    assert.deepEqual(below.item('Soup').visibility, all);
    assert.deepEqual(below.option('Soup', 'Extras', 'Ham').visibility, expected);
  }
});

test('menus MENU-20: places that differ in nothing share an instance', () => {
  const menus = (fields: Fields) =>
    resolved({
      ...menuOf(['Soup', 'Stew']),
      menuItems: {
        Soup: { optionGroups: groups('Extras') },
        Stew: { optionGroups: groups('Extras'), ...fields },
        Ham: {},
        Half: { type: 'PORTION' },
      },
      menuOptionGroups: { Extras: { options: items('Ham'), portionsEnabled: true } },
      taxRates: { City: {} },
    });
  const cases: readonly (readonly [Fields, number, number])[] = [
    [{}, 1, 1],
    [base(5), 1, 1],
    [{ portions: items('Half') }, 1, 1],
    [{ visibility: 'POS_ONLY' }, 2, 2],
    [{ taxRates: rates('City') }, 2, 2],
    [{ defaultOptions: [] }, 1, 1],
    [
      {
        defaultOptions: [{ optionGroup: groups('Extras')[0], item: items('Ham')[0] }],
      },
      2,
      2,
    ],
  ];
  for (const [fields, groupCount, optionCount] of cases) {
    const { document } = menus(fields);
    assert.equal(Object.keys(document.modifierGroupReferences).length, groupCount);
    assert.equal(Object.keys(document.modifierOptionReferences).length, optionCount);
  }
});

test('menus MENU-22: own modifier groups come first, then inherited ones, each once', () => {
  const menus = resolved({
    menus: { Menu: { groups: [guidOf('menuGroups', 'Food')] } },
    menuGroups: {
      Food: { subgroups: [guidOf('menuGroups', 'Soups')], optionGroups: groups('To go', 'Notes') },
      Soups: {
        items: items('Soup', 'Tea'),
        optionGroups: groups('Bread'),
        inheritOptionGroups: true,
      },
    },
    menuItems: {
      Soup: { optionGroups: groups('Heat', 'Notes'), inheritOptionGroups: true },
      Tea: { optionGroups: groups('Heat') },
    },
    menuOptionGroups: { Heat: {}, Notes: {}, Bread: {}, 'To go': {} },
  });
  const names = (item: string) => menus.groupsOf(menus.item(item)).map(({ name }) => name);
  assert.deepEqual(names('Soup'), ['Heat', 'Notes', 'Bread', 'To go']);
  assert.deepEqual(names('Tea'), ['Heat']);
});

test('menus MENU-23: menus are in the order of code points', () => {
  const names = ['Ä', 'b', 'B', '\u{1F35C}', '\uFF21'];
  const { document } = resolved({ menus: Object.fromEntries(names.map((name) => [name, {}])) });
  assert.deepEqual(
    document.menus.map(({ name }) => name),
    ['B', 'b', 'Ä', '\uFF21', '\u{1F35C}'],
  );
});

test('menus MENU-24: masterId is the exact number, if it fits', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['123456789012345678', '123456789012345678'],
    ['9223372036854775807', '9223372036854775807'],
    ['9223372036854775808', 'null'],
    ['12345678901234567890123', 'null'],
    ['007', '7'],
    ['soup-1', 'null'],
  ];
  for (const [multiLocationId, expected] of cases) {
    const menu = { collection: 'menus' as const, guid: guidOf('menus', 'M'), archived: false };
    const [{ fields } = { fields: {} }] = sourceOf({ menus: { M: {} } }).objects;
    const objects = [{ ...menu, multiLocationId, fields }];
    const resolution = resolveMenus(sourceOf({}, { objects }));
    assert.ok(resolution.refusal === null);
    assert.match(resolution.text ?? '', new RegExp(`"masterId":${expected},`));
  }
});

test('menus MENU-25: an item that comes again below itself is cut there', () => {
  const menus = resolved({
    ...menuOf(['Combo', 'Fries']),
    menuItems: {
      Combo: { optionGroups: groups('Sides') },
      Fries: { optionGroups: groups('Sides') },
      Dip: {},
    },
    menuOptionGroups: { Sides: { options: items('Fries', 'Dip') } },
  });
  const fries = menus.option('Combo', 'Sides', 'Fries');
  const [again] = menus.groupsOf(fries).flatMap((group) => menus.optionsOf(group));
  assert.equal(again?.name, 'Fries');
  assert.deepEqual(again?.modifierGroupReferences, []);
  assert.deepEqual(menus.option('Fries', 'Sides', 'Fries').modifierGroupReferences, []);
  const [sides] = groups('Sides');
  assert.deepEqual(menus.resolution.cuts, [{ optionGroup: sides, item: items('Fries')[0] }]);
});

test('menus MENU-25: ten levels of modifier groups or menu groups, and not eleven', () => {
  const levels = (count: number): TestRestaurant => {
    const numbers = Array.from({ length: count }, (_, index) => index);
    return {
      ...menuOf(['item 0']),
      menuItems: Object.fromEntries([
        ...numbers.map((at) => [`item ${at}`, { optionGroups: groups(`group ${at}`) }]),
        [`item ${count}`, {}],
      ]),
      menuOptionGroups: Object.fromEntries(
        numbers.map((at) => [`group ${at}`, { options: items(`item ${at + 1}`) }]),
      ),
    };
  };
  assert.equal(Object.keys(resolved(levels(10)).document.modifierGroupReferences).length, 10);
  const refused = resolveMenus(sourceOf(levels(11)));
  assert.deepEqual(refused.refusal, {
    ...{ reason: 'TOO_DEEP', collection: 'menuOptionGroups' },
    ...{ guid: guidOf('menuOptionGroups', 'group 10'), name: 'group 10' },
  });
  const below = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [
      `group ${at}`,
      { subgroups: [guidOf('menuGroups', `group ${at + 1}`)] },
    ]),
  );
  const menus = { Menu: { groups: [guidOf('menuGroups', 'group 0')] } };
  const { refusal } = resolveMenus(sourceOf({ menus, menuGroups: below }));
  assert.ok(refusal?.reason === 'TOO_DEEP' && refusal.name === 'group 10');
});

test('menus MENU-29: tags, alcohol, pictures and all that is written as entered', () => {
  const entered = {
    ...{ kitchenName: 'SP', posName: 'Sp', description: 'Hot', prepTime: 60, sortOrder: 3 },
    ...{ calories: 0, guestCount: 2, length: 1, height: 2, width: 3, weight: 4 },
    ...{ dimensionUnitOfMeasure: 'CM', weightUnitOfMeasure: 'KG', isDeferred: true },
    isDiscountable: false,
  };
  const { document, ...menus } = resolved({
    ...menuOf(['Soup'], { salesCategory: guidOf('salesCategories', 'Food'), unitOfMeasure: 'LB' }),
    menuItems: {
      Soup: {
        ...entered,
        name: '',
        itemTags: [guidOf('itemTags', 'Vegetarian')],
        containsAlcohol: 'NO',
        images: [{ url: 'https://images.example/1' }, { url: 'https://images.example/2' }],
        inheritUnitOfMeasure: true,
      },
    },
    itemTags: { Vegetarian: {} },
    salesCategories: { Food: {} },
  });
  assert.ok(menus.resolution);
  const [soup] = document.menus[0]?.menuGroups[0]?.menuItems ?? [];
  assert.ok(soup);
  for (const [name, value] of Object.entries(entered)) {
    assert.equal(soup[name as keyof typeof soup], value, name);
  }
  const label = (name: string, collection: 'itemTags' | 'salesCategories') => ({
    name,
    guid: guidOf(collection, name),
  });
  assert.equal(soup.name, 'Missing name');
  assert.deepEqual(soup.itemTags, [label('Vegetarian', 'itemTags')]);
  assert.deepEqual(soup.salesCategory, label('Food', 'salesCategories'));
  assert.equal(soup.unitOfMeasure, 'LB');
  assert.deepEqual(soup.contentAdvisories, { alcohol: { containsAlcohol: 'NO' } });
  assert.equal(soup.image, 'https://images.example/1');
  assert.deepEqual(soup.images, ['https://images.example/1', 'https://images.example/2']);
});

test('menus MENU-30: a group takes its pre-modifiers, the default ones, or none', () => {
  const cases: readonly (readonly [Fields, string | null])[] = [
    [{}, 'Standard'],
    [{ preModifierGroup: guidOf('preModifierGroups', 'Sauces') }, 'Sauces'],
    [{ preModifierGroup: guidOf('preModifierGroups', 'Archived') }, 'Standard'],
    [{ allowPreModifiers: false }, null],
  ];
  for (const [fields, expected] of cases) {
    const { document, ...menus } = resolved({
      ...menuOf(['Soup']),
      menuItems: { Soup: { optionGroups: groups('Extras') } },
      menuOptionGroups: { Extras: fields },
      preModifierGroups: {
        Standard: { isDefault: true },
        Sauces: {},
        Archived: { archived: true },
      },
    });
    assert.ok(menus.resolution);
    const [extras] = Object.values(document.modifierGroupReferences);
    const reference = extras?.preModifierGroupReference ?? 0;
    assert.equal(document.preModifierGroupReferences[reference]?.name ?? null, expected);
  }
});

test('menus: what is resolved is what orders are priced by', () => {
  const { document } = resolved({ ...menuOf(['Soup']), menuItems: { Soup: base(5) } });
  const priced: PricedMenus = document;
  assert.equal(priced.menus.length, 1);
});
