import { randomUUID } from 'node:crypto';
import type { CallOptions, DemoCallers } from './client.ts';

/** The families of operations that this file makes calls of. */
export const organizationFamilies: readonly string[] = ['managementGroups', 'restaurants'];

/** A version that nothing here comes to. */
const OTHER_VERSION = 1_000;

type Call = Required<Pick<CallOptions, 'params'>>;

/** Made apart from the demo group, which other files of a run read. */
async function newGroup(callers: DemoCallers): Promise<string> {
  const operator = await callers.as('operator');
  const json = { name: `Ring group ${randomUUID()}` };
  const answer = await operator.call('backOffice.managementGroups.create', 200, { json });
  return (answer.json as { guid: string }).guid;
}

async function newRestaurant(callers: DemoCallers, managementGroupGuid: string): Promise<string> {
  const operator = await callers.as('operator');
  const json = creation(managementGroupGuid);
  const answer = await operator.call('backOffice.restaurants.create', 200, { json });
  return (answer.json as { guid: string }).guid;
}

const creation = (managementGroupGuid: string) => ({
  general: {
    name: 'Ring diner',
    timeZone: 'America/Chicago',
    currencyCode: 'USD',
    managementGroupGuid,
  },
});

const groupCall = (managementGroupGuid: string): Call => ({ params: { managementGroupGuid } });
const restaurantCall = (restaurantGuid: string): Call => ({ params: { restaurantGuid } });

/** A call that is answered by 200, on data made for it. */
export async function organizationSample(
  callers: DemoCallers,
  family: string,
  name: string,
): Promise<CallOptions> {
  if (name === 'list') return {};
  const isGroup = family === 'managementGroups';
  if (name === 'create' && isGroup) return { json: { name: 'Ring group' } };
  const group = await newGroup(callers);
  if (name === 'create') return { json: creation(group) };
  const call = isGroup ? groupCall(group) : restaurantCall(await newRestaurant(callers, group));
  if (name === 'unarchive') {
    await (await callers.as('operator')).call(`backOffice.${family}.archive`, 200, call);
  }
  if (name !== 'update') return call;
  return { ...call, json: isGroup ? { name: 'Renamed' } : { prepTimes: { takeoutPrepTime: 9 } } };
}

/** Bodies with a wrong value (422). */
export const organizationWrong: Readonly<Record<string, unknown>> = {
  'managementGroups.create': { name: ' ' },
  'managementGroups.update': { name: null },
  'restaurants.create': creation(randomUUID()),
  'restaurants.update': { general: { timeZone: 'Mars/Base' } },
};

/** A call that does not fit what is there (409), or null when none is known. */
export async function organizationConflict(
  callers: DemoCallers,
  family: string,
  name: string,
): Promise<CallOptions | null> {
  const group = await newGroup(callers);
  const isGroup = family === 'managementGroups';
  const restaurant = await newRestaurant(callers, group);
  const call = isGroup ? groupCall(group) : restaurantCall(restaurant);
  switch (name) {
    case 'create':
      return isGroup
        ? { json: { guid: group, name: 'Another' } }
        : { json: { guid: restaurant, ...creation(group) } };
    case 'update':
      return { ...call, json: { version: OTHER_VERSION } };
    case 'archive':
      return isGroup ? call : null;
    case 'unarchive':
      return isGroup ? null : await archivedWithItsGroup(callers, group, restaurant);
    default:
      return null;
  }
}

async function archivedWithItsGroup(
  callers: DemoCallers,
  group: string,
  restaurant: string,
): Promise<CallOptions> {
  const operator = await callers.as('operator');
  const call = restaurantCall(restaurant);
  await operator.call('backOffice.restaurants.archive', 200, call);
  await operator.call('backOffice.managementGroups.archive', 200, groupCall(group));
  return call;
}

/** Fills the fields of groups and restaurants, and gives each answer to `record`. */
export async function walkOrganization(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const operator = await callers.as('operator');
  const ask = async (id: string, options: CallOptions) =>
    (await operator.call(`backOffice.${id}`, 200, options)).json;
  const first = { query: { pageSize: 1 } };
  record('ManagementGroupPage', await ask('managementGroups.list', first));
  record('RestaurantOverviewPage', await ask('restaurants.list', first));
  const { managementGroupGuid, restaurants } = callers.platform.demo;
  const ofDemo = { query: { managementGroupGuid } };
  record('RestaurantOverviewPage', await ask('restaurants.list', ofDemo));
  for (const { guid } of restaurants) {
    record('BackOfficeRestaurant', await ask('restaurants.get', restaurantCall(guid)));
  }
}
