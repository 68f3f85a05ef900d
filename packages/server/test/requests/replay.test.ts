import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, afterEach, before, test } from 'node:test';
import type {
  DiningOption,
  MenusDocument,
  OperationId,
  ReplayedRequest,
  ResolvedMenuItem,
} from '@servery/contract';
import { sleep } from '@servery/support/timer.ts';
import { type SpawnedPlatform, spawnPlatform } from '../payments/hunt/spawned-platform.ts';
import { createSandbox, logIn, Place, type Received, type Sent } from '../sandboxes/place.ts';

const MOST = 3;
const PATIENCE_MS = 60_000;
const UNKNOWN = randomUUID();
const VISA = '4111111111111111';
const DECLINED = '4000000000009995';
const GUEST = {
  'requestMetadata.originIPAddr': '8.8.8.8',
  'requestMetadata.guestIdentifier': 'guest-1@example.com',
  'requestMetadata.partnerServiceInfo.instanceId': 'sandboxes-1',
};

let platform: SpawnedPlatform;
let main: Place;
/** A copy of main that is there for all tests. */
let side: Place;
/** It has no secret and no card key in the copy. */
let stranger: Stranger;
/** Two workers: a replay and the request that it sends may be served by different ones. */
before(async () => {
  platform = await spawnPlatform([
    ...['--profile', 'demo', '--kind', 'sandbox', '--sandboxes', String(MOST), '--workers', '2'],
    ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'],
  ]);
  main = new Place(platform.url, platform.demo);
  stranger = await newPartnerClient();
  side = await createSandbox(main, { name: 'side', from: { sandbox: 'main' } });
});
afterEach(async () => {
  for (const name of await copies()) {
    await office('backOffice.sandboxes.drop', { params: { name } });
  }
});
after(async () => {
  await platform.end();
  await platform.remove();
});

const idOf = ({ headers }: Received) => headers.get('platform-request-id') ?? '';

async function office(id: OperationId, sent: Sent = {}, at = main): Promise<Received['body']> {
  const { status, body, text } = await at.as('operator', id, sent);
  assert.ok(status < 300, `${id}: ${text}`);
  return body;
}

/** A busy process writes its log late. */
async function untilLogged(requestId: string, at: Place): Promise<void> {
  const limitAt = performance.now() + PATIENCE_MS;
  const read = () => at.as('operator', 'backOffice.requests.get', { params: { requestId } });
  while ((await read()).status === 404) {
    assert.ok(performance.now() < limitAt, `the log has no request ${requestId}`);
    await sleep(50);
  }
}

async function ask(requestId: string, json: object = {}, at = main): Promise<Received> {
  if (requestId !== UNKNOWN) await untilLogged(requestId, at);
  return await at.as('operator', 'backOffice.requests.replay', { params: { requestId }, json });
}

async function replay(requestId: string, json: object = {}, at = main): Promise<ReplayedRequest> {
  const { status, body, text } = await ask(requestId, json, at);
  assert.equal(status, 200, text);
  return body;
}

async function assertRefused(
  requestId: string,
  json: object,
  status: number,
  ...says: readonly RegExp[]
): Promise<void> {
  const refused = await ask(requestId, json);
  assert.equal(refused.status, status, refused.text);
  for (const text of says) assert.match(refused.body.message, text);
}

async function copies(): Promise<string[]> {
  const { results } = await office('backOffice.sandboxes.list');
  const names: string[] = results.map(({ name }: { name: string }) => name);
  return names.filter((name) => name !== 'side');
}

async function logged(requestId: string, at: Place) {
  return await office('backOffice.requests.get', { params: { requestId } }, at);
}

async function anItem(): Promise<string> {
  const { restaurant } = main;
  const { body } = await main.as('partner', 'configuration.menuItems.list', { restaurant });
  return body[0].guid;
}

async function setStock(guid: string, quantity: number): Promise<Received> {
  const json = [{ guid, status: 'QUANTITY', quantity }];
  const received = await main.as('partner', 'stock.update', { restaurant: main.restaurant, json });
  assert.equal(received.status, 200, received.text);
  return received;
}

async function stockOf(guid: string, at: Place): Promise<unknown> {
  const sent = { restaurant: at.restaurant, json: { guids: [guid] } };
  return (await at.as('partner', 'stock.search', sent)).body[0]?.quantity;
}

test('backOffice.requests.replay 200, 409: into a new copy, which leaves main as it is', async () => {
  const guid = await anItem();
  const sent = await setStock(guid, 7);
  const again = await replay(idOf(sent), { set: { '[0].quantity': 3 } });
  assert.match(again.into, /^replay-[0-9a-f]{8}$/);
  assert.equal(again.baseUrl, `${main.url}/sandboxes/${again.into}`);
  const { from } = await office('backOffice.sandboxes.get', { params: { name: again.into } });
  const { requestId, method, path } = await logged(idOf(sent), main);
  assert.deepEqual(from.replayOf, { requestId, method, path });
  const { realNow } = await office('backOffice.clock.get');
  const leftMs = Date.parse(again.expiresAt ?? '') - Date.parse(realNow);
  assert.ok(leftMs > 3_000_000 && leftMs <= 3_600_000, again.expiresAt ?? '');
  assert.deepEqual(
    again.differences.map(({ path, before, after }) => [path, before, after]),
    [['body[0].quantity', 7, 3]],
  );
  assert.deepEqual([again.status, again.notes], [200, []]);
  assert.ok(again.demo);
  const copy = new Place(again.baseUrl, again.demo);
  assert.deepEqual([await stockOf(guid, copy), await stockOf(guid, main)], [3, 7]);
  const entry = await logged(again.requestId, copy);
  assert.deepEqual(
    [entry.operation, entry.explanation.caller.name],
    ['stock.update', 'Demo partner'],
  );
  // The copy replays what it has done, also what its parent has.
  const inside = await replay(again.requestId, { into: again.into }, copy);
  assert.deepEqual([inside.demo, inside.differences], [null, []]);
  const beside = await replay(idOf(sent), {}, copy);
  assert.notEqual(beside.into, again.into);
  assert.deepEqual(beside.differences, []);
  await assertRefused(idOf(sent), {}, 409, /already 3 sandboxes, the maximum/);
  const across = await ask(idOf(sent), { into: 'main' }, copy);
  assert.equal(across.status, 409);
  assert.match(
    across.body.message,
    /only into itself \("into": "replay-\w+"\) or into a new copy of itself/,
  );
  const query = { operation: 'backOffice.requests.replay' };
  const { results } = await office('backOffice.audit.list', { query });
  assert.deepEqual(
    results.map((entry: { subjectKind: string; subjectId: string }) => [
      entry.subjectKind,
      entry.subjectId,
    ]),
    [
      ['sandbox', beside.into],
      ['request', idOf(sent)],
      ['sandbox', again.into],
    ],
  );
});

test('backOffice.requests.replay 200, 404: into a sandbox that is there, or into main', async () => {
  const guid = await anItem();
  const sent = await setStock(guid, 9);
  const there = await replay(idOf(sent), { into: 'side', set: { '[0].quantity': 4 } });
  assert.deepEqual([there.into, there.demo], ['side', null]);
  assert.deepEqual([await stockOf(guid, side), await stockOf(guid, main)], [4, 9]);
  const here = await replay(idOf(sent), { into: 'main', set: { '[0].quantity': 5 } });
  assert.deepEqual([here.into, here.baseUrl, here.expiresAt], ['main', main.url, null]);
  assert.equal(await stockOf(guid, main), 5);
  await assertRefused(
    idOf(sent),
    { into: 'nowhere' },
    404,
    /no sandbox nowhere: there are main, side\./,
  );
  await assertRefused(UNKNOWN, {}, 404, /no such request/);
});

test('backOffice.requests.replay 422: what the log does not have must be set, and no copy is made', async () => {
  const { restaurant } = main;
  const json = [{ guid: await anItem(), status: 'OUT_OF_STOCK' }];
  const unread = await main.as('readOnly', 'stock.update', { restaurant, json });
  assert.equal(unread.status, 403);
  const why =
    /^set\["The body"\] is required: give the whole body as JSON, because the log has none:/;
  await assertRefused(idOf(unread), {}, 422, why);
  const same = await replay(idOf(unread), { into: 'main', set: { 'The body': json } });
  assert.deepEqual([same.status, same.differences], [403, []]);
  const order = await main.as('partner', 'orders.place', {
    restaurant,
    query: { surprise: 'a' },
    json: { checks: [{ customer: { firstName: 'Ada', lastName: 'Byron' }, oddity: 1 }] },
  });
  assert.equal(order.status, 400, order.text);
  const guest = /set\["checks\[0\]\.customer"\] is required: the log left its value out/;
  await assertRefused(idOf(order), {}, 422, guest);
  const odd = /set\["checks\[0\]\.oddity"\] is required/;
  await assertRefused(idOf(order), {}, 422, odd);
  const customer = {
    'checks[0].customer': { firstName: 'Eve', lastName: 'Moe' },
    'checks[0].oddity': 2,
    surprise: 'b',
  };
  const again = await replay(idOf(order), { into: 'main', set: customer });
  assert.equal(again.status, 400);
  const long = await main.as('partner', 'stock.search', {
    restaurant,
    json: { guids: Array.from({ length: 500 }, () => randomUUID()) },
  });
  await assertRefused(
    idOf(long),
    {},
    422,
    /set\["The body"\] is required: give the whole body as JSON, because the log cut it off/,
  );
  assert.deepEqual(await copies(), []);
});

test('backOffice.requests.replay 422: a place that cannot exist is refused with those that do', async () => {
  const { restaurant } = main;
  const sent = await main.as('partner', 'stock.search', { restaurant, json: { guids: [] } });
  for (const [set, text] of [
    [
      { identifiers: 1 },
      /^set\.identifiers is not a place in this request\. There are: .*fields of the body guids, multiLocationIds, versionIds, The body/,
    ],
    [{ guid: 1 }, /^set\.guid is not a place in this request\. Did you mean guids\?$/],
    [{ 'guids[0].name': 1 }, /is not a place/],
    [{ 'guids[2]': randomUUID() }, /must be an element of the list, which has 0, or the next one/],
    [{ 'Platform-Restaurant-External-ID': {} }, /must be text, a number, or true or false/],
    [{ 'user-agent': 'a\nb' }, /must be printable ASCII text/],
  ] as const) {
    await assertRefused(idOf(sent), { set }, 422, text);
  }
  const list = await main.as('partner', 'restaurants.get', {
    restaurant,
    params: { restaurantGUID: restaurant },
  });
  assert.equal(list.status, 200, list.text);
  const other = main.demo.restaurants.find(
    ({ guid, archived }) => guid !== restaurant && !archived,
  );
  const set = { restaurantGUID: other?.guid, 'platform-restaurant-external-id': other?.guid };
  const moved = await replay(idOf(list), { into: 'main', set });
  const guid = moved.differences.find(({ path }) => path === 'body.guid');
  assert.deepEqual([guid?.before, guid?.after], [restaurant, other?.guid]);
  const bad = { into: 'main', set: { includeArchived: 'perhaps', 'PLATFORM-SANDBOX-FAULT': null } };
  const asked = await replay(idOf(list), bad);
  assert.equal(asked.status, 400);
  const absent = await replay(idOf(list), {
    into: 'main',
    set: { 'platform-restaurant-external-id': null },
  });
  assert.match(absent.answerBody ?? '', /The header Platform-Restaurant-External-ID is missing/);
});

test('backOffice.requests.replay 200: an order that is placed anew differs only where it was changed', async () => {
  const { restaurant } = main;
  const read = async (id: OperationId) => (await main.as('partner', id, { restaurant })).body;
  const { menus } = (await read('menus.get')) as MenusDocument;
  const groups = menus.flatMap(({ menuGroups }) => menuGroups);
  const isPlain = ({ modifierGroupReferences, price }: ResolvedMenuItem) =>
    modifierGroupReferences.length === 0 && (price ?? 0) > 0;
  const group = groups.find(({ menuItems }) => menuItems.some(isPlain));
  const options = (await read('configuration.diningOptions.list')) as DiningOption[];
  const takeOut = options.find(({ behavior }) => behavior === 'TAKE_OUT');
  const item = { guid: group?.menuItems.find(isPlain)?.guid };
  const customer = { firstName: 'Ada', lastName: 'Byron', phone: '6175550123' };
  const selections = [{ itemGroup: { guid: group?.guid }, item }];
  const json = { diningOption: { guid: takeOut?.guid }, checks: [{ selections, customer }] };
  const placed = await main.as('partner', 'orders.place', { restaurant, json });
  assert.equal(placed.status, 200, placed.text);
  const set = { 'checks[0].customer': customer };
  // The second one has the next number.
  for (const _ of [1, 2]) {
    const again = await replay(idOf(placed), { into: 'side', set });
    assert.deepEqual([again.status, again.differences], [200, []], again.answerBody ?? '');
  }
  const changed = { ...set, 'checks[0].selections[0].quantity': 2 };
  const { differences } = await replay(idOf(placed), { into: 'side', set: changed });
  const paths = differences.map(({ path }) => path);
  assert.ok(paths.includes('body.checks[0].selections[0].quantity'), paths.join());
  assert.doesNotMatch(paths.join(), /guid|displayNumber/i);
});

test('backOffice.requests.replay 200: a payment is sent as a new one, with a test card and guest', async () => {
  const paymentUuid = randomUUID();
  const paid = await main.pay(paymentUuid);
  assert.equal(paid.body.paymentState, 'AUTHORIZED');
  const fresh = await replay(idOf(paid), { into: 'side' });
  // The authorization code is another one, and is no difference.
  assert.deepEqual([fresh.status, fresh.differences], [200, []]);
  const receiptOf = (body: string | null) => JSON.parse(body ?? '').authorizationMetadata;
  const receipt = receiptOf(paid.text);
  assert.notEqual(receiptOf(fresh.answerBody).authorizationCode, receipt.authorizationCode);
  const note = /payment (\S+) was sent, with the test card "Approved" and a test guest/;
  const [, sent = ''] = note.exec(fresh.notes[0] ?? '') ?? [];
  assert.notEqual(sent, paymentUuid);
  assert.equal((await side.settle('get', sent)).body.paymentState, 'AUTHORIZED');
  // The date moves with the clock: one in the future is refused (PAY-10).
  const now = new Date(Date.parse(receipt.localTransactionDate) - 86_400_000).toISOString();
  await office('backOffice.clock.set', { json: { now } }, side);
  const earlier = await replay(idOf(paid), { into: 'side' });
  assert.deepEqual([earlier.status, earlier.differences], [200, []], earlier.answerBody ?? '');
  assert.ok(receiptOf(earlier.answerBody).localTransactionDate < now);
  const { localTransactionDate } = receipt;
  const kept = { 'requestMetadata.localTransactionDate': localTransactionDate };
  assert.equal((await replay(idOf(paid), { into: 'side', set: kept })).status, 422);
  // With all that the log doesn't have, it is the repeat that it was not.
  const set = { ...GUEST, paymentUuid };
  const address = { 'requestMetadata.billingAddress': { postalCode: '02110', country: 'USA' } };
  const repeat = await replay(idOf(paid), { into: 'main', set: { ...set, ...address } });
  assert.deepEqual([repeat.status, repeat.differences], [200, []]);
  assert.equal((await logged(repeat.requestId, main)).explanation.isRepeat, true);
  const other = await replay(idOf(paid), { into: 'main', set: { paymentUuid } });
  assert.equal(other.status, 409);
  for (const card of [DECLINED, 'declined 51: insufficient funds']) {
    const denied = await replay(idOf(paid), { into: 'side', card });
    const state = denied.differences.find(({ path }) => path === 'body.paymentState');
    assert.deepEqual(
      [state?.before, state?.after],
      ['AUTHORIZED', 'DENIED'],
      denied.answerBody ?? '',
    );
    // The card of the logged payment is used again.
    const again = await replay(denied.requestId, { into: 'side' }, side);
    assert.equal(JSON.parse(again.answerBody ?? '').paymentState, 'DENIED');
  }
  await assertRefused(
    idOf(paid),
    { card: '4999' },
    422,
    /^card must be the number or the description of a test card\. `servery cards` lists them all/,
  );
  const stock = await main.as('partner', 'stock.list', { restaurant: main.restaurant });
  await assertRefused(idOf(stock), { card: VISA }, 422, /card must be left out/);
});

/** A client that the demo does not know. */
interface Stranger {
  readonly clientId: string;
  readonly token: string;
}

async function newClient(fields: object, scopes: readonly string[]): Promise<Stranger> {
  const json = { name: 'Stranger', scopes, ...fields };
  const { client, clientSecret } = await office('backOffice.clients.create', { json });
  const { clientId } = client as { clientId: string };
  const { userAccessType } = main.demo.clients.partner;
  const { body } = await logIn(main.url, { clientId, clientSecret, userAccessType });
  return { clientId, token: body.token.accessToken as string };
}

async function newPartnerClient(): Promise<Stranger> {
  const partners = await office('backOffice.partners.list');
  const { guid } =
    partners.results.find(({ name }: { name: string }) => name === 'Demo partner') ??
    partners.results[0];
  const scopes = ['credit_cards.authorization:write'];
  return await newClient({ type: 'PARTNER', partnerGuid: guid }, scopes);
}

test('backOffice.requests.replay 200, 409: a client without a secret or a card key in the copy', async () => {
  const { restaurant } = main;
  const refuse = async ({ token }: Stranger) => {
    const params = { merchantUuid: restaurant, paymentUuid: randomUUID() };
    const sent = { restaurant, params, json: {} };
    const refused = await main.with(token, 'creditCards.authorize', sent);
    assert.equal(refused.status, 400, refused.text);
    return refused;
  };
  const { keyId, publicKeyPem } = main.demo.cardKeys[0] ?? {};
  assert.ok(keyId && publicKeyPem);
  const whole = {
    ...{ cardNumberOrigin: 'END_USER', willSaveCard: false, amount: 5, tipAmount: 0 },
    requestMetadata: {
      ...{ partnerServiceInfo: { instanceId: '1' }, originIPAddr: '8.8.8.8' },
      ...{ cardFirst6: '', cardLast4: '', guestIdentifier: 'guest-1' },
      // The clock of the copy was set back by the test before.
      localTransactionDate: '2026-01-10T18:30:00.000Z',
      billingAddress: { postalCode: '02110', country: 'USA' },
    },
  };
  const there = { into: 'side', set: { 'The body': whole } };
  const newcomer = await refuse(await newPartnerClient());
  await assertRefused(idOf(newcomer), there, 409, /does not exist there/);
  const refused = await refuse(stranger);
  const again = await replay(idOf(refused), there);
  assert.equal(
    JSON.parse(again.answerBody ?? '').paymentState,
    'AUTHORIZED',
    again.answerBody ?? '',
  );
  const entry = await logged(again.requestId, side);
  assert.equal(entry.clientId, stranger.clientId);
  // With encrypted data in `set`, no test card is put in.
  const own = { ...whole, encryptedCardData: 'bm8gY2FyZA==', keyId };
  const wrong = await replay(idOf(refused), { into: 'side', set: { 'The body': own } });
  assert.equal(wrong.status, 422);
  await office('backOffice.clients.revoke', { params: { clientId: stranger.clientId } });
  await assertRefused(idOf(refused), { set: { 'The body': whole } }, 409, /was revoked/);
  assert.deepEqual(await copies(), []);
});

test('backOffice.requests.replay 200, 409: with the rights of the one who sent it', async () => {
  const { restaurant } = main;
  const token = await side.token('partner');
  await office('backOffice.clock.advance', { json: { duration: 'P1D' } }, side);
  // The other worker follows the clock within a second.
  const limitAt = performance.now() + PATIENCE_MS;
  let expired: Received;
  for (;;) {
    expired = await side.with(token, 'stock.list', { restaurant });
    if (expired.status === 401 || performance.now() > limitAt) break;
    await sleep(50);
  }
  const fresh = await replay(idOf(expired), { into: 'side' }, side);
  assert.equal(fresh.status, 200);
  assert.deepEqual(fresh.notes, ['The token had expired: a new one of the same client was sent.']);
  const none = await main.with(null, 'stock.list', { restaurant });
  const still = await replay(idOf(none), { into: 'main' });
  assert.deepEqual([still.status, still.differences], [401, []]);
  const broken = await main.with('no token', 'stock.list', { restaurant });
  await assertRefused(idOf(broken), {}, 409, /doesn't say who sent this request: its token/);
  const login = await logIn(main.url, main.demo.clients.partner);
  await assertRefused(idOf(login), {}, 409, /auth\.login proves who the caller is with a secret/);
  // The stream of the log ends when its reader goes away.
  const stop = new AbortController();
  const stream = await fetch(`${main.url}/backoffice/v1/requests/stream`, {
    headers: { authorization: `Bearer ${await main.token('operator')}` },
    signal: stop.signal,
  });
  stop.abort();
  const streamed = stream.headers.get('platform-request-id') ?? '';
  await assertRefused(streamed, {}, 409, /requests\.stream is a stream/);
  const lost = await main.with(null, 'docs.index', { headers: { authorization: 'Bearer x' } });
  assert.equal((await replay(idOf(lost), { into: 'main' })).status, 200);
});

test('backOffice.requests.replay 200, 403, 409: as a person, and never as somebody with more rights', async () => {
  const person = main.demo.people.find(({ role }) => role === 'GROUP_ADMINISTRATOR');
  assert.ok(person);
  const { email, password, personGuid } = person;
  const entered = await main.with(null, 'backOffice.sessions.begin', { json: { email, password } });
  const [cookie = ''] = (entered.headers.get('set-cookie') ?? '').split(';');
  const csrf = { cookie, 'x-csrf-token': entered.body.csrfToken as string };
  const json = { name: '' };
  const params = { personGuid };
  const sent = await main.with(null, 'backOffice.people.update', { params, json, headers: csrf });
  const again = await replay(idOf(sent), { into: 'main' });
  assert.deepEqual([again.status, again.differences], [sent.status, []], again.answerBody ?? '');
  assert.equal((await logged(again.requestId, main)).personGuid, personGuid);
  const headers = { cookie };
  const sessions = await main.with(null, 'backOffice.me.sessions.list', { headers });
  assert.equal(sessions.body.length, 1, 'the session of the replay has ended');
  await office('backOffice.people.deactivate', { params });
  await assertRefused(idOf(sent), { into: 'main' }, 409, /was deactivated/);
  await office('backOffice.people.reactivate', { params });
  const scopes = ['requests:read', 'requests:write'];
  const few = await newClient({ type: 'BACK_OFFICE' }, scopes);
  const asked = await main.as('operator', 'backOffice.alarms.list');
  await untilLogged(idOf(asked), main);
  const refused = await main.with(few.token, 'backOffice.requests.replay', {
    params: { requestId: idOf(asked) },
    json: {},
  });
  assert.equal(refused.status, 403, refused.text);
  assert.match(refused.body.message, /holds payments\.lifecycle:read, .* which you don't hold/);
  assert.deepEqual(await copies(), []);
});

test('backOffice.requests.replay 200: faults touch it like any request', async () => {
  const { restaurant } = main;
  const stock = await main.as('partner', 'stock.list', { restaurant });
  for (const [fault, status] of [
    ['lostAnswer', 200],
    ['status=500', 500],
  ] as const) {
    const set = { 'Platform-Sandbox-Fault': fault };
    const again = await replay(idOf(stock), { into: 'main', set });
    assert.deepEqual(
      [again.status, again.notes],
      [status, [`An injected fault touched the new request: ${fault}.`]],
    );
  }
});
