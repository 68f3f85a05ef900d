import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { newGroup, newRestaurant } from './accounts.ts';
import { until } from './back-office.ts';
import { Client, DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { expectedOperation } from './operations.ts';
import { loggedInPerson } from './people.ts';
import { platformUnderTest } from './platform.ts';
import { alike, codeOf, messageOf } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const [restaurantGuid] = openRestaurants(platform.demo);
const scopes = ['stock:read', 'config:read'];

/** A restaurant as the partner lists name it. */
interface Listed {
  readonly restaurantGuid: string;
  readonly deleted: boolean;
}

interface Account {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the operator is answered by an operation of the back office. */
async function ask<Result>(id: string, options: object): Promise<Result> {
  const answer = await (await callers.as('operator')).call(`backOffice.${id}`, 200, options);
  return answer.json as Result;
}

async function newPartner(): Promise<string> {
  const json = { name: `Ring partner ${randomUUID()}` };
  return (await ask<{ guid: string }>('partners.create', { json })).guid;
}

/** A new account of a partner. */
async function newAccount(partnerGuid: string): Promise<Account> {
  const json = { name: 'Ring account', type: 'PARTNER', partnerGuid, scopes };
  const issued = await ask<{ client: Account; clientSecret: string }>('clients.create', { json });
  return { clientId: issued.client.clientId, clientSecret: issued.clientSecret };
}

const loginOf = ({ clientId, clientSecret }: Account) => ({
  json: { clientId, clientSecret, userAccessType: platform.demo.clients.partner.userAccessType },
});

async function callerOf(account: Account): Promise<Client> {
  const answer = await callers.anonymous().call('auth.login', 200, loginOf(account));
  const { token } = answer.json as { token: { accessToken: string } };
  return new Client(platform, token.accessToken);
}

test('backOffice.connections.disconnect 200 AUTH-9: no access from the next request on', async () => {
  const partnerGuid = await newPartner();
  const caller = await callerOf(await newAccount(partnerGuid));
  const params = { restaurantGuid, partnerGuid };
  const restaurant = restaurantGuid;
  const connected = async () => {
    const { json } = await caller.call('partners.restaurants.list', 200);
    return (json as unknown[]).length;
  };
  await caller.call('stock.list', 403, { restaurant });
  assert.equal(await connected(), 0);
  for (let round = 0; round < 2; round += 1) {
    await ask('connections.connect', { params, json: { partnerGuid } });
    await caller.call('stock.list', 200, { restaurant });
    assert.equal(await connected(), 1);
    await ask('connections.disconnect', { params, json: { reason: 'Enough.' } });
    await caller.call('stock.list', 403, { restaurant });
    assert.equal(await connected(), 0);
  }
  const { results } = await ask<{ results: { position: number; event: { eventType: string } }[] }>(
    'partners.events',
    { params: { partnerGuid } },
  );
  assert.deepEqual(
    results.map(({ position, event }) => [position, event.eventType]),
    [
      [1, 'partner_added'],
      [2, 'partner_removed'],
      [3, 'partner_added'],
      [4, 'partner_removed'],
    ],
  );
});

test('configuration.menus.list stock.list 403 API-6: a sync client skips archived ones', async () => {
  const group = await newGroup(callers, 'Ring archive');
  const restaurants = [await newRestaurant(callers, group), await newRestaurant(callers, group)];
  const partnerGuid = await newPartner();
  const caller = await callerOf(await newAccount(partnerGuid));
  const stranger = await callerOf(await newAccount(await newPartner()));
  for (const guid of restaurants) {
    const params = { restaurantGuid: guid, partnerGuid };
    await ask('connections.connect', { params, json: { partnerGuid } });
  }
  const operations = ['configuration.menus.list', 'configuration.tipWithholding.get', 'stock.list'];
  /** What a client learns of all restaurants that its list names: a status or a code for each. */
  const sync = async (): Promise<string[]> => {
    const listed = (await caller.call('partners.restaurants.list', 200)).json;
    const learnt: string[] = [];
    for (const { restaurantGuid: restaurant, deleted } of listed as Listed[]) {
      for (const id of operations) {
        const answer = await caller.send(expectedOperation(id), { restaurant });
        learnt.push(`${deleted} ${answer.status === 200 ? 200 : codeOf(answer)}`);
      }
    }
    return learnt.sort();
  };
  const [live, kept] = ['false 200', 'true 21403'].map((each) => operations.map(() => each));
  assert.ok(live && kept);
  assert.deepEqual(await sync(), [...live, ...live]);
  // Once more: what was answered before is answered from memory.
  assert.deepEqual(await sync(), [...live, ...live]);
  const [first = ''] = restaurants;
  await ask('restaurants.archive', { params: { restaurantGuid: first } });
  assert.deepEqual(await sync(), [...live, ...kept]);
  for (const id of operations) {
    const refused = await stranger.call(id, 403, { restaurant: first });
    assert.equal(codeOf(refused), 20_403);
    alike(refused, await stranger.call(id, 403, { restaurant: randomUUID() }));
  }
  await ask('restaurants.unarchive', { params: { restaurantGuid: first } });
  assert.deepEqual(await sync(), [...live, ...live]);
});

test('backOffice.clients.update 200 AUTH-9: a scope counts from the next request on', async () => {
  const partnerGuid = await newPartner();
  const account = await newAccount(partnerGuid);
  const caller = await callerOf(account);
  const restaurant = restaurantGuid;
  const params = { restaurantGuid, partnerGuid };
  await ask('connections.connect', { params, json: { partnerGuid } });
  await caller.call('stock.list', 200, { restaurant });
  const { clientId } = account;
  await ask('clients.update', { params: { clientId }, json: { scopes: ['config:read'] } });
  await caller.call('stock.list', 403, { restaurant });
  await ask('clients.update', { params: { clientId }, json: { scopes } });
  await caller.call('stock.list', 200, { restaurant });
});

test('backOffice.clients.update 403 ACC-2: a developer gives what his partner holds', async () => {
  const partnerGuid = await newPartner();
  const { clientId } = await newAccount(partnerGuid);
  const { headers } = await loggedInPerson(callers, { role: 'PARTNER_DEVELOPER', partnerGuid });
  const update = async (status: number, json: object) => {
    const options = { params: { clientId }, headers, json };
    return await callers.anonymous().call('backOffice.clients.update', status, options);
  };
  const payments = [...scopes, 'credit_cards.authorization:write'];
  const refused = await update(403, { scopes: payments });
  assert.match(messageOf(refused), /cannot give credit_cards\.authorization:write.* an operator/i);
  const legacy = await update(403, { holdsLegacyCardKey: true });
  assert.match(messageOf(legacy), /only an operator can/);
  await ask('clients.update', { params: { clientId }, json: { scopes: payments } });
  await update(200, { scopes: payments, description: 'Takes payments.' });
  await update(200, { scopes });
  await update(403, { scopes: payments });
});

test('backOffice.clients.revoke 200 AUTH-9: tokens and secrets end with the answer', async () => {
  const account = await newAccount(await newPartner());
  const { clientId } = account;
  const first = await callerOf(account);
  const { clientSecret } = await ask<Account>('clients.addSecret', {
    params: { clientId },
    json: { label: 'next' },
  });
  const second = await callerOf({ clientId, clientSecret });
  for (const caller of [first, second]) await caller.call('partners.restaurants.list', 200);
  await ask('clients.revoke', { params: { clientId } });
  for (const caller of [first, second]) await caller.call('partners.restaurants.list', 401);
  for (const secret of [account.clientSecret, clientSecret]) {
    const login = loginOf({ clientId, clientSecret: secret });
    await callers.anonymous().call('auth.login', 401, login);
  }
});

test('backOffice.clients.revokeSecret 200 AUTH-10: its tokens end with the answer', async () => {
  const partnerGuid = await newPartner();
  const account = await newAccount(partnerGuid);
  const { clientId } = account;
  const restaurant = restaurantGuid;
  await ask('connections.connect', {
    params: { restaurantGuid, partnerGuid },
    json: { partnerGuid },
  });
  const { clientSecret, secretGuid } = await ask<Account & { secretGuid: string }>(
    'clients.addSecret',
    { params: { clientId }, json: {} },
  );
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'stock:read',
  };
  const narrow = await callers.anonymous().call('auth.token', 200, { form });
  const { access_token: token } = narrow.json as { access_token: string };
  const anonymous = callers.anonymous();
  const whole = await callerOf({ clientId, clientSecret });
  const others = await callerOf(account);
  // Each reads twice: the second answer comes from memory, and so would a third.
  for (let count = 0; count < 2; count += 1) {
    await anonymous.call('stock.list', 200, { restaurant, token });
    await whole.call('stock.list', 200, { restaurant });
    await others.call('stock.list', 200, { restaurant });
  }
  await ask('clients.revokeSecret', { params: { clientId, secretGuid } });
  await anonymous.call('stock.list', 401, { restaurant, token });
  await whole.call('stock.list', 401, { restaurant });
  await others.call('stock.list', 200, { restaurant });
  await anonymous.call('auth.login', 401, loginOf({ clientId, clientSecret }));
  await callerOf(account);
});

interface Usage {
  readonly requests: number;
  readonly operations: readonly { readonly operation: string; readonly requests: number }[];
  readonly restaurants: readonly { readonly restaurantGuid: string }[];
  readonly scopes: readonly { readonly scope: string; readonly lastUsedAt: string | null }[];
}

interface Shown {
  readonly lastUsedAt: string | null;
  readonly secrets: readonly { readonly lastUsedAt: string | null }[];
}

test('backOffice.clients.usage 200: what an account does is counted within seconds', async () => {
  const partnerGuid = await newPartner();
  const account = await newAccount(partnerGuid);
  const params = { clientId: account.clientId };
  const caller = await callerOf(account);
  const restaurant = restaurantGuid;
  const connection = { params: { restaurantGuid, partnerGuid } };
  await caller.call('stock.list', 403, { restaurant });
  await ask('connections.connect', { ...connection, json: { partnerGuid } });
  for (let count = 0; count < 3; count += 1) await caller.call('stock.list', 200, { restaurant });
  const usage = await until(
    'the count of four requests',
    () => ask<Usage>('clients.usage', { params }),
    ({ requests }) => requests === 4,
  );
  assert.deepEqual(
    usage.operations.map(({ operation, requests }) => [operation, requests]),
    [['stock.list', 4]],
  );
  assert.deepEqual(
    usage.restaurants.map((each) => each.restaurantGuid),
    [restaurantGuid],
  );
  const used = usage.scopes.filter(({ lastUsedAt }) => lastUsedAt !== null);
  assert.deepEqual(
    used.map(({ scope }) => scope),
    ['stock:read'],
    'config:read was never of use',
  );
  const shown = await ask<Shown>('clients.get', { params });
  assert.ok(shown.lastUsedAt && shown.secrets[0]?.lastUsedAt);
});
