import { randomUUID } from 'node:crypto';
import type { Answer } from './answer.ts';
import type { CallOptions, DemoCallers } from './client.ts';
import type { ExpectedOperation } from './operations.ts';

/** The family of operations that this file makes calls of. */
export const draftFamily = 'configuration';

const prefix = 'backOffice.configuration.';
const items = { collection: 'menuItems' } as const;
const DOCUMENT = { configuration: { printers: [{ name: 'Bar' }] } };

type Params = Readonly<Record<string, string>>;

/** A restaurant of the ring's own, so that nobody else's publications come in between. */
interface Place {
  readonly group: string;
  readonly params: Params & { readonly restaurantGuid: string };
}

async function newPlace(callers: DemoCallers): Promise<Place> {
  const operator = await callers.as('operator');
  const name = `Ring group ${randomUUID()}`;
  const made = await operator.call('backOffice.managementGroups.create', 200, { json: { name } });
  const { guid: group } = made.json as { guid: string };
  const general = {
    name: 'Ring bistro',
    timeZone: 'Europe/Rome',
    currencyCode: 'EUR',
    managementGroupGuid: group,
  };
  const restaurant = await operator.call('backOffice.restaurants.create', 200, {
    json: { general },
  });
  const { guid: restaurantGuid } = restaurant.json as { guid: string };
  return { group, params: { restaurantGuid } };
}

async function call(
  callers: DemoCallers,
  name: string,
  params: Params,
  json?: unknown,
): Promise<Answer> {
  const operator = await callers.as('operator');
  const body = json === undefined ? {} : { json };
  return await operator.call(`${prefix}${name}`, 200, { params, ...body });
}

/** Drafts a new item; gives the path parameters that lead to it. */
async function draftItem(callers: DemoCallers, { params }: Place): Promise<Params> {
  const where = { ...params, ...items };
  const made = await call(callers, 'objects.create', where, { name: 'Ring soup' });
  return { ...where, guid: (made.json as { guid: string }).guid };
}

async function publish(callers: DemoCallers, { params }: Place): Promise<void> {
  await call(callers, 'publications.publish', params, { note: 'The ring published it.' });
}

/** A call that is answered by 200, on a restaurant made for it. */
export async function draftSample(callers: DemoCallers, id: string): Promise<CallOptions> {
  const name = id.slice(prefix.length);
  const place = await newPlace(callers);
  const { params } = place;
  switch (name) {
    case 'objects.list':
      return { params: { ...params, ...items } };
    case 'objects.create':
      return { params: { ...params, ...items }, json: { name: 'Ring soup' } };
    case 'objects.update':
      return { params: await draftItem(callers, place), json: { calories: 310 } };
    case 'objects.archive':
    case 'objects.unarchive':
    case 'publications.get':
    case 'publications.rollBack': {
      const item = await draftItem(callers, place);
      await publish(callers, place);
      if (name === 'objects.unarchive') await call(callers, 'objects.archive', item);
      if (name.startsWith('objects.')) return { params: item };
      if (name === 'publications.get') return { params: { ...params, number: '2' } };
      return { params: { ...params, number: '1' }, json: { note: 'Back to nothing.' } };
    }
    case 'objects.get':
    case 'objects.discard':
      return { params: await draftItem(callers, place) };
    case 'tipWithholding.set':
      return { params, json: { enabled: true, percentage: 0.03 } };
    case 'draft.discard':
      await draftItem(callers, place);
      return { params, json: { all: true } };
    case 'draft.menus':
      await call(callers, 'objects.create', { ...params, collection: 'menus' }, { name: 'Lunch' });
      return { params };
    case 'publications.publish':
      await draftItem(callers, place);
      return { params, json: { note: 'The ring published it.' } };
    case 'publishGroup':
      await draftItem(callers, place);
      return {
        params: { managementGroupGuid: place.group },
        json: { restaurants: [{ restaurantGuid: params.restaurantGuid }] },
      };
    case 'plan':
    case 'apply':
    case 'draft.apply':
      return { params, json: { document: DOCUMENT } };
    default:
      return { params };
  }
}

/** What turns a sample into a call that lacks what it needs, or cannot be read (400). */
export function draftMalformed({ id, method }: ExpectedOperation): CallOptions {
  if (method !== 'GET') return { json: undefined, bytes: '{' };
  if (id.endsWith('.preview')) return { query: { objects: 'menuItems' } };
  return { query: id.endsWith('.export') ? { archived: 'perhaps' } : { pageSize: 0 } };
}

const wrong: Readonly<Record<string, unknown>> = {
  'objects.create': { name: 5 },
  'objects.update': { name: 5 },
  'tipWithholding.set': { enabled: true, percentage: 3 },
  'draft.discard': { objects: [] },
  'publications.publish': { note: ' ' },
  'publications.rollBack': { expectedNumber: 'two' },
  plan: { document: { configuration: { menuItems: [{}] } } },
  apply: { document: { configuration: { menuItems: [{}] } } },
  'draft.apply': { document: { configuration: { menuItems: [{}] } } },
  publishGroup: { restaurants: [{ restaurantGuid: randomUUID() }] },
};

/** It lacks an amount, so it can't be published. */
const ODD_DISCOUNT = { name: 'Odd', type: 'FIXED', selectionType: 'CHECK' };

/** What turns a sample into a call with a wrong value (422), or null when none is known. */
export async function draftWrong(callers: DemoCallers, id: string): Promise<CallOptions | null> {
  const name = id.slice(prefix.length);
  if (name === 'draft.menus') {
    const { params } = await newPlace(callers);
    await call(callers, 'objects.create', { ...params, collection: 'discounts' }, ODD_DISCOUNT);
    return { params };
  }
  if (name === 'draft.preview') return { query: { objects: `menuItems/${randomUUID()}` } };
  return wrong[name] === undefined ? null : { json: wrong[name] };
}

/** A call that does not fit what is there (409), or null when none is known. */
export async function draftConflict(callers: DemoCallers, id: string): Promise<CallOptions | null> {
  const name = id.slice(prefix.length);
  const place = await newPlace(callers);
  const { params } = place;
  switch (name) {
    case 'objects.create': {
      const { guid, ...where } = await draftItem(callers, place);
      return { params: where, json: { name: 'Again', guid } };
    }
    case 'objects.archive':
      return { params: await draftItem(callers, place) };
    case 'objects.update':
      return {
        params: await draftItem(callers, place),
        query: { expectedState: 'another' },
        json: { calories: 310 },
      };
    case 'objects.discard': {
      const item = await draftItem(callers, place);
      await publish(callers, place);
      return { params: item };
    }
    case 'draft.discard':
      return { params, json: { objects: [{ ...items, guid: randomUUID() }] } };
    case 'publications.publish':
      return { params, json: {} };
    case 'publications.rollBack':
      await draftItem(callers, place);
      await publish(callers, place);
      return { params: { ...params, number: '2' }, json: {} };
    case 'apply':
    case 'draft.apply':
      return { params, json: { document: DOCUMENT, expectedState: 'another' } };
    case 'publishGroup':
      return {
        params: { managementGroupGuid: place.group },
        json: { restaurants: [{ restaurantGuid: params.restaurantGuid }] },
      };
    default:
      return null;
  }
}

/** Reads everything about drafts and publications once, so that every field holds a value. */
export async function walkDrafts(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const place = await newPlace(callers);
  const { params } = place;
  const look = async (type: string, name: string, more: Params = {}, json?: unknown) => {
    const answer = await call(callers, name, { ...params, ...more }, json);
    record(type, answer.json);
    return answer.json as Record<string, unknown>;
  };
  const item = await draftItem(callers, place);
  await look('Publication', 'publications.publish', {}, { note: 'First.' });
  await call(callers, 'objects.update', item, { calories: 1 });
  await draftItem(callers, place);
  const small = { ...item, guid: randomUUID() };
  const broth = { guid: item.guid, name: 'Ring broth' };
  const document = { configuration: menuWithSizes(broth, small.guid) };
  await look('ConfigurationPlan', 'plan', {}, { document });
  await look('AppliedConfiguration', 'apply', {}, { document, note: 'From a file.' });
  await call(callers, 'objects.create', { ...params, collection: 'discounts' }, ODD_DISCOUNT);
  // Changes a price in the menus, where another item has none.
  await call(callers, 'objects.update', small, { pricing: { price: 6 } });
  await look('ConfigurationPreview', 'draft.preview');
  await look('ConfigurationDraft', 'draft.get');
  await look('ConfigurationObject', 'objects.get', item);
  const operator = await callers.as('operator');
  const page = { params: { ...params, ...items }, query: { pageSize: 1 } };
  record('ConfigurationObjectPage', (await operator.call(`${prefix}objects.list`, 200, page)).json);
  await call(callers, 'draft.discard', params, { all: true });
  await look('Publication', 'publications.rollBack', { number: '1' }, {});
  await draftItem(callers, place);
  const restaurants = [{ restaurantGuid: params.restaurantGuid }];
  const group = { managementGroupGuid: place.group };
  await look('GroupPublication', 'publishGroup', group, { restaurants });
  const few = { params, query: { pageSize: 1 } };
  record('PublicationPage', (await operator.call(`${prefix}publications.list`, 200, few)).json);
  await look('PublicationDetails', 'publications.get', { number: '3' });
  await look('PublicationDetails', 'publications.get', { number: '4' });
  await look('PublicationDetails', 'publications.get', { number: '5' });
  await look('ConfigurationDocument', 'export');
}

/** A menu with an item that has sizes, and one that has no price. */
function menuWithSizes(
  unpriced: { readonly guid: string | undefined; readonly name: string },
  small: string,
) {
  const [bowl, size] = [randomUUID(), randomUUID()];
  const pricing = { strategy: 'SIZE_PRICE', sizeGroup: size };
  return {
    menus: [{ name: 'Lunch', groups: ['Bowls'] }],
    menuGroups: [{ name: 'Bowls', menu: 'Lunch', items: [bowl, unpriced.guid] }],
    menuOptionGroups: [{ guid: size, name: 'Bowl size', options: [small] }],
    menuItems: [
      unpriced,
      { guid: bowl, name: 'Bowl', pricing },
      { guid: small, name: 'Small bowl', pricing: { strategy: 'BASE_PRICE', price: 5 } },
    ],
  };
}
