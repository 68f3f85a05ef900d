import { randomUUID } from 'node:crypto';
import type { CallOptions, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import type { ExpectedOperation } from './operations.ts';
import { walkWebhooks, webhookFieldsElsewhere } from './status-requests-webhooks.ts';

/** The families of operations that this file makes calls of. */
export const accountFamilies: readonly string[] = ['partners', 'clients', 'connections'];

const employee = { firstName: 'Ada', lastName: 'Cook', email: 'ada@example.com', phone: '312' };
const references = { externalGroupRef: 'group-1', externalRestaurantRef: 'place-1' };

async function ask(
  callers: DemoCallers,
  id: string,
  options: CallOptions,
): Promise<Record<string, unknown>> {
  const answer = await (await callers.as('operator')).call(`backOffice.${id}`, 200, options);
  return answer.json as Record<string, unknown>;
}

/** A partner that nobody else of a run has to do with. */
async function newPartner(callers: DemoCallers): Promise<string> {
  const json = { name: `Ring partner ${randomUUID()}`, description: 'Made by the ring.' };
  return String((await ask(callers, 'partners.create', { json })).guid);
}

async function newClient(
  callers: DemoCallers,
  json: object = {},
): Promise<{ clientId: string; clientSecret: string; secretGuid: string }> {
  const { managementGroupGuid } = callers.platform.demo;
  const body = { ...creation(managementGroupGuid), ...json };
  const issued = await ask(callers, 'clients.create', { json: body });
  const { client, clientSecret, secretGuid } = issued as Record<string, string>;
  const { clientId } = client as unknown as { clientId: string };
  return { clientId, clientSecret: String(clientSecret), secretGuid: String(secretGuid) };
}

const creation = (managementGroupGuid: string) => ({
  name: 'Ring account',
  description: 'Made by the ring.',
  type: 'CUSTOMER',
  managementGroupGuid,
  scopes: ['stock:read'],
  secret: { label: 'first', expiresAt: '8000-01-01T00:00:00.000Z' },
});

/** The path parameters of a connection of a demo restaurant with a new partner, made for it. */
async function newConnection(
  callers: DemoCallers,
): Promise<{ restaurantGuid: string; partnerGuid: string }> {
  const [restaurantGuid] = openRestaurants(callers.platform.demo);
  const partnerGuid = await newPartner(callers);
  const json = { partnerGuid, ...references, employee };
  await ask(callers, 'connections.connect', { params: { restaurantGuid }, json });
  return { restaurantGuid, partnerGuid };
}

/** A call that is answered by 200, on data made for it. */
export async function accountSample(
  callers: DemoCallers,
  { id }: ExpectedOperation,
): Promise<CallOptions> {
  const [, family = '', name = ''] = id.split('.');
  if (family === 'connections') return sampleConnection(callers, name);
  if (name === 'list') return {};
  if (family === 'partners') {
    if (name === 'create') return { json: { name: 'Ring partner' } };
    const params = { partnerGuid: await newPartner(callers) };
    return name === 'update' ? { params, json: { description: null } } : { params };
  }
  if (name === 'create') return { json: creation(callers.platform.demo.managementGroupGuid) };
  const { clientId, secretGuid } = await newClient(callers);
  if (name === 'revokeSecret') return { params: { clientId, secretGuid } };
  const params = { clientId };
  if (name === 'update') return { params, json: { name: 'Renamed' } };
  return name === 'addSecret' ? { params, json: { label: 'next' } } : { params };
}

async function sampleConnection(callers: DemoCallers, name: string): Promise<CallOptions> {
  const [restaurantGuid] = openRestaurants(callers.platform.demo);
  if (name === 'list' || name === 'partners') return { params: { restaurantGuid } };
  if (name === 'connect') {
    return { params: { restaurantGuid }, json: { partnerGuid: await newPartner(callers) } };
  }
  const params = await newConnection(callers);
  if (name === 'update') return { params, json: { externalGroupRef: null } };
  return name === 'disconnect' ? { params, json: { reason: 'Enough.' } } : { params };
}

/** What turns a sample into a call that lacks what it needs (400). */
export function accountMalformed({ id, method }: ExpectedOperation): CallOptions {
  if (id === 'backOffice.clients.usage') return { query: { from: 'yesterday' } };
  // Neither a change of nothing nor a secret of which nothing is said lacks anything.
  const isSoundEmpty = method === 'PATCH' || id === 'backOffice.clients.addSecret';
  if (isSoundEmpty) return { json: undefined, bytes: '{' };
  return method === 'GET' ? { query: { pageSize: 0 } } : { json: {} };
}

/** Bodies with a wrong value (422). */
export const accountWrong: Readonly<Record<string, unknown>> = {
  'partners.create': { name: ' ' },
  'partners.update': { name: null },
  'clients.create': { ...creation(randomUUID()), scopes: ['everything'] },
  'clients.update': { scopes: ['clock:read'] },
  'clients.addSecret': { expiresAt: '2001-01-01T00:00:00.000Z' },
  'connections.connect': { partnerGuid: randomUUID() },
  'connections.update': { externalGroupRef: '' },
  'connections.disconnect': { reason: 'x'.repeat(501) },
};

/** A call that does not fit what is there (409), or null when none is known. */
export async function accountConflict(
  callers: DemoCallers,
  { id }: ExpectedOperation,
): Promise<CallOptions | null> {
  const [, family = '', name = ''] = id.split('.');
  if (family === 'clients' && name === 'revoke') {
    return { params: { clientId: callers.platform.demo.clients.other.clientId } };
  }
  if (family === 'clients') {
    const { clientId } = await newClient(callers);
    await ask(callers, 'clients.revoke', { params: { clientId } });
    return { params: { clientId }, json: {} };
  }
  if (family !== 'connections') return null;
  const params = await newConnection(callers);
  const { restaurantGuid, partnerGuid } = params;
  if (name === 'connect') return { params: { restaurantGuid }, json: { partnerGuid } };
  await ask(callers, 'connections.disconnect', { params, json: { reason: 'Enough.' } });
  return { params, json: { externalGroupRef: 'late' } };
}

/** Fields that no answer of the walk fills, and why. */
export const accountFieldsElsewhere: Readonly<Record<string, string>> = {
  'ApiClient.lastUsedAt': 'Written some seconds after the request: packages/server has the test.',
  'ApiClientSecret.lastUsedAt': 'Written some seconds after the login, as above.',
  'ScopeUse.lastUsedAt': 'Written some seconds after the request, as above.',
  'ApiClientUsage.operations': 'Written some seconds after the requests, as above.',
  'ApiClientUsage.days': 'Written some seconds after the requests, as above.',
  'ApiClientUsage.restaurants': 'Written some seconds after the requests, as above.',
  'OperationUse.operation': 'Written some seconds after the requests, as above.',
  'OperationUse.requests': 'Written some seconds after the requests, as above.',
  'OperationUse.statuses': 'Written some seconds after the requests, as above.',
  'RestaurantUse.restaurantGuid': 'Written some seconds after the requests, as above.',
  'RestaurantUse.restaurantName': 'Written some seconds after the requests, as above.',
  'RestaurantUse.requests': 'Written some seconds after the requests, as above.',
  ...webhookFieldsElsewhere,
};

/** Fills the fields of partners, accounts, connections and webhooks; `record` gets the answers. */
export async function walkAccounts(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const look = async (id: string, type: string, options: CallOptions) =>
    record(type, await ask(callers, id, options));
  const first = { query: { pageSize: 1 } };
  const params = await newConnection(callers);
  const { restaurantGuid, partnerGuid } = params;
  await ask(callers, 'connections.disconnect', { params, json: { reason: 'Enough.', employee } });
  await look('connections.get', 'Connection', { params });
  await look('connections.timeline', 'ConnectionChangePage', { params, ...first });
  await look('connections.list', 'ConnectionPage', { params: { restaurantGuid }, ...first });
  const { name } = await ask(callers, 'partners.get', { params: { partnerGuid } });
  const catalog = { params: { restaurantGuid }, query: { pageSize: 1, name: String(name) } };
  await look('connections.partners', 'ConnectablePartnerPage', catalog);
  await look('connections.partners', 'ConnectablePartnerPage', {
    ...{ params: { restaurantGuid }, ...first },
  });
  await look('partners.events', 'PartnerEventPage', { params: { partnerGuid } });
  await look('partners.get', 'Partner', { params: { partnerGuid } });
  await look('partners.list', 'PartnerPage', first);
  const ofPartner = { type: 'PARTNER', managementGroupGuid: null, partnerGuid };
  const accounts = [await newClient(callers, ofPartner), await newClient(callers)];
  for (const { clientId, secretGuid } of accounts) {
    const account = { params: { clientId } };
    const again = { params: { clientId }, json: { label: 'next' } };
    record('IssuedApiClientSecret', await ask(callers, 'clients.addSecret', again));
    await ask(callers, 'clients.revokeSecret', { params: { clientId, secretGuid } });
    await ask(callers, 'clients.revoke', account);
    await look('clients.get', 'ApiClient', account);
    await look('clients.usage', 'ApiClientUsage', account);
  }
  await look('clients.list', 'ApiClientPage', first);
  await walkWebhooks(callers, record);
}
