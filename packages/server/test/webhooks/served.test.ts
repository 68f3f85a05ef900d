import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DoneAttempt } from '@servery/contract';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import type { Platform } from '../../src/boot/server.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { readDemoFile, startEmptyPlatform } from '../empty-platform.ts';
import type { TestAnswer } from '../request.ts';
import { insertPartner, insertRestaurant } from '../rows.ts';
import { openTestReceiver, status, type TestReceiver } from './webhook-receiver.ts';

let own: TestDatabase;
let folder: string;
let platform: Platform;
let receiver: TestReceiver;
let authorization: string;
before(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
  receiver = await openTestReceiver();
  platform = await startEmptyPlatform(own.url, folder);
  const demo = await readDemoFile(folder);
  const { clientId, clientSecret, userAccessType } = demo.clients.operator;
  const body = { clientId, clientSecret, userAccessType };
  const { token } = await send('POST', '/authentication/v1/authentication/login', body);
  authorization = `Bearer ${token.accessToken}`;
});
after(async () => {
  await platform.stop();
  await receiver.close();
  await own.drop();
  removeTestFolder(folder);
});

async function send(method: string, place: string, body?: object): Promise<TestAnswer['body']> {
  const response = await fetch(`${platform.url}${place}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(authorization ? { authorization } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = await response.json();
  assert.equal(response.status, 200, JSON.stringify(answer));
  return answer;
}

/** A partner with an endpoint at the receiver, and a restaurant that is not connected to it. */
async function prepare(at: string) {
  const partnerGuid = await insertPartner(own.database.sql);
  const restaurant = await insertRestaurant(own.database.sql);
  const account = { name: 'Receiver', type: 'PARTNER', partnerGuid, scopes: [] };
  const { client } = await send('POST', '/backoffice/v1/clients', account);
  // As much time as there may be: where this machine stands still, the receiver says nothing.
  const times = { connectTimeoutMs: 10_000, answerTimeoutMs: 30_000 };
  const wanted = { clientId: client.clientId, url: receiver.url(at), ...times };
  const { endpoint } = await send('POST', '/backoffice/v1/webhooks/endpoints', wanted);
  const connections = `/backoffice/v1/restaurants/${restaurant.guid}/connections`;
  return { endpoint, connect: () => send('POST', connections, { partnerGuid }) };
}

test('served: a change goes out at once, without anybody asking for it', async () => {
  const { connect } = await prepare('/at-once');
  await connect();
  await receiver.untilReceived(1);
  assert.equal(receiver.received[0]?.headers['platform-event-type'], 'partner_added');
});

test('served: a move of the clock makes the retries on its way, and lists them', async () => {
  receiver.answer('/retried', status(500), status(503), status(200));
  const { connect, endpoint } = await prepare('/retried');
  await send('POST', '/backoffice/v1/clock/freeze');
  await connect();
  const before = receiver.received.filter(({ path: at }) => at !== '/retried').length;
  await receiver.untilReceived(before + 1);
  const attempted = async () => {
    const list = `/backoffice/v1/webhooks/deliveries?endpointGuid=${endpoint.guid}`;
    const [delivery] = (await send('GET', list)).results;
    return delivery;
  };
  while ((await attempted()).attemptCount === 0);
  const { done } = await send('POST', '/backoffice/v1/clock/advance', { duration: 'PT15M' });
  const retries = done.filter(({ kind }: { kind: string }) => kind === 'webhook');
  assert.deepEqual(
    retries.map(({ webhook }: { webhook: DoneAttempt }) => [webhook.status, webhook.state]),
    [
      [503, 'QUEUED'],
      [200, 'DELIVERED'],
    ],
  );
  const [second, third] = retries.map(({ at }: { at: string }) => Date.parse(at));
  assert.equal(third - second, 600_000);
  assert.equal((await attempted()).state, 'DELIVERED');
});
