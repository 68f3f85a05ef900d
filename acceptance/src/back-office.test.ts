import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { header } from './answer.ts';
import { assertAudited, assertNothingAudited } from './audit-entries.ts';
import {
  type Alarm,
  askForMove,
  type BackOfficePayment,
  type CardKey,
  callMove,
  cardNamed,
  makeAlarm,
  moveClock,
  newBackOfficeClient,
  type PaymentKey,
  payFor,
  readEvents,
  readPayment,
  until,
} from './back-office.ts';
import { backOfficeResources } from './back-office-resources.ts';
import { cardDataOf, encryptCard } from './cards.ts';
import { Client, DemoCallers, logIn } from './client.ts';
import type { DemoCardKey, DemoClient } from './demo.ts';
import { inspect } from './fields.ts';
import { archivedRestaurant, openRestaurants } from './fixtures.ts';
import {
  ALL_SCOPES,
  GROUPS,
  type GroupVariant,
  groupDocument,
  RESTAURANTS,
} from './group-document.ts';
import { testOperations } from './matrix.ts';
import { expectedOperations, isBackOffice } from './operations.ts';
import { authorize, cardWithOutcome, paymentBody } from './payment.ts';
import { OWN_SETTINGS, runCommand, startPlatform } from './platform.ts';
import { samplesOf } from './prometheus.ts';
import { resources } from './resources.ts';
import { StatusRequests } from './status-requests.ts';
import { accountFieldsElsewhere, walkAccounts } from './status-requests-accounts.ts';
import { walkDrafts } from './status-requests-drafts.ts';
import { faultFieldsElsewhere, walkFaults } from './status-requests-faults.ts';
import { logFieldsElsewhere, walkLogs } from './status-requests-logs.ts';
import { walkOrganization } from './status-requests-organization.ts';
import { walkPeople } from './status-requests-people.ts';
import { walkRestaurantOrders } from './status-requests-restaurant-orders.ts';
import { sandboxFieldsElsewhere, walkSandboxes } from './status-requests-sandboxes.ts';
import { walkStock } from './status-requests-stock.ts';
import { testClockConflicts } from './test-clock-conflicts.ts';
import { alike, messageOf, nth } from './values.ts';
import { explanationFieldsElsewhere, walkExplanations } from './walk-explanations.ts';

// A platform of its own: the matrix moves the clock, which all others of a run go by.
const platform = await startPlatform({ settings: OWN_SETTINGS });
after(() => platform.stop());

const { demo } = platform;
const callers = new DemoCallers(platform);
const partner = await callers.as('partner');
const orders = await callers.as('orders');
const operator = await callers.as('operator');
const [merchant, second, third = second] = openRestaurants(demo);
const UNKNOWN = '7d0c8f5a-6c1e-4f0b-9a53-2f4f6c1b9e77';
const operations = expectedOperations.filter(isBackOffice);
const requests = new StatusRequests(callers);
const ringVariant: GroupVariant = {
  connected: ['alpha', 'beta'],
  scopes: ALL_SCOPES,
  hasGroupAccount: true,
  menuName: 'Lunch',
};

/** Imports a second group beside the demo group; gives its accounts by their name. */
async function importRing(): Promise<Map<string, DemoClient>> {
  const file = join(platform.dataDir, '..', 'ring.json');
  await writeFile(file, JSON.stringify(groupDocument(ringVariant)));
  const result = await runCommand(platform.dataDir, ['import', file, '--json']);
  assert.equal(result.code, 0, result.errors);
  const { newClients } = JSON.parse(result.output) as {
    newClients: { name: string; clientId: string; clientSecret: string }[];
  };
  const { userAccessType } = demo.clients.partner;
  return new Map(newClients.map((each) => [each.name, { ...each, userAccessType, scopes: [] }]));
}

// Before the first test: a platform is stopped when no test waits anymore.
const ring = await importRing();

/** Makes a list of payments a page at a time, and calls `between` after each page. */
async function walk(
  client: Client,
  query: Readonly<Record<string, string | number>>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<BackOfficePayment[]> {
  const found: BackOfficePayment[] = [];
  for (let pageToken = ''; ; ) {
    const page = await client.call('backOffice.payments.list', 200, {
      query: { ...query, ...(pageToken === '' ? {} : { pageToken }) },
    });
    const { results, nextPageToken } = page.json as {
      results: BackOfficePayment[];
      nextPageToken: string | null;
    };
    found.push(...results);
    if (nextPageToken === null) return found;
    assert.equal(results.length, query.pageSize, 'only the last page is not full');
    pageToken = nextPageToken;
    await between();
  }
}

const uuidsOf = (payments: readonly PaymentKey[]) => payments.map((each) => each.paymentUuid);

/** Asserts that no payment is newer than the one before it. */
function newestFirst(payments: readonly BackOfficePayment[]): void {
  const instants = payments.map(({ createdAt }) => Date.parse(createdAt));
  assert.deepEqual(
    instants,
    [...instants].sort((one, other) => other - one),
  );
}

test('backOffice.payments.list 200: all pages are walked while payments are added', async () => {
  const query = { merchantUuid: merchant, pageSize: 2 };
  const oldest = uuidsOf(await walk(orders, query));
  const older: BackOfficePayment[] = [];
  for (let index = 0; index < 7; index += 1) older.push(await payFor(callers));
  const walked = await walk(orders, query, () => payFor(callers));
  const found = uuidsOf(walked);
  assert.equal(new Set(found).size, found.length, 'nothing twice');
  const expected = [...uuidsOf(older).reverse(), ...oldest];
  assert.deepEqual(found, expected, 'none lost of the older, none of the newer');
  newestFirst(walked);
});

test('backOffice.payments.list 200: each filter holds what it says, and all at once', async () => {
  const list = (query: Record<string, string>) => walk(orders, { pageSize: 200, ...query });
  const before = await payFor(callers, { merchant: second });
  const applied = await callMove(callers, await payFor(callers, { merchant: second }), 'apply');
  const there = uuidsOf(await list({ merchantUuid: second }));
  assert.deepEqual(there, [applied.paymentUuid, before.paymentUuid]);
  const states = await list({ merchantUuid: second, state: 'APPLIED' });
  assert.deepEqual(uuidsOf(states), [applied.paymentUuid]);
  const both = await list({ merchantUuid: second, state: 'AUTHORIZED,APPLIED' });
  assert.deepEqual(uuidsOf(both), there);
  assert.deepEqual(await list({ merchantUuid: second, state: 'CAPTURED' }), []);

  const from = await list({ merchantUuid: second, createdFrom: applied.createdAt });
  assert.deepEqual(uuidsOf(from), [applied.paymentUuid], 'createdFrom is at or after');
  const to = await list({ merchantUuid: second, createdTo: applied.createdAt });
  assert.deepEqual(uuidsOf(to), [before.paymentUuid], 'createdTo is before');
  const offset = applied.createdAt.replace('Z', '+00:00');
  assert.deepEqual(await list({ merchantUuid: second, createdFrom: offset }), from);

  const deadline = String(before.applyDeadline);
  assert.deepEqual(await list({ merchantUuid: second, dueBefore: deadline }), []);
  const later = new Date(Date.parse(deadline) + 1).toISOString();
  const due = await list({ merchantUuid: second, dueBefore: later });
  assert.deepEqual(uuidsOf(due), [before.paymentUuid], 'the applied one waits for seven days');

  const { cardLast4 } = before;
  assert.deepEqual(uuidsOf(await list({ merchantUuid: second, cardLast4 })), there);
  assert.deepEqual(await list({ merchantUuid: second, cardLast4: '0000' }), []);

  for (const amount of [before.amount, before.amount + before.tipAmount]) {
    const alike = await list({ merchantUuid: second, amount: amount.toFixed(2) });
    assert.deepEqual(uuidsOf(alike), there, 'without and with the tip');
  }
  assert.deepEqual(await list({ merchantUuid: second, amount: '123456.78' }), []);

  const { clientId } = demo.clients.partner;
  assert.deepEqual(uuidsOf(await list({ merchantUuid: second, clientId })), there);
  assert.deepEqual(await list({ clientId: demo.clients.group.clientId }), []);
  assert.deepEqual(await list({ merchantUuid: UNKNOWN }), []);
  assert.equal((await list({})).length, (await list({ clientId })).length);
});

test('backOffice.payments.list 400: a wrong filter is named; a token has its own', async () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['merchantUuid', 'table-7'],
    ['state', 'PAID'],
    ['state', 'AUTHORIZED,'],
    ['cardLast4', '12a4'],
    ['amount', '12,50'],
    ['amount', '-1'],
    ['createdFrom', 'yesterday'],
    ['createdTo', '2026-02-30T00:00:00Z'],
    ['dueBefore', '2026-01-01T00:00:00'],
    ['pageSize', '0'],
    ['pageSize', '201'],
    ['pageSize', 'ten'],
    ['pageToken', 'AbCdEf012345'],
  ];
  for (const [name, value] of wrong) {
    const answer = await orders.call('backOffice.payments.list', 400, { query: { [name]: value } });
    assert.ok(messageOf(answer).includes(name), `${name}=${value}: ${messageOf(answer)}`);
  }
  const query = { merchantUuid: merchant, pageSize: 2 };
  const first = await orders.call('backOffice.payments.list', 200, { query });
  const { nextPageToken: pageToken } = first.json as { nextPageToken: string };
  await orders.call('backOffice.payments.list', 200, { query: { pageToken } });
  for (const other of [{ merchantUuid: second }, { pageSize: 3 }, { state: 'AUTHORIZED' }]) {
    await orders.call('backOffice.payments.list', 400, {
      query: { ...query, ...other, pageToken },
    });
  }
});

test('backOffice.payments.get 404 PAY-12: no restaurant and no payment look the same', async () => {
  const { merchantGuid: merchantUuid, paymentUuid } = await payFor(callers);
  const get = (params: Record<string, string>, status = 404) =>
    orders.call('backOffice.payments.get', status, { params });
  const upper = {
    merchantUuid: merchantUuid.toUpperCase(),
    paymentUuid: paymentUuid.toUpperCase(),
  };
  assert.equal(
    (await readPayment(callers, { merchantGuid: merchantUuid, paymentUuid })).version,
    2,
  );
  await get(upper, 200);
  const unknown = await get({ merchantUuid: UNKNOWN, paymentUuid });
  alike(unknown, await get({ merchantUuid: 'table-7', paymentUuid }));
  const noPayment = await get({ merchantUuid, paymentUuid: UNKNOWN });
  const noGuid = await get({ merchantUuid, paymentUuid: 'payment-7' });
  assert.match(noGuid.text, /paymentUuid must be a GUID/);
  alike(noPayment, await get({ merchantUuid: second, paymentUuid }));
  // An archived restaurant is there.
  alike(noPayment, await get({ merchantUuid: archivedRestaurant(demo), paymentUuid }));
});

/** Values that lead nowhere for the parameters of a path. */
function parametersOf(path: string): Record<string, string> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [String(name), merchant]);
  return Object.fromEntries(names);
}

test('stock.list 403 PAY-12: back office clients have nothing with the partners', async () => {
  const others = expectedOperations.filter(({ id, token }) => token && !isBackOffice({ id }));
  assert.ok(others.length > 50);
  for (const operation of others) {
    const { options } = await requests.unusedSample(operation);
    await operator.call(operation.id, 403, options);
  }
});

test('auth.token 400 AUTH-8: a client gets no scope of the other kind', async () => {
  const ask = ({ clientId, clientSecret }: DemoClient, scope: string) => {
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const headers = { authorization: `Basic ${basic}` };
    const form = { grant_type: 'client_credentials', scope };
    return callers.anonymous().call('auth.token', 400, { form, headers });
  };
  await ask(demo.clients.partner, 'payments.lifecycle:read');
  await ask(demo.clients.operator, 'stock:read');
  await ask(demo.clients.orders, 'card_keys:read');
});

/** A payment of the second group, by the partner of its own. */
async function payAtRing(account: DemoClient): Promise<PaymentKey> {
  const client = new Client(platform, await logIn(platform, account));
  const keys = await client.call('platform.cardEncryptionKeys.list', 200);
  const key = nth(keys.json as DemoCardKey[], 0, 'card key');
  const merchantGuid = RESTAURANTS.alpha;
  const paymentUuid = randomUUID();
  await authorize(client, 200, merchantGuid, await paymentBody(demo, { key }), paymentUuid);
  return { merchantGuid, paymentUuid };
}

test('backOffice.payments.get 404 200 PAY-12: a group reaches its own restaurants alone', async () => {
  const account = ring.get('Ring account');
  assert.ok(account);
  const { merchantGuid, paymentUuid } = await payAtRing(account);
  const params = { merchantUuid: merchantGuid, paymentUuid };
  const at = (path: string, restaurantGuid: string) => ({
    ...parametersOf(path),
    ...{ merchantUuid: restaurantGuid, restaurantGuid, paymentUuid },
  });
  for (const { id, path, restaurant } of operations) {
    if (restaurant !== 'path') continue;
    const json = { json: { checkGuid: UNKNOWN, reason: 'The guest left.' } };
    const options = /apply|void/.test(id) ? json : {};
    const refused = await orders.call(id, 404, { params: at(path, merchantGuid), ...options });
    alike(refused, await orders.call(id, 404, { params: at(path, UNKNOWN), ...options }));
  }
  const seen = await operator.call('backOffice.payments.get', 200, { params });
  assert.equal((seen.json as BackOfficePayment).paymentState, 'AUTHORIZED');
  assert.deepEqual(await walk(orders, { merchantUuid: merchantGuid, pageSize: 9 }), []);
  assert.equal((await walk(operator, { merchantUuid: merchantGuid, pageSize: 9 })).length, 1);

  // What a group's orders system moves, it is not told of another group's payments.
  const ours = await payFor(callers);
  const moved = await moveClock(orders, { advance: 'PT6M' });
  const about = new Set(moved.done.map((work) => work.paymentUuid));
  assert.ok(about.has(ours.paymentUuid) && !about.has(paymentUuid));
  const voided = await operator.call('backOffice.payments.get', 200, { params });
  assert.equal((voided.json as BackOfficePayment).paymentState, 'VOIDED');
});

test('backOffice.cardKeys.list 200 404 PAY-12: the reach of another group', async () => {
  const [account, groupAccount] = [ring.get('Ring account'), ring.get('Group account')];
  assert.ok(account && groupAccount);
  const stranger = await newBackOfficeClient(platform, GROUPS.ring);
  const keys = (client: Client, { clientId }: Pick<DemoClient, 'clientId'>, status: number) =>
    client.call('backOffice.cardKeys.list', status, { params: { clientId } });
  for (const each of [account, groupAccount, demo.clients.group, demo.clients.partner]) {
    await keys(operator, each, 200);
  }
  await keys(stranger, groupAccount, 200);
  const unknown = await keys(stranger, { clientId: UNKNOWN }, 404);
  for (const each of [account, demo.clients.group, demo.clients.partner]) {
    alike(unknown, await keys(stranger, each, 404));
  }

  const { merchantGuid: merchantUuid, paymentUuid } = await payFor(callers);
  const get = (merchant: string) =>
    stranger.call('backOffice.payments.get', 404, {
      params: { merchantUuid: merchant, paymentUuid },
    });
  alike(await get(merchantUuid), await get(UNKNOWN));
  const all = await walk(stranger, { pageSize: 200 });
  assert.ok(all.length > 0 && all.every((each) => each.merchantGuid === RESTAURANTS.alpha));

  const alarm = await makeAlarm(callers);
  const seen = await stranger.call('backOffice.alarms.list', 200);
  assert.deepEqual((seen.json as { results: Alarm[] }).results, []);
  const json = { note: 'Not ours.' };
  const acknowledge = (alarmGuid: string) =>
    stranger.call('backOffice.alarms.acknowledge', 404, { params: { alarmGuid }, json });
  alike(await acknowledge(alarm.guid), await acknowledge(UNKNOWN));
});

test('backOffice.alarms.list 200: what is open, what is not, by pages', async () => {
  const list = async (query: Record<string, string | number | boolean>, client = orders) => {
    const answer = await client.call('backOffice.alarms.list', 200, { query });
    return answer.json as { results: Alarm[]; nextPageToken: string | null };
  };
  const made: Alarm[] = [];
  for (const at of [merchant, second, third]) made.push(await makeAlarm(callers, at));
  const open = await list({ open: true });
  const guids = made.map(({ guid }) => guid).reverse();
  assert.deepEqual(
    open.results.slice(0, 3).map(({ guid }) => guid),
    guids,
    'the newest first',
  );
  const walked: string[] = [];
  for (let pageToken: string | null = ''; pageToken !== null; ) {
    const query = { open: true, pageSize: 1, ...(pageToken === '' ? {} : { pageToken }) };
    const page: Awaited<ReturnType<typeof list>> = await list(query);
    walked.push(...page.results.map(({ guid }) => guid));
    pageToken = page.nextPageToken;
  }
  assert.deepEqual(
    walked,
    open.results.map(({ guid }) => guid),
  );

  const alarm = nth(made, 0, 'alarm');
  assert.deepEqual([alarm.acknowledgedAt, alarm.acknowledgedBy, alarm.note], [null, null, null]);
  const params = { alarmGuid: alarm.guid };
  const acknowledge = async (client: Client, note: string) =>
    (await client.call('backOffice.alarms.acknowledge', 200, { params, json: { note } }))
      .json as Alarm;
  const noted = await acknowledge(orders, 'The processor was called.');
  assert.equal(noted.note, 'The processor was called.');
  assert.equal(noted.acknowledgedBy, demo.clients.orders.clientId);
  assert.deepEqual(await acknowledge(operator, 'Another note.'), noted, 'it keeps its first note');
  assert.ok(!(await list({ open: true })).results.some(({ guid }) => guid === alarm.guid));
  assert.deepEqual(
    (await list({ open: false })).results.find(({ guid }) => guid === alarm.guid),
    noted,
  );
  assert.ok((await list({ pageSize: 200 })).results.some(({ guid }) => guid === alarm.guid));
});

test('backOffice.alarms.acknowledge 404 422: an unknown alarm, and a note too long', async () => {
  const { guid } = await makeAlarm(callers);
  const acknowledge = (status: number, alarmGuid: string, note: unknown) =>
    orders.call('backOffice.alarms.acknowledge', status, { params: { alarmGuid }, json: { note } });
  await acknowledge(404, UNKNOWN, 'x');
  const noGuid = await acknowledge(404, 'alarm-7', 'x');
  assert.match(noGuid.text, /alarmGuid must be a GUID/);
  for (const note of ['', 'x'.repeat(1001), 7, null]) await acknowledge(422, guid, note);
  await acknowledge(200, guid, 'x'.repeat(1000));
});

test('backOffice.metrics 200: the text parses, and counts moves and alarms', async () => {
  const read = async () => {
    const answer = await operator.call('backOffice.metrics', 200);
    assert.match(String(header(answer, 'content-type')), /^text\/plain;.*version=0\.0\.4/);
    return samplesOf(answer.text);
  };
  const counters = (samples: Map<string, number>) =>
    Object.fromEntries([...samples].filter(([name]) => /^servery_payment_\w+_total/.test(name)));
  // A payment of an earlier test may fall due: not while the clock stands.
  await moveClock(operator, 'freeze');
  const before = counters(await read());
  const { paymentUuid } = await makeAlarm(callers);
  const after = counters(await read());
  await moveClock(operator, 'run');
  const grown = Object.entries(after).filter(([name, value]) => value !== before[name]);
  assert.deepEqual(
    grown.map(([name, value]) => `${name} +${value - Number(before[name])}`).sort(),
    [
      'servery_payment_alarms_total{kind="VOID_DECLINED"} +1',
      'servery_payment_moves_total{cause="approved"} +1',
      'servery_payment_moves_total{cause="submitted"} +1',
      'servery_payment_moves_total{cause="voidDeclined"} +1',
      'servery_payment_moves_total{cause="voidedOnPointOfSale"} +1',
    ],
  );
  const { text } = await operator.call('backOffice.metrics', 200);
  assert.ok(!text.includes(paymentUuid) && !text.includes(demo.clients.partner.clientId));
});

test('backOffice.cardKeys.issue 200 PAY-3 PAY-4: a key lives from pending to destroyed', async () => {
  const { clientId } = demo.clients.partner;
  const json = { algorithm: 'ECDH-ES', state: 'PENDING' };
  const issued = await operator.call('backOffice.cardKeys.issue', 200, {
    params: { clientId },
    json,
  });
  const key = issued.json as CardKey & DemoCardKey;
  const { keyId } = key;
  assert.match(keyId, /^ECDH-ES::./);
  assert.doesNotMatch(issued.text, /PRIVATE|"d":/, 'the private part never leaves');
  const move = async (name: string, status = 200) =>
    (await operator.call(`backOffice.cardKeys.${name}`, status, { params: { clientId, keyId } }))
      .json as CardKey;
  const isListed = async () => {
    const { json: keys } = await partner.call('platform.cardEncryptionKeys.list', 200);
    return (keys as DemoCardKey[]).some((each) => each.keyId === keyId);
  };
  const pay = async (status: number) => {
    const card = cardWithOutcome(demo, 'AUTHORIZED');
    const encryptedCardData = await encryptCard(key, cardDataOf(card));
    const body = await paymentBody(demo, { card, key, encryptedCardData });
    await authorize(partner, status, merchant, body);
  };
  const stateInList = async () => {
    const answer = await operator.call('backOffice.cardKeys.list', 200, { params: { clientId } });
    assert.doesNotMatch(answer.text, /PRIVATE|"d":/);
    return (answer.json as CardKey[]).find((each) => each.keyId === keyId)?.state;
  };

  assert.deepEqual([await stateInList(), await isListed()], ['PENDING', false]);
  assert.equal((await move('activate')).state, 'ACTIVE');
  assert.equal((await move('activate')).state, 'ACTIVE', 'a repeat changes nothing');
  assert.deepEqual([await stateInList(), await isListed()], ['ACTIVE', true]);
  await pay(200);
  assert.equal((await move('retire')).state, 'DECRYPT_ONLY');
  assert.equal((await move('retire')).state, 'DECRYPT_ONLY');
  assert.deepEqual([await stateInList(), await isListed()], ['DECRYPT_ONLY', false]);
  await pay(200);
  assert.equal((await move('destroy')).state, 'DESTROYED');
  assert.equal((await move('destroy')).state, 'DESTROYED');
  assert.deepEqual([await stateInList(), await isListed()], ['DESTROYED', false]);
  await pay(422);
  for (const name of ['activate', 'retire']) await move(name, 409);
});

test('backOffice.cardKeys.destroy 200 PAY-3: a leaked key is destroyed in any state', async () => {
  const { clientId } = demo.clients.partner;
  for (const state of ['PENDING', 'ACTIVE']) {
    const json = { algorithm: 'ECDH-ES', state };
    const issued = await operator.call('backOffice.cardKeys.issue', 200, {
      params: { clientId },
      json,
    });
    const key = issued.json as CardKey & DemoCardKey;
    const params = { clientId, keyId: key.keyId };
    const destroyed = await operator.call('backOffice.cardKeys.destroy', 200, { params });
    assert.equal((destroyed.json as CardKey).state, 'DESTROYED');
    await authorize(partner, 422, merchant, await paymentBody(demo, { key }));
  }
});

test('backOffice.cardKeys.issue 404 422: a legacy algorithm is asked for by its word', async () => {
  const issue = (status: number, json: object, clientId = demo.clients.other.clientId) =>
    operator.call('backOffice.cardKeys.issue', status, { params: { clientId }, json });
  await issue(422, { algorithm: 'RSA-OAEP-SHA1' });
  await issue(422, { algorithm: 'ECDH-ES', notAfter: '2020-01-01T00:00:00.000Z' });
  await issue(422, { algorithm: 'ECDH-ES', state: 'DESTROYED' });
  await issue(422, { algorithm: 'ECDH-ES', legacy: 'no' });
  const legacy = { algorithm: 'RSA-OAEP-SHA1', legacy: true, state: 'PENDING' };
  const { keyId } = (await issue(200, legacy)).json as CardKey;
  assert.match(keyId, /^RSA-OAEP-SHA1::/);
  const ending = { algorithm: 'ECDH-ES', state: 'PENDING', notAfter: '2080-01-01T01:00:00+01:00' };
  const planned = (await issue(200, ending)).json as { notAfter: string };
  assert.equal(planned.notAfter, '2080-01-01T00:00:00.000Z');
  await issue(404, { algorithm: 'ECDH-ES' }, UNKNOWN);
  // Accounts that make no payments have no keys.
  await issue(404, { algorithm: 'ECDH-ES' }, demo.clients.orders.clientId);
});

testOperations(operations, requests, (...call) => assertAudited(requests, ...call));
testClockConflicts(operations, requests);

test('backOffice.audit.list 200: what was refused, or only looked, leaves no entry', async () => {
  await assertNothingAudited(requests);
});

/** Makes payments that between them come through every state and field. */
async function fillAllFields(): Promise<void> {
  await moveClock(operator, 'freeze');
  const captured = await payFor(callers);
  for (const move of ['apply', 'fulfil', 'capture'] as const) {
    await callMove(callers, captured, move);
  }
  await callMove(callers, await payFor(callers), 'void');
  await payFor(callers, { card: cardWithOutcome(demo, 'DENIED') });
  const reversed = await payFor(callers, { card: cardNamed(callers, /another amount/) });
  await until(
    'the reversal',
    async () => {
      await moveClock(operator, { advance: 'PT5S' });
      return readPayment(callers, reversed);
    },
    ({ paymentState }) => paymentState === 'REVERSED',
  );
  assert.ok((await readPayment(callers, reversed)).error);
}

const LATER = 'There when a minute is complete: packages/server has the test.';

const healthFieldsElsewhere: Readonly<Record<string, string>> = {
  'Health.minutes': LATER,
  'Health.processes': LATER,
  ...Object.fromEntries(
    ['HealthMinute', 'HealthProcess'].flatMap((name) =>
      Object.keys(resources[name] ?? {}).map((field) => [`${name}.${field}`, LATER]),
    ),
  ),
};

/** Fields that no answer of the walk below fills, and why. */
const seenElsewhere: Readonly<Record<string, string>> = {
  'ClockMove.stoppedBecause': 'Only a move with thousands of pieces of work stops early.',
  ...logFieldsElsewhere,
  ...explanationFieldsElsewhere,
  ...faultFieldsElsewhere,
  ...accountFieldsElsewhere,
  ...healthFieldsElsewhere,
  ...sandboxFieldsElsewhere,
};

test('inventory: every field of the back office holds a value somewhere', async () => {
  await fillAllFields();
  await payFor(callers);
  const seen = new Set<string>();
  const record = (type: string, json: unknown) => {
    const findings = inspect(type, json);
    assert.deepEqual(findings.faults, []);
    for (const field of findings.seen) seen.add(field);
  };
  const list = async (id: string, options: object) =>
    (await operator.call(`backOffice.${id}`, 200, options)).json;
  record('BackOfficePaymentPage', await list('payments.list', { query: { pageSize: 2 } }));
  const payments = await walk(operator, { pageSize: 200 });
  record('BackOfficePayment[]', payments);
  await walkFaults(callers, record);
  for (const payment of payments.slice(0, 9)) {
    record('PaymentEvent[]', await readEvents(callers, payment));
  }
  record('ClockStatus', await list('clock.get', {}));
  record('ClockMove', await moveClock(operator, { advance: 'PT6M' }));
  for (const { clientId } of [demo.clients.partner, demo.clients.other]) {
    record('CardKey[]', await list('cardKeys.list', { params: { clientId } }));
  }
  record('AlarmPage', await list('alarms.list', { query: { pageSize: 1 } }));
  record('AlarmPage', await list('alarms.list', { query: { open: false } }));
  record('Health', await list('health.get', {}));
  await walkStock(callers, record);
  await walkRestaurantOrders(callers, record);
  await walkOrganization(callers, record);
  await walkLogs(callers, record);
  await walkExplanations(callers, record);
  await walkPeople(callers, record);
  await walkAccounts(callers, record);
  await walkDrafts(callers, record);
  await walkSandboxes(callers, record);
  const missing = Object.keys(backOfficeResources)
    .flatMap((name) => Object.keys(resources[name] ?? {}).map((field) => `${name}.${field}`))
    .filter((field) => !seen.has(field) && !seenElsewhere[field]);
  assert.deepEqual(missing, [], 'fields that no answer fills');
  const filled = Object.keys(seenElsewhere).filter(
    // What is written seconds later may be there by now.
    (field) => seen.has(field) && !accountFieldsElsewhere[field] && !healthFieldsElsewhere[field],
  );
  assert.deepEqual(filled, []);
});

test('backOffice.payments.fulfil 200: a body is not looked at where none is taken', async () => {
  const payment = await payFor(callers);
  await callMove(callers, payment, 'apply');
  const params = { merchantUuid: payment.merchantGuid, paymentUuid: payment.paymentUuid };
  for (const headers of [
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'text/x' },
  ]) {
    await orders.call('backOffice.payments.fulfil', 200, { params, bytes: '', headers });
  }
  const illegal = await askForMove(callers, payment, 'void', 409);
  assert.match(messageOf(illegal), /capture/);
});
