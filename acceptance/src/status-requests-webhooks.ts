import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type ClockMove, moveClock } from './back-office.ts';
import type { CallOptions, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import type { ExpectedOperation } from './operations.ts';

/** The family of operations that this file makes calls of. */
export const webhookFamily = 'webhooks';

/** An endpoint that is paused, so that nothing is sent, with a partner that nobody else has. */
interface OwnEndpoint {
  readonly partnerGuid: string;
  readonly clientId: string;
  readonly endpointGuid: string;
  readonly secretGuid: string;
}

const ENDPOINTS_AT_MOST = 100;
const LOOKS = 600;
const LOOK_MS = 100;
const address = 'http://127.0.0.1:9099/ring';
const reason = { reason: 'The ring wants nothing sent.' };
const eventType = 'partner_updated';

async function ask(
  callers: DemoCallers,
  id: string,
  options: CallOptions,
): Promise<Record<string, unknown>> {
  const answer = await (await callers.as('operator')).call(`backOffice.${id}`, 200, options);
  return answer.json as Record<string, unknown>;
}

async function newAccount(
  callers: DemoCallers,
): Promise<Pick<OwnEndpoint, 'partnerGuid' | 'clientId'>> {
  const json = { name: `Ring receiver ${randomUUID()}` };
  const partnerGuid = String((await ask(callers, 'partners.create', { json })).guid);
  const account = { name: 'Ring receiver', type: 'PARTNER', partnerGuid, scopes: [] };
  const { client } = await ask(callers, 'clients.create', { json: account });
  return { partnerGuid, clientId: (client as { clientId: string }).clientId };
}

async function newEndpoint(callers: DemoCallers): Promise<OwnEndpoint> {
  const { partnerGuid, clientId } = await newAccount(callers);
  const json = {
    clientId,
    url: address,
    description: 'Made by the ring.',
    eventTypes: ['partner_added', eventType],
    secret: { label: 'first', expiresAt: '8000-01-01T00:00:00.000Z' },
  };
  const made = await ask(callers, 'webhooks.endpoints.create', { json });
  const endpointGuid = (made.endpoint as { guid: string }).guid;
  const params = { endpointGuid };
  await ask(callers, 'webhooks.endpoints.pause', { params, json: reason });
  return { partnerGuid, clientId, endpointGuid, secretGuid: String(made.secretGuid) };
}

/** A delivery that waits at a new endpoint. */
async function newDelivery(
  callers: DemoCallers,
): Promise<OwnEndpoint & { readonly deliveryGuid: string }> {
  const own = await newEndpoint(callers);
  const { partnerGuid, endpointGuid } = own;
  const [restaurantGuid] = openRestaurants(callers.platform.demo);
  const json = { partnerGuid };
  await ask(callers, 'connections.connect', { params: { restaurantGuid }, json });
  const query = { endpointGuid };
  const { results } = await ask(callers, 'webhooks.deliveries.list', { query });
  const [delivery] = results as { guid: string }[];
  return { ...own, deliveryGuid: String(delivery?.guid) };
}

/** The longest that there are: a busy machine may hold a receiver for seconds. */
export const longTimeouts = { connectTimeoutMs: 10_000, answerTimeoutMs: 30_000 };

/** A move of the clock that tries an event again whose receiver answers 500. */
async function moveOverRetry(callers: DemoCallers): Promise<ClockMove> {
  const receiver = createServer((_, response) => response.writeHead(500).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = receiver.address() as AddressInfo;
    const { partnerGuid, clientId } = await newAccount(callers);
    const json = { clientId, url: `http://127.0.0.1:${port}/`, ...longTimeouts };
    const made = await ask(callers, 'webhooks.endpoints.create', { json });
    const [restaurantGuid] = openRestaurants(callers.platform.demo);
    const connection = { params: { restaurantGuid }, json: { partnerGuid } };
    await ask(callers, 'connections.connect', connection);
    await awaitAttempt(callers, (made.endpoint as { guid: string }).guid);
    return await moveClock(await callers.as('operator'), { advance: 'PT6M' });
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}

async function awaitAttempt(callers: DemoCallers, endpointGuid: string): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    const query = { endpointGuid };
    const { results } = await ask(callers, 'webhooks.deliveries.list', { query });
    const [delivery] = results as { attemptCount: number }[];
    if (delivery?.attemptCount) return;
    await wait(LOOK_MS);
  }
  throw new Error('nobody tried to deliver the event');
}

/** A call that is answered by 200, on data made for it. */
export async function webhookSample(
  callers: DemoCallers,
  { id }: ExpectedOperation,
): Promise<CallOptions> {
  const name = id.replace('backOffice.webhooks.', '');
  if (name.endsWith('.list')) return {};
  if (name === 'endpoints.create') {
    return { json: { clientId: (await newAccount(callers)).clientId, url: address } };
  }
  if (name.startsWith('deliveries.')) {
    const { deliveryGuid } = await newDelivery(callers);
    return { params: { deliveryGuid }, ...(name.endsWith('drop') ? { json: reason } : {}) };
  }
  // A replay of nothing would change nothing.
  const own = name === 'replay' ? await newDelivery(callers) : await newEndpoint(callers);
  const { partnerGuid, endpointGuid, secretGuid } = own;
  const params = { endpointGuid };
  const bodies: Readonly<Record<string, unknown>> = {
    'endpoints.update': { isOrdered: true },
    'endpoints.pause': reason,
    'endpoints.disable': reason,
    'secrets.add': { label: 'next' },
    test: { eventType },
    replay: { which: 'RANGE', fromPosition: 1, toPosition: 1 },
  };
  if (name === 'endpoints.pause') await ask(callers, 'webhooks.endpoints.resume', { params });
  if (name === 'trigger') return { params: { partnerGuid }, json: { eventType } };
  if (name === 'secrets.revoke') {
    await ask(callers, 'webhooks.secrets.add', { params, json: {} });
    return { params: { ...params, secretGuid } };
  }
  return { params, ...(bodies[name] ? { json: bodies[name] } : {}) };
}

/** What turns a sample into a call that lacks what it needs (400). */
export function webhookMalformed({ id, method }: ExpectedOperation): CallOptions {
  if (method === 'GET') return { query: { pageSize: 0 } };
  // Neither a change of nothing nor a secret of which nothing is said lacks anything.
  const isSoundEmpty = method === 'PATCH' || id.endsWith('.secrets.add');
  return isSoundEmpty ? { json: undefined, bytes: '{' } : { json: {} };
}

/** Bodies with a wrong value (422). */
export const webhookWrong: Readonly<Record<string, unknown>> = {
  'webhooks.endpoints.create': { clientId: randomUUID(), url: address },
  'webhooks.endpoints.update': { url: 'https://10.0.0.7/' },
  'webhooks.endpoints.pause': { reason: ' ' },
  'webhooks.endpoints.disable': { reason: 'x'.repeat(501) },
  'webhooks.secrets.add': { expiresAt: '2001-01-01T00:00:00.000Z' },
  'webhooks.test': { eventType: 'partner_lost' },
  'webhooks.trigger': { eventType: 'partner_lost' },
  'webhooks.replay': { which: 'ALL' },
  'webhooks.deliveries.drop': { reason: '' },
};

/** A call that does not fit what is there (409), or null when none is known. */
export async function webhookConflict(
  callers: DemoCallers,
  operation: ExpectedOperation,
): Promise<CallOptions | null> {
  const name = operation.id.replace('backOffice.webhooks.', '');
  if (name === 'endpoints.create') {
    const { clientId } = await newAccount(callers);
    const json = { clientId, url: address };
    for (let count = 0; count < ENDPOINTS_AT_MOST; count += 1) {
      await ask(callers, 'webhooks.endpoints.create', { json });
    }
    return { json };
  }
  if (name === 'secrets.revoke') {
    const { endpointGuid, secretGuid } = await newEndpoint(callers);
    return { params: { endpointGuid, secretGuid } };
  }
  const sample = await webhookSample(callers, operation);
  const { endpointGuid } = sample.params ?? {};
  if (endpointGuid === undefined) return null;
  await ask(callers, 'webhooks.endpoints.archive', { params: { endpointGuid } });
  return sample;
}

/** Fields that no answer of the walk fills, and why. */
export const webhookFieldsElsewhere: Readonly<Record<string, string>> = {
  'WebhookEndpoint.nextProbeAt': 'While failures pause it: packages/server has the tests.',
  'WebhookEndpoint.lastDeliveredAt': 'Nothing is sent while it is paused: see webhooks.test.ts.',
  'WebhookDelivery.lastOutcome': 'As above.',
  'WebhookDelivery.lastStatus': 'As above.',
  'WebhookDelivery.fault': 'Of injected faults: packages/server has the tests.',
  'WebhookDeliveryDetails.lastOutcome': 'As above.',
  'WebhookDeliveryDetails.lastStatus': 'As above.',
  'WebhookDeliveryDetails.fault': 'Of injected faults: packages/server has the tests.',
  'WebhookDeliveryDetails.attempts': 'As above.',
  ...Object.fromEntries(
    ['number', 'at', 'isProbe', 'url', 'requestHeaders', 'outcome', 'status', 'answerBody']
      .concat(['isAnswerCut', 'explanation', 'durationMs', 'nextAt', 'fault'])
      .map((field) => [`WebhookAttempt.${field}`, 'As above.']),
  ),
};

/** Fills the fields of webhooks, and gives each answer to `record`. */
export async function walkWebhooks(
  callers: DemoCallers,
  record: (type: string, json: unknown) => void,
): Promise<void> {
  const { deliveryGuid, endpointGuid, partnerGuid } = await newDelivery(callers);
  const params = { endpointGuid };
  const one = { params: { deliveryGuid } };
  const look = async (id: string, type: string, options: CallOptions) =>
    record(type, await ask(callers, `webhooks.${id}`, options));
  await look('secrets.add', 'IssuedWebhookSecret', { params, json: { label: 'next' } });
  await look('endpoints.get', 'WebhookEndpoint', { params });
  await look('deliveries.get', 'WebhookDeliveryDetails', one);
  await look('test', 'WebhookDelivery', { params, json: { eventType } });
  await look('trigger', 'SentTestEvent', { params: { partnerGuid }, json: { eventType } });
  await look('deliveries.drop', 'WebhookDelivery', { ...one, json: reason });
  await look('deliveries.get', 'WebhookDeliveryDetails', one);
  const query = { endpointGuid, pageSize: 1 };
  await look('deliveries.list', 'WebhookDeliveryPage', { query });
  await newEndpoint(callers);
  await look('endpoints.list', 'WebhookEndpointPage', { query: { pageSize: 1 } });
  const json = { which: 'RANGE', fromPosition: 1, toPosition: 1 };
  await look('replay', 'WebhookReplay', { params, json });
  record('ClockMove', await moveOverRetry(callers));
}
