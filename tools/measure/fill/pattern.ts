import type { DocumentObject } from '../../../packages/server/src/configuration/document/document.ts';
import {
  DOCUMENT_FORMAT,
  type DocumentInfo,
  type DocumentPartner,
  type GroupDocument,
} from '../../../packages/server/src/group-document/document.ts';

/** When all that is generated was published: the same on every machine. */
const PUBLISHED = '2026-01-12T09:00:00.000Z';

/** How many items the restaurant has that all others are copied from: a small house. */
export const PATTERN_ITEMS = 12;
/** Of every restaurant, so many items at most are not simply in stock. */
const STOCK_AT_MOST = 25;
const ITEMS_PER_GROUP = 50;
/** So many items are on menus. With twice as many, the menus would exceed 32 MiB. */
const OFFERED_AT_MOST = 20_000;
const GROUPS_PER_MENU = 10;
const ITEMS_PER_OPTION_GROUP = 100;
const OPTIONS = 5;

/** The partner that is connected with every restaurant, and those that share them out. */
export const PARTNERS = 20;

/** The name of the restaurant of a group that has so many items. */
export const restaurantName = (items: number): string => `The Filled Plate with ${items} items`;

/**
 * A group document with one restaurant for each number of items, its menus, groups and modifiers
 * in proportion. All are connected with the first partner, and the first one with the second.
 */
export function filledDocument(group: string, sizes: readonly number[]): GroupDocument {
  const names = sizes.map(restaurantName);
  const connected = names.map((restaurant) => connection('Filled Partner 1', restaurant));
  const [first] = names;
  if (first !== undefined) connected.push(connection('Filled Partner 2', first));
  return {
    format: DOCUMENT_FORMAT,
    managementGroup: { name: group },
    partners: Array.from({ length: PARTNERS }, (_, index) => partner(index)),
    clients: [],
    restaurants: sizes.map((items) => ({
      info: infoOf(restaurantName(items)),
      configuration: configurationOf(items),
      stock: numbers(Math.min(STOCK_AT_MOST, Math.floor(items / 4))).map((index) =>
        index % 3 === 0
          ? { item: itemName(index), status: 'QUANTITY', quantity: 5 + index }
          : { item: itemName(index), status: 'OUT_OF_STOCK' },
      ),
    })),
    connections: connected,
  };
}

function partner(index: number): DocumentPartner {
  return { name: `Filled Partner ${index + 1}` };
}

function connection(partnerName: string, restaurant: string) {
  const dates = { createdDate: PUBLISHED, modifiedDate: PUBLISHED };
  const createdBy = { firstName: 'Ada', lastName: 'Archer', email: 'ada@example.com' };
  return { partner: partnerName, restaurant, externalGroupRef: 'north', createdBy, ...dates };
}

function infoOf(name: string): DocumentInfo {
  const services = [
    { name: 'All day', hours: { startTime: '06:00:00.000', endTime: '22:00:00.000' } },
  ].map((service) => ({ ...service, overnight: false }));
  const day = { scheduleName: 'Every day', services };
  const hours = { openTime: '06:00:00.000', closeTime: '22:00:00.000' };
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  return {
    general: {
      name,
      timeZone: 'America/Chicago',
      closeoutHour: 4,
      currencyCode: 'USD',
      firstBusinessDate: 20190304,
    },
    urls: { website: 'https://filled-plate.example', orderOnline: 'https://order.example/filled' },
    location: {
      ...{ address1: '12 Larkin Court', city: 'Chicago', stateCode: 'IL', zipCode: '60625' },
      ...{ administrativeArea: 'Illinois', country: 'US', phone: '3125550147' },
      ...{ phoneCountryCode: '1', latitude: 41.96874, longitude: -87.68912 },
    },
    schedules: {
      daySchedules: { '1': { ...day, ...hours } },
      weekSchedule: Object.fromEntries(days.map((name) => [name, '1'])),
    },
  };
}

function configurationOf(items: number): Record<string, readonly DocumentObject[]> {
  const offered = Math.min(items, OFFERED_AT_MOST);
  const groups = Math.ceil(offered / ITEMS_PER_GROUP);
  const menus = Math.ceil(groups / GROUPS_PER_MENU);
  const optionGroups = Math.ceil(items / ITEMS_PER_OPTION_GROUP);
  const collections: Record<string, readonly DocumentObject[]> = {
    menus: numbers(menus).map((menu) => ({
      name: `Menu ${menu}`,
      groups: numbers(groups)
        .slice(menu * GROUPS_PER_MENU, (menu + 1) * GROUPS_PER_MENU)
        .map(groupName),
    })),
    menuGroups: numbers(groups).map((group) => ({
      name: groupName(group),
      items: numbers(offered)
        .slice(group * ITEMS_PER_GROUP, (group + 1) * ITEMS_PER_GROUP)
        .map(itemName),
    })),
    menuItems: numbers(items).map((item) => ({
      name: itemName(item),
      type: 'NONE',
      pricing: { strategy: 'BASE_PRICE', price: 5 + (item % 20) },
      sku: `SKU-${item}`,
      calories: 250 + (item % 700),
      optionGroups: item % 10 === 0 ? [optionGroupName(item % optionGroups)] : [],
    })),
    menuOptionGroups: numbers(optionGroups).map((group) => ({
      name: optionGroupName(group),
      options: numbers(OPTIONS).map((option) => itemName((group * OPTIONS + option) % items)),
      minSelections: 0,
      maxSelections: 3,
    })),
    ...houseOf(),
  };
  return Object.fromEntries(
    Object.entries(collections).map(([name, objects]) => [
      name,
      objects.map((object) => ({ ...object, modifiedDate: PUBLISHED })),
    ]),
  );
}

/** What every restaurant has beside its menus. */
function houseOf(): Record<string, readonly DocumentObject[]> {
  return {
    diningOptions: [
      { name: 'Table Service', behavior: 'DINE_IN', curbside: false },
      { name: 'Takeout', behavior: 'TAKE_OUT', curbside: false },
    ],
    revenueCenters: [{ name: 'Dining Room', description: 'Booths and the big round' }],
    serviceAreas: [{ name: 'Booths', revenueCenter: 'Dining Room' }],
    tables: numbers(4).map((table) => ({
      ...{ name: `Booth ${table + 1}`, serviceArea: 'Booths', revenueCenter: 'Dining Room' },
    })),
    salesCategories: [{ name: 'Food' }, { name: 'Drinks' }],
    taxRates: [
      { name: 'State', type: 'PERCENT', isDefault: true, rate: 0.0625, roundingType: 'HALF_UP' },
      { name: 'City', type: 'PERCENT', isDefault: true, rate: 0.0125, roundingType: 'HALF_UP' },
    ],
  };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function itemName(index: number): string {
  return `Plate ${index}`;
}

function groupName(index: number): string {
  return `Course ${index}`;
}

function optionGroupName(index: number): string {
  return `Sides ${index}`;
}
