import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type ExplainedStep, roleNames, type SandboxDifferences } from '@servery/contract';
import { withDatabase } from '@servery/postgres/database-url.ts';
import { sleep } from '@servery/support/timer.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { type DemoClientName, demoClientNames } from '../../src/sandbox/demo-file.ts';
import { type SpawnedPlatform, spawnPlatform } from '../payments/hunt/spawned-platform.ts';
import { playIsolation } from './isolation.ts';
import { createSandbox, logIn, Place, type Received, receive, type Sent } from './place.ts';
import { issueAll, reachAcross } from './reach-across.ts';
import {
  digestTables,
  expireSandbox,
  findDatabaseOf,
  findDatabaseOfSnapshot,
  listSandboxParts,
} from './registry-rows.ts';

const MOST = 5;
const AT_ONCE = 40;
const STEPS = 10;
const SEED = 20_261_726;
const PATIENCE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ALL = { query: { pageSize: '100' } };

let platform: SpawnedPlatform;
let main: Place;
before(async () => {
  platform = await spawnPlatform([
    ...['--profile', 'demo', '--kind', 'sandbox', '--sandboxes', String(MOST)],
    ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '10000000'],
  ]);
  main = new Place(platform.url, platform.demo);
});
/** Sandboxes that several tests look at; the random steps are the first to change them. */
const kept = new Map<string, Promise<Place>>();

afterEach(async () => {
  for (const { name } of (await manage('list')).body.results) {
    if (!kept.has(name)) await manage('drop', name);
  }
});

/** To make one takes longer than to look at it. */
function keep(name: string, from: object): Promise<Place> {
  const place = kept.get(name) ?? createSandbox(main, { name, from });
  kept.set(name, place);
  return place;
}

const keepFresh = () => keep('fresh', { profile: 'demo' });

async function dropKept(): Promise<void> {
  for (const name of kept.keys()) await manage('drop', name);
  kept.clear();
  lineage = null;
}
after(async () => {
  await platform.end();
  await platform.remove();
});

type Action =
  | ('create' | 'get' | 'update' | 'drop' | 'restore' | 'list')
  | `snapshots.${'create' | 'list' | 'drop'}`;

/** As the operator of the main environment. */
async function manage(action: Action, name?: string, sent: Sent = {}): Promise<Received> {
  const params = name === undefined ? {} : { params: { name } };
  return await main.as('operator', `backOffice.sandboxes.${action}`, { ...params, ...sent });
}

function nameOf({ url }: Place): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

/** The page that a person gets, which leads to what is there. */
async function inBrowser(url: string): Promise<string> {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const response = await fetch(url, { headers: { accept } });
  assert.equal(response.status, 404, url);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const page = await response.text();
  assert.ok(page.includes(`href="${main.url}/console/"`), page);
  return page;
}

async function until(isDone: () => Promise<boolean>, what: string): Promise<void> {
  const limitAt = performance.now() + PATIENCE_MS;
  while (!(await isDone())) {
    assert.ok(performance.now() < limitAt, what);
    await sleep(50);
  }
}

async function nowOf(place: Place): Promise<number> {
  const { body } = await place.as('operator', 'backOffice.clock.get');
  return Date.parse(body.now);
}

async function enterPerson(place: Place, email: string, password: string): Promise<Received> {
  return await place.with(null, 'backOffice.sessions.begin', { json: { email, password } });
}

async function setStock(place: Place, guid: string, quantity: number): Promise<void> {
  const { status, text } = await place.as('partner', 'stock.update', {
    restaurant: place.restaurant,
    json: [{ guid, status: 'QUANTITY', quantity }],
  });
  assert.equal(status, 200, text);
}

async function stockOf(place: Place, guid: string): Promise<unknown> {
  const { body } = await place.as('partner', 'stock.search', {
    restaurant: place.restaurant,
    json: { guids: [guid] },
  });
  return body[0]?.quantity;
}

async function anItem(place: Place): Promise<string> {
  const { restaurant } = place;
  const { body } = await place.as('partner', 'configuration.menuItems.list', { restaurant });
  return body[0].guid;
}

async function stateOf(place: Place, paymentUuid: string): Promise<string> {
  const { status, body } = await place.settle('get', paymentUuid);
  return status === 200 ? body.paymentState : String(status);
}

test('backOffice.sandboxes.get 200: the last use is told at once', async () => {
  // Nobody else has used it yet.
  const place = await keepFresh();
  assert.equal((await manage('get', 'fresh')).body.lastUsedAt, null);
  assert.equal((await place.as('partner', 'platform.whoami')).status, 200);
  assert.notEqual((await manage('get', 'fresh')).body.lastUsedAt, null);
});

test('backOffice.sandboxes: nobody without an account learns the names of sandboxes', async () => {
  await keepFresh();
  const { status, text } = await receive(`${main.url}/sandboxes/x/healthz`);
  assert.equal(status, 404);
  assert.doesNotMatch(text, /fresh/);
});

test('backOffice.sandboxes.create 201: all that a sandbox tells leads below its base', async () => {
  const place = await keepFresh();
  const { pathname } = new URL(place.url);
  const pages = [
    '/',
    '/openapi/servery.json',
    '/.well-known/oauth-authorization-server',
    '/errors/10013',
    '/backoffice/v1/whoami',
    '/no/such/page',
  ];
  for (const page of pages) {
    const { text } = await receive(`${place.url}${page}`);
    const links = text.match(/https?:\/\/127\.0\.0\.1[^\s"'<\\]*/g) ?? [];
    const paths = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path);
    assert.ok(page.startsWith('/errors') || links.length > 0, page);
    for (const link of links) assert.ok(link.startsWith(place.url), `${page} leads to ${link}`);
    for (const path of paths) assert.ok(path?.startsWith(pathname), `${page} leads to ${path}`);
  }
  const metadata = await receive(`${place.url}/.well-known/oauth-authorization-server`);
  const [, claims = ''] = (await place.token('partner')).split('.');
  const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  assert.equal(iss, metadata.body.issuer);
  const [person] = place.demo.people;
  const entered = await enterPerson(place, person?.email ?? '', person?.password ?? '');
  assert.equal(entered.status, 200, entered.text);
  const cookie = entered.headers.get('set-cookie') ?? '';
  assert.match(cookie, new RegExp(`; Path=${pathname}/backoffice/v1;`));
  const [sent = ''] = cookie.split(';');
  const session = (at: Place) =>
    at.with(null, 'backOffice.session.get', { headers: { cookie: sent } });
  assert.equal((await session(place)).status, 200);
  assert.equal((await session(main)).status, 401);
});

test('backOffice.sandboxes.create: names, times and sources are checked, and nothing is made', async () => {
  await keepFresh();
  const from = { profile: 'demo' };
  const refused: [number, object, RegExp][] = [
    [422, { name: 'main', from }, /name must not be one of main, /],
    [422, { name: 'Capital', from }, /lowercase letters/],
    [422, { name: `a${'b'.repeat(40)}`, from }, /1 to 40/],
    [422, { name: '../up', from }, /lowercase letters/],
    [422, { from, ttl: 'PT59S' }, /PT1M to P30D/],
    [422, { from, ttl: 'P30DT1S' }, /PT1M to P30D/],
    [422, { from, ttl: '-PT1H' }, /PT1M to P30D/],
    [422, { from: {} }, /either a profile or a sandbox/],
    [422, { from: { profile: 'demo', sandbox: 'main' } }, /either a profile or a sandbox/],
    [422, { from: { profile: 'demo', snapshot: 'x' } }, /must come with the sandbox/],
    [404, { from: { profile: 'nope' } }, /demo, empty, huge/],
    [404, { from: { profile: 'dmeo' } }, /are demo, empty, huge\. Did you mean demo\?/],
    [404, { from: { sandbox: 'demmo' } }, /are demo, empty, huge\. Did you mean demo\?/],
    [
      404,
      { from: { sandbox: 'nope' } },
      /no sandbox nope to copy: there are main, fresh\. The profiles are demo, empty, huge\./,
    ],
    [404, { from: { sandbox: 'main', snapshot: 'x' } }, /main is the main environment, not a/],
    [404, { from: { sandbox: 'fresh', snapshot: 'nope' } }, /no snapshot at all/],
    [409, { name: 'fresh', from }, /already/],
  ];
  for (const [status, json, text] of refused) {
    const received = await manage('create', undefined, { json });
    assert.equal(received.status, status, `${JSON.stringify(json)}: ${received.text}`);
    assert.match(received.body.message, text);
  }
  const unknown: [Action, Sent][] = [
    ['get', {}],
    ['drop', {}],
    ['update', { json: { ttl: 'PT1H' } }],
    ['restore', { json: { snapshot: 'x' } }],
    ['snapshots.create', { json: { name: 'x' } }],
  ];
  for (const [action, sent] of unknown) {
    const received = await manage(action, 'nope', sent);
    assert.deepEqual([received.status, action], [404, action], received.text);
    assert.match(received.body.message, /There is no sandbox nope: there is fresh\./);
    const ofMain = await manage(action, 'main', sent);
    assert.deepEqual([ofMain.status, action], [404, action], ofMain.text);
    assert.match(ofMain.body.message, /main is the main environment, not a sandbox/);
  }
  for (const path of ['/sandboxes/nope', '/sandboxes/nope/healthz', '/sandboxes/main/healthz']) {
    assert.equal((await receive(`${main.url}${path}`)).status, 404, path);
  }
  assert.match(
    await inBrowser(`${main.url}/sandboxes/nope/console/`),
    /<h1>There is no sandbox “nope”</,
  );
  assert.equal((await manage('list')).body.results.length, 1);
});

test('backOffice.sandboxes.diff 200: a fresh demo differs from a fresh demo in nothing', async () => {
  await keepFresh();
  const compared = await main.as('operator', 'backOffice.sandboxes.diff', {
    ...{ params: { name: 'main' }, query: { with: 'fresh' } },
  });
  assert.equal(compared.status, 200, compared.text);
  const { name: _, with: _other, ...sections } = compared.body;
  for (const [section, { added, removed, changed }] of Object.entries<SandboxDifferences>(
    sections,
  )) {
    assert.deepEqual([...added, ...removed, ...changed], [], section);
  }
});

test('backOffice.sandboxes.create 403 404: no partner, no group and no sandbox makes one', async () => {
  const place = await keepFresh();
  const json = { from: { profile: 'demo' } };
  const create = (at: Place, client: DemoClientName) =>
    at.as(client, 'backOffice.sandboxes.create', { json });
  for (const client of ['partner', 'readOnly', 'group', 'other', 'orders'] as const) {
    assert.equal((await create(main, client)).status, 403, client);
  }
  assert.equal((await create(place, 'operator')).status, 404);
  const within = await place.as('operator', 'backOffice.sandboxes.list');
  assert.equal(within.status, 404, within.text);
  const nested = `/sandboxes/${nameOf(place)}/healthz`;
  assert.equal((await receive(`${place.url}${nested}`)).status, 401);
  assert.equal((await manage('list')).body.results.length, 1);
});

/** A copy of main and a copy of that, and what let in at main before they were made. */
interface Lineage {
  readonly child: Place;
  readonly grandchild: Place;
  /** Two payments that were held when the copy was copied. */
  readonly holds: readonly [string, string];
  readonly cookie: string;
  readonly partnerToken: string;
  readonly person: { readonly email: string; readonly password: string };
}

let lineage: Promise<Lineage> | null = null;
function keepLineage(): Promise<Lineage> {
  lineage ??= makeLineage();
  return lineage;
}

async function makeLineage(): Promise<Lineage> {
  await main.as('operator', 'backOffice.clock.freeze');
  const [demoPerson] = main.demo.people;
  const session = await enterPerson(main, demoPerson?.email ?? '', demoPerson?.password ?? '');
  const [cookie = ''] = (session.headers.get('set-cookie') ?? '').split(';');
  const person = { email: `${randomUUID()}@ring.example`, password: `ring ${randomUUID()}` };
  const invited = await main.as('operator', 'backOffice.people.create', {
    json: { email: person.email, name: 'Ring person', role: { role: 'OPERATOR' } },
  });
  const { token } = invited.body.invitation;
  const json = { token, name: 'Ring person', password: person.password };
  assert.equal((await main.with(null, 'backOffice.invitations.accept', { json })).status, 200);
  const partnerToken = await main.token('partner');
  const child = await keep('child', { sandbox: 'main' });
  const holds = [randomUUID(), randomUUID()] as const;
  for (const uuid of holds) {
    const paid = await child.pay(uuid);
    assert.equal(paid.body?.paymentState, 'AUTHORIZED', paid.text);
  }
  const grandchild = await keep('grandchild', { sandbox: 'child' });
  return { child, grandchild, holds, cookie, partnerToken, person };
}

// Before a test moves the clock of a copy: what is held is held for minutes.
test('backOffice.payments.capture 200: a copied hold is captured and voided in each place', async () => {
  const { child, grandchild, holds } = await keepLineage();
  const [captured, voidedThere] = holds;
  const voided = await grandchild.settle('void', voidedThere, { reason: 'Nobody came.' });
  assert.equal(voided.body.paymentState, 'VOIDED', voided.text);
  for (const [place, uuid] of [
    [grandchild, captured],
    [child, captured],
    [child, voidedThere],
  ] as const) {
    await place.settle('apply', uuid, { checkGuid: randomUUID() });
    await place.settle('fulfil', uuid);
    const { body, text } = await place.settle('capture', uuid);
    assert.equal(body.paymentState, 'CAPTURED', `${uuid} at ${place.url}: ${text}`);
  }
  assert.equal(await stateOf(grandchild, voidedThere), 'VOIDED');
});

test('backOffice.sandboxes.create 201: a person of the parent gets no way into the copy', async () => {
  const { child, person } = await keepLineage();
  assert.equal((await enterPerson(child, person.email, person.password)).status, 401);
});

test('backOffice.sandboxes.create 201: tokens, secrets and sessions end at the copy', async () => {
  const { child, grandchild, cookie, partnerToken } = await keepLineage();
  const places = [main, child, grandchild];
  for (const at of places) {
    for (const other of places.filter((place) => place !== at)) {
      const told = `${other.url} at ${at.url}`;
      const accounts = other.demo.clients;
      assert.equal((await logIn(at.url, accounts.partner)).status, 401, told);
      assert.equal((await logIn(at.url, accounts.operator)).status, 401, told);
      const partner = await at.with(await other.token('partner'), 'platform.whoami');
      assert.equal(partner.status, 401, told);
      const where = `or by this one before it was restored: log in at ${at.url}.`;
      assert.ok(partner.body.message.endsWith(where), partner.text);
      const refusedId = partner.headers.get('platform-request-id') ?? '';
      const explained = await at.as('operator', 'backOffice.requests.get', {
        params: { requestId: refusedId },
      });
      const steps: ExplainedStep[] = explained.body.explanation.steps;
      assert.ok(
        steps.some(({ details }) => details.some((text) => text.endsWith(where))),
        told,
      );
      const operator = await at.with(await other.token('operator'), 'backOffice.whoami');
      assert.equal(operator.status, 401, told);
      const [person] = other.demo.people;
      const entered = await enterPerson(at, person?.email ?? '', person?.password ?? '');
      assert.equal(entered.status, 401, told);
    }
  }
  assert.equal((await main.with(partnerToken, 'platform.whoami')).status, 200);
  assert.equal((await child.with(partnerToken, 'platform.whoami')).status, 401);
  const sent = { headers: { cookie } };
  assert.equal((await main.with(null, 'backOffice.session.get', sent)).status, 200);
  assert.equal((await child.with(null, 'backOffice.session.get', sent)).status, 401);
});

test('sandboxes 401: no token and no role reaches across into an equal place', async (t) => {
  const { child, grandchild } = await keepLineage();
  const urlOf = async (name: string) =>
    withDatabase(platform.databaseUrl, await findDatabaseOf(platform.database.sql, name));
  const crossings = [
    {
      ...{ told: 'main into child', from: main, at: child, url: await urlOf('child') },
      share: { part: 0, of: 1 },
    },
    {
      ...{ told: 'child into grandchild', from: child, at: grandchild },
      ...{ url: await urlOf('grandchild'), share: { part: 0, of: 2 } },
    },
    {
      ...{ told: 'child into main', from: child, at: main, url: platform.databaseUrl },
      share: { part: 1, of: 2 },
    },
  ];
  for (const { told, from, at, url, share } of crossings) {
    const credentials = await issueAll(from);
    assert.deepEqual(new Set(credentials.map(({ holder }) => holder)), holders);
    const accessToken = await from.token('partner');
    const database = connectDatabase({ url, poolSize: 1 });
    try {
      const before = await digestTables(database.sql);
      const { sent, wrong } = await reachAcross(credentials, at, share);
      assert.deepEqual(wrong, [], told);
      assert.deepEqual(await digestTables(database.sql), before, told);
      const inspected = await manageToken(at, 'auth.introspect', accessToken);
      assert.deepEqual(inspected.body, { active: false }, told);
      assert.equal((await manageToken(at, 'auth.revoke', accessToken)).status, 200, told);
      assert.equal((await from.with(accessToken, 'platform.whoami')).status, 200, told);
      const firstPage = await from.as('operator', 'backOffice.clients.list', {
        query: { pageSize: '1' },
      });
      const query = { pageToken: firstPage.body.nextPageToken };
      const nextPages = await Promise.all(
        [from, at].map((place) => place.as('operator', 'backOffice.clients.list', { query })),
      );
      assert.deepEqual(
        nextPages.map(({ status }) => status),
        [200, 400],
        told,
      );
      t.diagnostic(`${told}: ${sent} requests refused`);
    } finally {
      await database.close();
    }
  }
});
const holders = new Set<string>([...demoClientNames, ...roleNames]);

async function manageToken(
  place: Place,
  id: 'auth.introspect' | 'auth.revoke',
  token: string,
): Promise<Received> {
  const { clientId, clientSecret } = place.demo.clients.partner;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return await place.with(null, id, {
    form: { token },
    headers: { authorization: `Basic ${basic}` },
  });
}

test(`sandboxes: of ${STEPS} random steps in one place, no other shows anything, seed ${SEED}`, async (t) => {
  const { child, grandchild } = await keepLineage();
  const sandboxes = { fresh: await keepFresh(), child, grandchild };
  const { steps, comparisons } = await playIsolation(main, sandboxes, { count: STEPS, seed: SEED });
  t.diagnostic(`${comparisons} comparisons after ${JSON.stringify([...steps])}`);
  assert.equal(steps.size, 8);
});

test('backOffice.sandboxes.create 201: a partner and an operator work with each kind', async () => {
  const demo = await keepFresh();
  const { child, grandchild } = await keepLineage();
  const empty = await createSandbox(main, { from: { profile: 'empty' } });
  const taken = await manage('snapshots.create', 'fresh', { json: { name: 'as-made' } });
  assert.equal(taken.status, 201, taken.text);
  const from = { sandbox: 'fresh', snapshot: 'as-made' };
  const again = await createSandbox(main, { from });
  const places = { demo, empty, child, grandchild, again };
  await differInKeys([main, ...Object.values(places)]);
  for (const [kind, place] of Object.entries({ demo, empty, child, again })) {
    assert.equal(place.demo.baseUrl, place.url, kind);
    assert.ok(place.url.startsWith(`${main.url}/sandboxes/`), kind);
    const { restaurant } = place;
    const menus = await place.as('partner', 'menus.getMetadata', { restaurant });
    assert.equal(menus.status, kind === 'empty' ? 404 : 200, `${kind}: ${menus.text}`);
    const paid = await place.pay();
    assert.equal(paid.body?.paymentState, 'AUTHORIZED', `${kind}: ${paid.text}`);
    const beforeMs = await nowOf(place);
    const json = { duration: 'PT1H' };
    const moved = await place.as('operator', 'backOffice.clock.advance', { json });
    assert.equal(moved.status, 200, `${kind}: ${moved.text}`);
    assert.ok(Date.parse(moved.body.clock.now) - beforeMs >= HOUR_MS, kind);
  }
  const { body } = await manage('list');
  const expected = Object.values(places).map(({ url }) => url);
  assert.deepEqual(
    new Set(body.results.map(({ baseUrl }: { baseUrl: string }) => baseUrl)),
    new Set(expected),
  );
  const listed = body.results.find(({ baseUrl }: { baseUrl: string }) => baseUrl === again.url);
  assert.deepEqual(listed.from, { profile: null, replayOf: null, ...from });
});

/** No two places sign tokens or open cards with one key. */
async function differInKeys(places: readonly Place[]): Promise<void> {
  const signing = await Promise.all(
    places.map(async ({ url }) => {
      const { body } = await receive(`${url}/.well-known/jwks.json`);
      return body.keys.map(({ n }: { n: string }) => n);
    }),
  );
  assert.equal(new Set(signing.flat()).size, signing.flat().length);
  const cards = places.flatMap(({ demo }) => demo.cardKeys.map((key) => key.publicKeyPem));
  assert.equal(new Set(cards).size, cards.length);
}

test('backOffice.sandboxes.update 200: a sandbox ends when its time is over, and not before', async () => {
  const place = await createSandbox(main, {
    name: 'brief',
    from: { profile: 'demo' },
    ttl: 'PT1M',
  });
  const stays = await keepFresh();
  const { body } = await manage('update', 'brief', { json: { ttl: 'PT2H' } });
  const lastsMs = Date.parse(body.expiresAt) - Date.parse(body.createdAt);
  assert.ok(lastsMs > 2 * HOUR_MS && lastsMs < 3 * HOUR_MS, body.expiresAt);
  // Its own clock decides nothing.
  await place.as('operator', 'backOffice.clock.advance', { json: { duration: 'PT3H' } });
  assert.equal((await manage('get', 'brief')).status, 200);
  // The last use is told while the sandbox is still awake.
  const { realNow } = (await place.as('operator', 'backOffice.clock.get')).body;
  await place.as('operator', 'backOffice.clock.get');
  assert.ok((await manage('get', 'brief')).body.lastUsedAt >= realNow);
  await expireSandbox(platform.database.sql, 'brief');
  const isGone = async () => (await receive(`${place.url}/healthz`)).status === 404;
  await until(isGone, 'the sandbox has not ended');
  const expired = /^The sandbox brief expired at \d{4}-.*Z and was dropped: create it again\./;
  assert.match((await receive(`${place.url}/healthz`)).body.message, expired);
  assert.match(
    await inBrowser(`${place.url}/console/payments?state=DENIED`),
    /<h1>The sandbox “brief” has expired<.*dropped at the end of its time, \w{3}, \d{2} \w{3} \d{4}/s,
  );
  for (const [action, sent] of [
    ['get', {}],
    ['update', { json: { ttl: 'PT1H' } }],
  ] as const) {
    const told = await manage(action, 'brief', sent);
    assert.equal(told.status, 404);
    assert.match(told.body.message, expired);
  }
  assert.equal((await receive(`${stays.url}/healthz`)).status, 200);
});

test('backOffice.sandboxes.drop 200: requests that run end, and later ones are refused', async () => {
  const place = await createSandbox(main, { name: 'brief', from: { profile: 'demo' } });
  await place.token('partner');
  const paying = Array.from({ length: 12 }, () => place.pay());
  const dropped = manage('drop', 'brief');
  for (const { status, text } of await Promise.all(paying)) {
    assert.ok([200, 404, 503].includes(status), `${status} ${text}`);
  }
  assert.equal((await dropped).status, 200);
  assert.equal((await manage('drop', 'brief')).status, 404);
  // An earlier sandbox of this name has expired; this one has not.
  assert.match((await manage('get', 'brief')).body.message, /There is no sandbox brief/);
  assert.equal((await receive(`${place.url}/healthz`)).status, 404);
});

test(`backOffice.sandboxes.create 409: of ${AT_ONCE} at once, as many as fit are made, and nothing is left over`, async () => {
  await keepFresh();
  await keepLineage();
  const room = MOST - kept.size;
  assert.ok(room > 1, 'several fit, and not all');
  const json = { from: { profile: 'demo' } };
  const received = await Promise.all(
    Array.from({ length: AT_ONCE }, () => manage('create', undefined, { json })),
  );
  const made = received.filter(({ status }) => status === 201);
  const refused = received.filter(({ status }) => status === 409);
  const others = received.filter((one) => !made.includes(one) && !refused.includes(one));
  assert.deepEqual(others.map(({ status, text }) => [status, text]).slice(0, 3), []);
  assert.deepEqual([made.length, refused.length], [room, AT_ONCE - room]);
  assert.match(refused[0]?.body.message, /SERVERY_SANDBOXES/);
  const { body } = await manage('list');
  assert.equal(body.results.length, MOST);
  for (const { body: one } of made) {
    assert.equal((await manage('drop', one.name)).status, 200, one.name);
  }
  await dropKept();
  // Only the templates stay, and what is made ahead.
  const isClear = async () => {
    const { sandboxes, databases, rows, unneeded } = await listSandboxParts(platform.database.sql);
    const isLeft = sandboxes.length > 0 || unneeded.length > 0;
    return !isLeft && isDeepStrictEqual(databases, rows);
  };
  await until(isClear, 'something is left over');
  assert.deepEqual(await readdir(join(platform.dataDir, 'sandboxes')), []);
});

test('backOffice.sandboxes.restore 200 backOffice.sandboxes.snapshots.drop 200 404: exactly a state comes back, as often as one likes, until it is dropped', async () => {
  const place = await createSandbox(main, { name: 'brief', from: { profile: 'demo' } });
  const [own, demoOnly] = await Promise.all(
    [place, main].map((at) => at.as('operator', 'backOffice.payments.list', ALL)),
  );
  const more = own?.body.results.length - demoOnly?.body.results.length;
  assert.ok(more <= 0, 'nothing is left of earlier ones with this name');
  const paid = randomUUID();
  assert.equal((await place.pay(paid)).body.paymentState, 'AUTHORIZED');
  const item = await anItem(place);
  await setStock(place, item, 5);
  const sent = { json: { name: 'running' } };
  assert.equal((await manage('snapshots.create', 'brief', sent)).status, 201);
  await place.as('operator', 'backOffice.clock.freeze');
  await setStock(place, item, 7);
  const frozenMs = await nowOf(place);
  const kept = await manage('snapshots.create', 'brief', { json: { name: 'kept' } });
  assert.equal(kept.status, 201, kept.text);
  assert.equal((await manage('snapshots.create', 'brief', { json: { name: 'kept' } })).status, 409);
  for (const round of [1, 2]) {
    await setStock(place, item, round);
    const ended = await place.settle('void', paid, { reason: 'Nobody came.' });
    assert.equal(ended.status, 200, ended.text);
    const later = randomUUID();
    assert.equal((await place.pay(later)).body.paymentState, 'AUTHORIZED');
    // Longer than the token in the snapshot lives.
    const json = { duration: 'PT25H' };
    const moved = await place.as('operator', 'backOffice.clock.advance', { json });
    assert.equal(moved.status, 200, moved.text);
    const token = await place.token('partner');
    const restored = await manage('restore', 'brief', { json: { snapshot: 'kept' } });
    assert.equal(restored.status, 200, restored.text);
    assert.equal(await nowOf(place), frozenMs);
    assert.equal(await stockOf(place, item), 7);
    assert.equal(await stateOf(place, paid), 'AUTHORIZED');
    assert.equal(await stateOf(place, later), '404');
    const refused = await place.with(token, 'platform.whoami');
    assert.equal(refused.status, 401);
    assert.match(refused.body.message, /or by this one before it was restored: log in at http/);
  }
  const unknown = await manage('restore', 'brief', { json: { snapshot: 'lost' } });
  assert.equal(unknown.status, 404);
  assert.match(unknown.body.message, /there are (kept, running|running, kept)\./);
  await place.as('operator', 'backOffice.clock.advance', { json: { duration: 'PT3H' } });
  const now = new Date(await nowOf(place)).toISOString();
  // It closes the sandbox, and the next request opens it with the moved clock.
  await createSandbox(main, { name: 'as-brief', from: { sandbox: 'brief' } });
  assert.deepEqual((await manage('get', 'as-brief')).body.clock, { now, mode: 'FROZEN' });
  assert.equal(new Date(await nowOf(place)).toISOString(), now);
  // A snapshot is gone with its data, and others stay.
  const copy = await createSandbox(main, { from: { sandbox: 'brief', snapshot: 'kept' } });
  await setStock(place, item, 3);
  const drop = async (name: string, snapshot: string) =>
    await main.as('operator', 'backOffice.sandboxes.snapshots.drop', {
      params: { name, snapshot },
    });
  const { sql } = platform.database;
  const databaseName = await findDatabaseOfSnapshot(sql, 'kept');
  const dropped = await drop('brief', 'kept');
  assert.deepEqual([dropped.status, dropped.body], [200, { name: 'kept' }], dropped.text);
  const { body: listed } = await manage('snapshots.list', 'brief');
  assert.deepEqual(
    listed.map(({ name }: { name: string }) => name),
    ['running'],
  );
  for (const received of [
    await drop('brief', 'kept'),
    await manage('restore', 'brief', { json: { snapshot: 'kept' } }),
    await manage('create', undefined, { json: { from: { sandbox: 'brief', snapshot: 'kept' } } }),
  ]) {
    assert.equal(received.status, 404, received.text);
    assert.match(received.body.message, /brief has no snapshot kept: there is running\./);
  }
  const elsewhere = await drop('nope', 'running');
  assert.deepEqual(
    [elsewhere.status, elsewhere.body.message.slice(0, 24)],
    [404, 'There is no sandbox nope'],
  );
  await until(async () => {
    const { databases, rows } = await listSandboxParts(sql);
    return ![...databases, ...rows].includes(databaseName);
  }, `${databaseName} is removed`);
  assert.deepEqual([await stockOf(place, item), await stockOf(copy, item)], [3, 7]);
  // The name is free.
  const renewed = await manage('snapshots.create', 'brief', { json: { name: 'kept' } });
  assert.equal(renewed.status, 201, renewed.text);
  for (const [snapshot, quantity, mode] of [
    ['running', 5, 'RUNNING'],
    ['kept', 3, 'FROZEN'],
  ] as const) {
    const { status, text, body } = await manage('restore', 'brief', { json: { snapshot } });
    assert.equal(status, 200, text);
    assert.equal(body.clock.mode, mode);
    assert.equal(await stockOf(place, item), quantity);
  }
});
