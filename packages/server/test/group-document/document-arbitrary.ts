import {
  type CollectionName,
  collectionReferences,
  collections,
  type ReferenceField,
} from '@servery/contract';
import fc from 'fast-check';
import { anyUrl } from '../../../support/test/any-character.ts';
import { hasMultiLocationId } from '../../src/configuration/document/identity.ts';
import type { JsonSchema } from '../../src/document/field-schema.ts';
import { groupDocumentSchema } from '../../src/group-document/schema.ts';
import { fitted } from './fitted-objects.ts';
import { anyText, anyValue, type Special } from './schema-arbitrary.ts';

type Fields = Record<string, unknown>;

const definitions = groupDocumentSchema().$defs as Readonly<Record<string, JsonSchema>>;
const AREA = '_p~iF~ps|U_ulLnnqC_mqNvxq`@';

/** Values of RestaurantInfo that only a rule can tell, found by what the schema says of them. */
const infoValues: Special = ({ description }) => {
  const says = (words: string) => String(description).includes(words);
  if (says('IANA')) return fc.constantFrom('Asia/Tokyo', 'America/St_Johns', 'Europe/Rome', 'UTC');
  if (says('ISO 4217')) return fc.constantFrom('USD', 'JPY', 'KWD', 'EUR');
  if (says('yyyyMMdd')) return fc.constantFrom(null, 20240229, 19991231);
  if (says('encoded polyline')) return fc.constantFrom(null, AREA);
  if (/Its website|Where guests (order|buy|check)/.test(String(description))) {
    return fc.option(anyUrl, { nil: null });
  }
  if (says('Phone number')) return fc.constantFrom(null, '617 555-0100', '(030) 0147 x3');
  if (says('Phone country code')) return fc.constantFrom(null, '1', '81', '965');
  if (says('When the restaurant is open')) return schedules;
  if (says('Name that guests see')) return anyText.map((text) => `R${text}`);
  return null;
};

const DAYS = {
  1: { scheduleName: 'Closed', services: [] },
  20: {
    scheduleName: 'Night',
    services: [
      {
        name: 'Late',
        hours: { startTime: '22:00:00.000', endTime: '00:00:00.000' },
        overnight: true,
      },
    ],
    openTime: '22:00:00.000',
    closeTime: '00:00:00.000',
  },
};

const weekday = fc.constantFrom(null, ...Object.keys(DAYS));
const schedules = fc.record(
  {
    daySchedules: fc.constant(DAYS),
    weekSchedule: fc.record({ monday: weekday, sunday: weekday }),
  },
  { requiredKeys: ['daySchedules'] },
);

/** Nothing that names another thing or itself: those are filled in when all things are known. */
const fieldsOf = (collection: (typeof collections)[number]): fc.Arbitrary<Fields> => {
  const { properties = {}, ...schema } = definitions[collection.object] ?? {};
  const apart = new Set(['guid', 'key', 'multiLocationId', 'promoCodes']);
  for (const { field } of collectionReferences[collection.name]) apart.add(fieldOf(field));
  const kept = Object.entries(properties).filter(([name]) => !apart.has(name));
  const own = { ...schema, properties: Object.fromEntries(kept) };
  return anyValue(own, () => null).map((fields) => fitted(collection.name, fields as Fields));
};

/** Where a reference is inside an object: `pricing` for `pricing.menuPrices[].menu`. */
const fieldOf = (path: string) => /^\w+/.exec(path)?.[0] ?? path;

const objectsOf = fc
  .record(
    Object.fromEntries(
      collections.map((collection) => [
        collection.name,
        fc.array(fc.tuple(fieldsOf(collection), fc.array(fc.nat(), { maxLength: 4 })), {
          maxLength: 4,
        }),
      ]),
    ),
  )
  .map((lists) => {
    const sizes = new Map(Object.entries(lists).map(([name, list]) => [name, list.length]));
    const entries = Object.entries(lists).map(([name, list]) => [
      name,
      list.map(([fields, picks], index) =>
        identified(name as CollectionName, { ...fields }, picks, index, sizes),
      ),
    ]);
    return withLiveTaxes(Object.fromEntries(entries) as Record<CollectionName, Fields[]>);
  });

/** Gives an object its key, references that `picks` choose, and what is unique about it. */
function identified(
  name: CollectionName,
  fields: Fields,
  picks: readonly number[],
  index: number,
  sizes: ReadonlyMap<string, number>,
): Fields {
  const direct = collectionReferences[name].filter(({ field }) => fieldOf(field) === field);
  const references = direct.map((reference) => [
    reference.field,
    picked(reference, picks, index, sizes.get(reference.target) ?? 0),
  ]);
  const entries = Object.fromEntries(references.filter(([, value]) => value !== undefined));
  return {
    key: `${name} ${index}`,
    ...fields,
    ...entries,
    ...nested(name, entries, picks, sizes),
    ...(picks.length > 2 && hasMultiLocationId(name) ? { multiLocationId: `shared ${index}` } : {}),
    ...(name === 'discounts' ? { promoCodes: promoCodes(picks, index) } : {}),
  };
}

/** Menus must not name archived taxes. */
function withLiveTaxes(objects: Record<CollectionName, Fields[]>) {
  const archived = new Set(objects.taxRates.filter((tax) => tax.archived).map(({ key }) => key));
  for (const name of ['menus', 'menuGroups', 'menuItems'] as const) {
    objects[name] = objects[name].map((object) => ({
      ...object,
      taxRates: (object.taxRates as readonly string[]).filter((key) => !archived.has(key)),
    }));
  }
  return objects;
}

/** References inside a field, in values that keep the rules. */
function nested(
  name: CollectionName,
  { options = [] }: { readonly options?: readonly string[] },
  picks: readonly number[],
  sizes: ReadonlyMap<string, number>,
): Fields {
  const [pick = 0, price = 1] = picks;
  const chosen = (target: CollectionName) => {
    const size = sizes.get(target) ?? 0;
    return size > 0 ? [`${target} ${pick % size}`] : [];
  };
  const base = { strategy: 'BASE_PRICE', price: price % 1_000 };
  const perMenu = chosen('menus').map((menu) => ({ menu, price: 2 }));
  switch (name) {
    case 'menuItems':
      return {
        pricing:
          perMenu.length > 0
            ? { ...base, strategy: 'MENU_SPECIFIC_PRICE', menuPrices: perMenu }
            : null,
        portions: [],
      };
    case 'menuGroups':
    case 'priceGroups':
      return { pricing: base };
    case 'menuOptionGroups':
      return { optionSettings: options.slice(0, 1).map((item) => ({ item, isDefault: true })) };
    case 'discounts':
      return { rule: { items: chosen('menuItems'), diningOptions: chosen('diningOptions') } };
    default:
      return {};
  }
}

function picked(
  { field, target, many }: ReferenceField,
  picks: readonly number[],
  index: number,
  size: number,
): unknown {
  const keys = picks.filter(() => size > 0).map((pick) => `${target} ${pick % size}`);
  // Menus and groups are told upwards only; the way down follows, and it has no circle.
  if (field === 'groups' || field === 'subgroups') return undefined;
  if (field === 'parent' && target === 'menuGroups') {
    return index > 0 && picks.length > 1 ? `menuGroups ${(picks[1] ?? 0) % index}` : null;
  }
  return many ? [...new Set(keys)] : (keys[0] ?? null);
}

function promoCodes(picks: readonly number[], discount: number): Fields[] {
  return picks.map((pick, index) => ({
    code: `CODE-${discount}-${index}`,
    name: `é${pick}`,
    ...(pick % 2 === 0 ? { usageType: 'SINGLE_USE_PHONE' } : {}),
  }));
}

const tipWithholding = fc.option(
  anyValue(definitions.Configuration?.properties?.tipWithholding ?? {}, ({ format }) =>
    format === 'uuid' ? fc.constant(undefined) : null,
  ).map((value) => withoutUndefined(value as Fields | null)),
  { nil: null },
);

function withoutUndefined(fields: Fields | null): Fields | null {
  if (!fields) return null;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const restaurant = fc
  .record({
    info: anyValue(definitions.Restaurant?.properties?.info ?? {}, infoValues),
    objects: objectsOf,
    tipWithholding,
    stock: fc.array(fc.option(fc.integer({ min: 1, max: 9_999_999 })), { maxLength: 4 }),
  })
  .map(({ info, objects, tipWithholding: tips, stock }) => ({
    info: located(info as Record<string, Fields>),
    configuration: { ...objects, tipWithholding: tips },
    stock: stock.slice(0, objects.menuItems.length).map((units, index) => ({
      item: `menuItems ${index}`,
      ...(units === null
        ? { status: 'OUT_OF_STOCK' }
        : { status: 'QUANTITY', quantity: units / 10_000 }),
    })),
  }));

/** A place has both coordinates or none. */
function located(info: Record<string, Fields>): Record<string, Fields> {
  const { latitude = null, longitude = null, ...location } = info.location ?? {};
  const isPlace = latitude !== null && longitude !== null;
  return { ...info, location: isPlace ? { ...location, latitude, longitude } : location };
}

const scopes = fc.subarray([
  'credit_cards.authorization:write',
  'stock:read',
  'stock:write',
  'config:read',
  'restaurants:read',
  'menus:read',
]);

/** Any sound group document: up to three restaurants, every collection, every field. */
export const anyDocument: fc.Arbitrary<Fields> = fc
  .record({
    name: anyText.map((text) => `G${text}`),
    restaurants: fc.array(restaurant, { maxLength: 3 }),
    partners: fc.array(anyText, { maxLength: 3 }),
    clients: fc.array(fc.record({ name: anyText, scopes, pick: fc.nat() }), { maxLength: 3 }),
    connections: fc.array(fc.tuple(fc.nat(), fc.nat(), anyText), { maxLength: 5 }),
  })
  .map(({ name, restaurants, partners, clients, connections }) => ({
    format: 'servery.group/1',
    managementGroup: { name },
    partners: partners.map((partner, index) => ({ key: `p${index}`, name: `P${partner}` })),
    clients: clients.map((client, index) => ({
      key: `c${index}`,
      name: `C${client.name}`,
      scopes: client.scopes,
      ...(partners.length > 0 && client.pick % 2 === 0
        ? { userAccessType: 'PARTNER', partner: `p${client.pick % partners.length}` }
        : { userAccessType: 'CUSTOMER' }),
    })),
    restaurants: restaurants.map((each, index) => ({ key: `r${index}`, ...each })),
    connections: uniqueConnections(connections, partners.length, restaurants.length),
  }));

function uniqueConnections(
  picks: readonly (readonly [number, number, string])[],
  partners: number,
  restaurants: number,
): Fields[] {
  if (partners === 0 || restaurants === 0) return [];
  const byPair = new Map(
    picks.map(([partner, place, externalGroupRef]) => {
      const ends = { partner: `p${partner % partners}`, restaurant: `r${place % restaurants}` };
      return [`${ends.partner} ${ends.restaurant}`, { ...ends, externalGroupRef }];
    }),
  );
  return [...byPair.values()];
}
