import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoggedRequestDetails } from '@servery/contract';
import { type Answer, header } from './answer.ts';
import { newBackOfficeClient, readClock, until } from './back-office.ts';
import { Client, logIn } from './client.ts';
import type { DemoCardKey, DemoClient, DemoTestCard } from './demo.ts';
import { type ConfigurationObject, type Inventory, page, wholeCollection } from './fixtures.ts';
import {
  ALL_SCOPES,
  GROUPS,
  type GroupVariant,
  groupDocument,
  ITEM_COUNT,
  MODIFIED,
  otherGroupDocument,
  RESTAURANTS,
} from './group-document.ts';
import { authorize, type PaymentBody, type PaymentChanges, paymentBody } from './payment.ts';
import { PRODUCTION, runCommand, startProduction } from './platform.ts';
import { messageOf, nth } from './values.ts';

// A production platform into which another process imports: what it changes must be in force here
// within a second (AUTH-9). The tests run in their order, each on what the one before has imported;
// the last ones are of what production hides.
const platform = await startProduction();
after(() => platform.stop());

const REACH_LIMIT_MS = 1000;
const { alpha, beta, closed, delta } = RESTAURANTS;
const first: GroupVariant = {
  connected: ['alpha', 'beta'],
  scopes: ALL_SCOPES,
  hasGroupAccount: true,
  menuName: 'Lunch',
};
const anonymous = new Client(platform);
let importedAt = 0;

interface ImportResult {
  newClients: { name: string; clientId: string; clientSecret: string }[];
}

async function importDocument(document: unknown, ...flags: string[]): Promise<ImportResult> {
  const file = join(platform.dataDir, '..', 'group.json');
  await writeFile(file, JSON.stringify(document));
  const result = await runCommand(
    platform.dataDir,
    ['import', file, '--json', ...flags],
    PRODUCTION,
  );
  importedAt = performance.now();
  assert.equal(result.code, 0, result.errors);
  return JSON.parse(result.output);
}

/** Asks until the check holds; a request sent over a second after the import must hold. */
async function inForce(check: () => Promise<void>): Promise<void> {
  for (;;) {
    const isLate = performance.now() - importedAt > REACH_LIMIT_MS;
    try {
      return await check();
    } catch (error) {
      if (isLate) throw error;
      await wait(20);
    }
  }
}

const { newClients } = await importDocument(groupDocument(first));
await importDocument(otherGroupDocument());

function account(name: string): DemoClient {
  const found = newClients.find((client) => client.name === name);
  assert.ok(found, `no account ${name} among ${newClients.map((client) => client.name)}`);
  const { clientId, clientSecret } = found;
  return { clientId, clientSecret, userAccessType: 'PLATFORM_MACHINE_CLIENT', scopes: [] };
}

const ring = new Client(platform, await logIn(platform, account('Ring account')));
const groupAccount = new Client(platform, await logIn(platform, account('Group account')));

// A production platform hands out no account of the back office: its operator makes one.
const operator = await newBackOfficeClient(platform, null, PRODUCTION);
const keys = await ring.call('platform.cardEncryptionKeys.list', 200);
const key = nth(keys.json as DemoCardKey[], 0, 'card key');
const card: DemoTestCard = {
  ...{ name: 'Of production', cardNumber: '4111111111111111', brand: 'VISA', cvv: '123' },
  ...{ outcome: 'AUTHORIZED', settles: 'AUTHORIZED', whenVoided: null, whenCaptured: null },
};
const bodyOf = (changes: PaymentChanges = {}) =>
  paymentBody(platform.demo, { card, key, ...changes });

const named = (objects: readonly ConfigurationObject[], name: string) =>
  objects.find((object) => object.name === name);

async function connectedGuids(): Promise<string[][]> {
  const listed = await ring.call('partners.restaurants.list', 200);
  const paged = await ring.call('partners.connectedRestaurants.list', 200);
  const guids = (list: unknown) =>
    (list as { restaurantGuid: string }[]).map(({ restaurantGuid }) => restaurantGuid).sort();
  return [guids(listed.json), guids((paged.json as { results: unknown }).results)];
}

test('partners.restaurants.list 200 PTN-5: a connection is described as made', async () => {
  const answer = await ring.call('partners.restaurants.list', 200);
  const list = answer.json as { restaurantGuid: string }[];
  assert.deepEqual(
    list.find(({ restaurantGuid }) => restaurantGuid === alpha),
    {
      restaurantGuid: alpha,
      managementGroupGuid: GROUPS.ring,
      deleted: false,
      restaurantName: 'Alpha',
      locationName: null,
      createdByEmailAddress: 'ana.gil@ring.example',
      externalGroupRef: 'ring-group',
      externalRestaurantRef: 'ring-alpha',
      modifiedDate: Date.parse('2026-02-02T09:30:00.250Z'),
      createdDate: Date.parse('2026-02-01T08:00:00.000Z'),
      isoModifiedDate: '2026-02-02T09:30:00.250Z',
      isoCreatedDate: '2026-02-01T08:00:00.000Z',
    },
  );
  assert.deepEqual(await connectedGuids(), [
    [alpha, beta, delta],
    [alpha, beta, delta],
  ]);
});

test('restaurants.get 200 RST-5 API-10: the least of a restaurant, with defaults and nulls', async () => {
  const params = { restaurantGUID: alpha };
  const { json } = await ring.call('restaurants.get', 200, { restaurant: alpha, params });
  const { general, prepTimes, urls } = json as Record<string, Record<string, unknown>>;
  assert.deepEqual(general, {
    name: 'Alpha',
    locationName: null,
    locationCode: null,
    description: null,
    timeZone: 'Europe/Madrid',
    closeoutHour: 4,
    managementGroupGuid: GROUPS.ring,
    currencyCode: 'EUR',
    firstBusinessDate: null,
    archived: false,
  });
  assert.deepEqual(prepTimes, {
    deliveryPrepTime: 35,
    deliveryTimeAfterOpen: 0,
    deliveryTimeBeforeClose: 0,
    takeoutPrepTime: 15,
    takeoutTimeAfterOpen: 7,
    takeoutTimeBeforeClose: 0,
    takeoutThrottlingTime: null,
    deliveryThrottlingTime: null,
  });
  assert.ok(Object.values(urls ?? {}).every((value) => value === null));
});

test('configuration.tipWithholding.get 200 CFG-11: never configured, nothing is held', async () => {
  const answer = await ring.call('configuration.tipWithholding.get', 200, { restaurant: beta });
  const { guid: _, ...rest } = answer.json as Record<string, unknown>;
  assert.deepEqual(rest, { entityType: 'TipWithholding', enabled: false, percentage: 0 });
});

test('configuration.menuItems.list 200 CFG-10: what is archived is not there', async () => {
  const items = await wholeCollection(ring, alpha, 'menuItems');
  assert.equal(items.length, ITEM_COUNT + 2);
  assert.equal(named(items, 'Archived plate'), undefined);
  assert.equal((await page(ring, alpha, 'cashDrawers')).objects.length, 2);
  assert.equal((await page(ring, alpha, 'printers')).objects.length, 1);
});

test('configuration.menuGroups.list 200 CFG-7: references to the archived', async () => {
  const [group] = (await page(ring, alpha, 'menuGroups')).objects;
  assert.deepEqual((group?.items as unknown[] | undefined)?.length, 2);
  const drawers = (await page(ring, alpha, 'cashDrawers')).objects;
  const printers = drawers.map(
    ({ printer }) => (printer as { entityType: string } | null)?.entityType,
  );
  assert.deepEqual(printers.sort(), ['Printer', undefined]);
});

test('configuration.menuItems.list 200 API-8: lastModified is strictly after', async () => {
  const since = async (lastModified: string) => {
    const { objects } = await page(ring, alpha, 'menuItems', { lastModified });
    return objects.map(({ name }) => name);
  };
  const afterFirst = await since(MODIFIED.first);
  assert.ok(afterFirst.includes('Late plate') && !afterFirst.includes('Plate 0'));
  const afterSecond = await since(MODIFIED.second);
  assert.ok(!afterSecond.includes('Late plate') && afterSecond.includes('Shared plate'));
  assert.equal((await since('2025-12-31T23:59:59.999Z')).length, 300);
});

test('stock.list stock.search 200 STK-3 STK-9: an archived item is INVALID', async () => {
  const listed = (await ring.call('stock.list', 200, { restaurant: alpha })).json as Inventory[];
  assert.deepEqual(
    listed.map(({ status, quantity }) => [status, quantity]),
    [['QUANTITY', 2.5]],
  );
  const json = { multiLocationIds: ['gone-everywhere', 'shared-everywhere'] };
  const found = (await ring.call('stock.search', 200, { restaurant: alpha, json })).json;
  const [gone, shared] = found as Inventory[];
  assert.deepEqual([gone?.itemGuidValidity, gone?.guid], ['INVALID', null]);
  assert.deepEqual([shared?.itemGuidValidity, shared?.status], ['VALID', 'IN_STOCK']);
});

test('restaurants.listGroup 403 RST-4: the restaurant of the header is not in the group', async () => {
  for (const [restaurant, managementGroupGUID] of [
    [delta, GROUPS.ring],
    [alpha, GROUPS.other],
  ] as const) {
    const params = { managementGroupGUID };
    await ring.call('restaurants.listGroup', 403, { restaurant, params });
  }
});

test('restaurants.get 404 RST-1: a group account reaches no restaurant of another group', async () => {
  const params = { restaurantGUID: delta };
  await groupAccount.call('restaurants.get', 404, { restaurant: alpha, params });
  await groupAccount.call('stock.list', 403, { restaurant: delta });
  await groupAccount.call('partners.restaurants.list', 403);
});

test('configuration.menuItems.list 409 CFG-9 CFG-8: a publication between two pages', async () => {
  const { next } = await page(ring, alpha, 'menuItems');
  assert.ok(next);
  const going = await page(ring, alpha, 'menuItems', { pageToken: next });
  assert.equal(going.objects.length, ITEM_COUNT + 2 - 300);
  const scopes = ALL_SCOPES.filter((scope) => scope !== 'stock:read');
  const changed = { ...first, connected: ['alpha', 'closed'], scopes, menuName: 'Dinner' };
  await importDocument(groupDocument(changed), '--replace');
  await inForce(async () => {
    const query = { pageToken: next };
    const options = { restaurant: alpha, query };
    const refused = await ring.call('configuration.menuItems.list', 409, options);
    assert.match(messageOf(refused), /first page|again/i);
  });
  assert.equal((await wholeCollection(ring, alpha, 'menuItems')).length, ITEM_COUNT + 2);
});

test('configuration.menus.list 200 CFG-8: what was published is served', async () => {
  await inForce(async () => {
    const [menu] = (await page(ring, alpha, 'menus')).objects;
    assert.equal(menu?.name, 'Dinner');
  });
});

test('configuration.menus.list 403 AUTH-9: a removed connection is closed', async () => {
  await inForce(async () => {
    await ring.call('configuration.menus.list', 403, { restaurant: beta });
  });
  await groupAccount.call('configuration.menus.list', 200, { restaurant: beta });
});

test('stock.list 403 AUTH-9: a scope taken away is gone for a live token', async () => {
  await inForce(async () => {
    const refused = await ring.call('stock.list', 403, { restaurant: alpha });
    assert.match(messageOf(refused), /stock:read/);
  });
});

test('partners.connectedRestaurants.list 200 PTN-5: both lists follow', async () => {
  await inForce(async () => {
    const expected = [alpha, closed, delta];
    assert.deepEqual(await connectedGuids(), [expected, expected]);
  });
  const answer = await ring.call('partners.restaurants.list', 200);
  const list = answer.json as { restaurantGuid: string; deleted: boolean }[];
  const deleted = list.filter((entry) => entry.deleted).map(({ restaurantGuid }) => restaurantGuid);
  assert.deepEqual(deleted, [closed]);
});

test('restaurants.get 200 403 RST-2: a connected archived restaurant', async () => {
  const options = { restaurant: closed, params: { restaurantGUID: closed } };
  const query = { includeArchived: true };
  const { json } = await ring.call('restaurants.get', 200, { ...options, query });
  assert.equal((json as { general: { archived: boolean } }).general.archived, true);
  await ring.call('configuration.menus.list', 403, { restaurant: closed });
});

test('stock.list 200 AUTH-9: what is granted anew is open at once', async () => {
  await groupAccount.call('stock.list', 200, { restaurant: alpha });
  await importDocument(groupDocument({ ...first, hasGroupAccount: false }), '--replace');
  await inForce(async () => {
    await ring.call('configuration.menus.list', 200, { restaurant: beta });
  });
  await inForce(async () => {
    await ring.call('stock.list', 200, { restaurant: alpha });
  });
});

test('stock.list auth.login 401 AUTH-9: a revoked client is out at once', async () => {
  await inForce(async () => {
    await groupAccount.call('stock.list', 401, { restaurant: alpha });
  });
  const { clientId, clientSecret, userAccessType } = account('Group account');
  const json = { clientId, clientSecret, userAccessType };
  await inForce(async () => {
    await anonymous.call('auth.login', 401, { json });
  });
});

interface Refusal {
  description: string;
  detail?: string;
}

async function pay(
  status: number,
  damage: (body: PaymentBody) => void = () => undefined,
  changes: PaymentChanges = {},
) {
  const body = await bodyOf(changes);
  damage(body);
  return authorize(ring, status, alpha, body);
}

/** A refusal of production, which never has a detail (PAY-11). */
async function refusal(
  damage: (body: PaymentBody) => void,
  changes: PaymentChanges = {},
): Promise<string> {
  const body = (await pay(422, damage, changes)).json as Refusal;
  assert.ok(!('detail' in body), `detail is ${body.detail}`);
  return body.description;
}

test('creditCards.authorize 422 PAY-5: production has one text for a wrong card', async () => {
  const metadata = (change: object) => (body: PaymentBody) =>
    Object.assign(body.requestMetadata, change);
  const nothing = () => undefined;
  const texts = [
    await refusal((body) => Object.assign(body, { encryptedCardData: 'AAAA' })),
    await refusal(metadata({ cardFirst6: '400000' })),
    await refusal(metadata({ cardLast4: '0000' })),
    await refusal(metadata({ billingAddress: { postalCode: '10001', country: 'USA' } })),
    await refusal(nothing, { cardData: { cardNumber: '4111111111111112' } }),
    await refusal(nothing, { cardData: { country: 'CAN' } }),
  ];
  assert.equal(new Set(texts).size, 1, `the texts are ${[...new Set(texts)].join(' | ')}`);
  assert.doesNotMatch(String(texts[0]), /first ?6|last ?4|luhn|check digit|decrypt|postal/i);
});

test('creditCards.authorize 422 PAY-10: production takes no private or reserved address', async () => {
  const addresses = ['10.0.0.1', '172.16.3.4', '192.168.1.20', '127.0.0.1', '169.254.1.1'];
  addresses.push('100.64.0.1', '::ffff:10.0.0.1', '203.0.113.7', '255.255.255.255');
  for (const originIPAddr of [...addresses, '0.0.0.0', '224.0.0.1', '::1', 'fe80::1', 'fd00::1']) {
    await refusal((body) => Object.assign(body.requestMetadata, { originIPAddr }));
  }
  // A sound request gets past the checks: what refuses it is that there is no processor to ask.
  await pay(503);
});

test('creditCards.authorize 503: production without a processor says so', async () => {
  const body = await bodyOf();
  const paymentUuid = randomUUID();
  for (const _try of ['first', 'again']) {
    const answer = await authorize(ring, 503, alpha, body, paymentUuid);
    assert.match(messageOf(answer), /^No card processor is configured .* no funds are held/);
    assert.equal(header(answer, 'retry-after'), '600');
  }
  const params = { merchantUuid: alpha, paymentUuid };
  await operator.call('backOffice.payments.get', 404, { params });
  assert.match(platform.output(), /no card processor is configured, and every payment is refused/);
});

test('backOffice.requests.get 200 PAY-11: an operator sees the rule and the field', async () => {
  const wrongCard = { cardData: { cardNumber: '4111111111111112' } };
  const privateAddress = (body: PaymentBody) => {
    body.requestMetadata.originIPAddr = '10.0.0.1';
  };
  for (const [answer, field, rule] of [
    [await pay(422, privateAddress), 'requestMetadata.originIPAddr', 'must be a public address'],
    [await pay(422, undefined, wrongCard), 'encryptedCardData', 'cardNumber fails the Luhn check'],
  ] as const) {
    assert.doesNotMatch(answer.text, /public|Luhn/, 'the partner is not told');
    const requestId = String(header(answer, `${platform.brand}-Request-ID`));
    const entry = await entryOf(operator, requestId);
    assert.deepEqual(entry.refusal?.faults, [{ field, rule }]);
    const text = JSON.stringify(entry);
    assert.doesNotMatch(text, /4111111111111112|10\.0\.0\.1/, 'no value is kept');
  }
});

test('backOffice.requests.get 200 API-4: production explains what asks for it, to operators', async () => {
  const group = await newBackOfficeClient(platform, GROUPS.ring, PRODUCTION);
  const body = await bodyOf({ cardData: { cardNumber: '4111111111111112' } });
  const params = { merchantUuid: alpha, paymentUuid: randomUUID() };
  const refused = (headers: Record<string, string>) => [
    ring.call('stock.list', 403, { restaurant: UNKNOWN, headers }),
    ring.call('creditCards.authorize', 422, {
      params,
      restaurant: alpha,
      json: body,
      headers,
    }),
  ];
  const plain = await Promise.all(refused({}));
  const asked = await Promise.all(refused({ [`${platform.brand}-Explain`]: '1' }));
  const idOf = (answer: Answer) => String(header(answer, `${platform.brand}-Request-ID`));
  for (const [index, answer] of plain.entries()) {
    const same = asked[index]?.text.replaceAll(idOf(asked[index]), idOf(answer));
    assert.equal(same, answer.text, 'the header changes no body');
    assert.equal((await entryOf(operator, idOf(answer))).explanation, null);
  }
  const [unknown = '', card = ''] = asked.map(idOf);
  const told = await Promise.all([entryOf(operator, unknown), entryOf(operator, card)]);
  assert.equal(told[0].explanation?.restaurant?.outcome, 'UNKNOWN');
  assert.match(told[1].explanation?.payment?.cardProblem ?? '', /Luhn/);
  assert.doesNotMatch(JSON.stringify(told), /4111111111111112/);
  // Who sees a part of the platform must not learn more than the partner.
  const { explanation } = await entryOf(group, card);
  assert.ok(explanation);
  assert.deepEqual([explanation.payment, explanation.rule, explanation.faults], [null, null, []]);
  assert.doesNotMatch(JSON.stringify(explanation), /Luhn/);
  const { code } = JSON.parse(plain[0]?.text ?? '{}') as { code: number };
  const page = await ring.call('docs.error', 200, {
    params: { code: String(code) },
    query: { request: unknown },
  });
  assert.ok(!page.text.includes(unknown), 'the page tells about the code only');
});

test('docs.referencePage 200: production shows the operations, and has nothing to try them with', async () => {
  const page = await ring.call('docs.referencePage', 200, { params: { page: 'stock' } });
  assert.match(page.text, /id="stock\.update"/);
  assert.doesNotMatch(page.text, /<form|<textarea|sandbox: you can/i);
  const policy = String(header(page, 'content-security-policy'));
  assert.match(policy, /default-src 'none'/);
  assert.doesNotMatch(policy, /connect-src|unsafe/);
});

const UNKNOWN = '01234567-89ab-4cde-8f01-23456789abcd';

async function entryOf(reader: Client, requestId: string): Promise<LoggedRequestDetails> {
  const list = () => reader.call('backOffice.requests.list', 200, { query: { requestId } });
  const isThere = ({ json }: Answer) => (json as { results: unknown[] }).results.length > 0;
  await until('an entry of the log', list, isThere);
  const entry = await reader.call('backOffice.requests.get', 200, { params: { requestId } });
  return entry.json as LoggedRequestDetails;
}

test('creditCards.authorize 422 PAY-11: production checks the formats of CVV and expiry', async () => {
  const nothing = () => undefined;
  for (const cardData of [{ cvv: 'abc' }, { expMonth: '13' }, { expYear: '3' }, { cvv: '12' }]) {
    await refusal(nothing, { cardData });
  }
});

test('creditCards.authorize 400 PAY-11: production has no detail here either', async () => {
  const answer = await pay(400, (body) => delete body.amount);
  assert.ok(!('detail' in (answer.json as Refusal)));
});

test('backOffice.clock.get 200 403: in production it is read, and not moved', async () => {
  const { now, realNow, mode, isMovable } = await readClock(operator);
  assert.deepEqual([mode, isMovable], ['RUNNING', false]);
  assert.ok(Math.abs(Date.parse(now) - Date.parse(realNow)) < 1000);
  const moves = { freeze: {}, run: {}, next: {}, set: { now }, advance: { duration: 'PT1S' } };
  for (const [move, json] of Object.entries(moves)) {
    const refused = await operator.call(`backOffice.clock.${move}`, 403, { json });
    assert.match(messageOf(refused), /clock/);
  }
  await operator.call('backOffice.payments.list', 200);
});

/** Asserts that a path answers every method as one that nobody has ever had. */
async function assertNothingAt(path: string, text?: string): Promise<void> {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
    const authorization = `Bearer ${operator.token}`;
    const answer = await fetch(platform.baseUrl + path, { method, headers: { authorization } });
    const { message } = (await answer.json()) as { message: string };
    const expected = text ?? `There is no ${method} ${path}: check the path.`;
    assert.deepEqual([answer.status, message], [404, expected]);
  }
}

test('backOffice.faults.list 404: production has no injected faults, and ignores the header', async () => {
  for (const path of ['faults', 'faults/profile', 'no-such-path']) {
    await assertNothingAt(`/backoffice/v1/${path}`);
  }
  const headers = { [`${platform.brand}-Sandbox-Fault`]: 'status=503' };
  const answer = await ring.call('configuration.menus.list', 200, {
    ...{ restaurant: alpha, headers },
  });
  assert.equal(header(answer, `${platform.brand}-Sandbox-Fault`), undefined);
});

test('backOffice.sandboxes.list 404: in production there is nothing of the kind', async () => {
  await assertNothingAt('/backoffice/v1/sandboxes');
  const path = '/sandboxes/x/backoffice/v1/whoami';
  await assertNothingAt(path, `No interface answers at ${path}: check the start of the path.`);
});

test('backOffice.requests.replay 404: production replays nothing', async () => {
  await assertNothingAt(`/backoffice/v1/requests/${randomUUID()}/replay`);
});
