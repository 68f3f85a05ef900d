import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { LoggedRequestDetails, RequestExplanation } from '@servery/contract';
import type { DemoClientName } from '../../server/src/sandbox/demo-file.ts';
import { orderAt, type RemotePlatform, startRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
let restaurant: string;
const tokens = new Map<DemoClientName, string>();

before(async () => {
  platform = await startRemotePlatform({
    SERVERY_VELOCITY_LIMITS: 'on',
    SERVERY_VELOCITY_PER_CARD: '1/1h',
    SERVERY_RATE_LIMIT_MENUS_PER_SECOND: '2',
    SERVERY_ORDERS_REPEAT: 'replay',
  });
  restaurant = platform.demo.restaurants[0]?.guid ?? '';
  for (const name of ['partner', 'readOnly', 'other'] as const) tokens.set(name, await logIn(name));
});
after(() => platform.stop());

async function logIn(name: DemoClientName): Promise<string> {
  const answer = await fetch(`${platform.demo.baseUrl}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(platform.demo.clients[name]),
  });
  return ((await answer.json()) as { token: { accessToken: string } }).token.accessToken;
}

interface Sent {
  readonly method?: string;
  readonly as?: DemoClientName;
  readonly token?: string;
  readonly at?: string;
  readonly body?: unknown;
  readonly fault?: string;
}

async function send(path: string, { method = 'GET', as = 'partner', ...sent }: Sent = {}) {
  const answer = await fetch(`${platform.demo.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${sent.token ?? tokens.get(as)}`,
      'platform-restaurant-external-id': sent.at ?? restaurant,
      ...(sent.body !== undefined && { 'content-type': 'application/json' }),
      ...(sent.fault !== undefined && { 'platform-sandbox-fault': sent.fault }),
    },
    ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
  });
  const requestId = answer.headers.get('platform-request-id') ?? '';
  const body = await answer.text();
  return { status: answer.status, requestId, body, headers: answer.headers };
}

interface Explained {
  readonly tree: string;
  readonly explanation: RequestExplanation;
}

/** What `servery explain` says, for people and for programs. */
async function explain({ requestId }: { readonly requestId: string }): Promise<Explained> {
  const { code, out, err } = await platform.run(['explain', requestId]);
  assert.equal(code, 0, err);
  const { explanation } = await platform.json<LoggedRequestDetails>(['explain', requestId]);
  assert.ok(explanation);
  return { tree: out, explanation };
}

/** The branches that failed: one that is marked, and everything below it. */
const failedBranches = (tree: string) => tree.match(/^├─ ✗.*\n(│ .*\n)*/gm) ?? [];

/** Blanks and breaks of lines are not part of what is said. */
const flat = (tree: string) => tree.replaceAll(/\n(│ )? +/g, ' ');

async function assertRefused(
  sent: { readonly status: number; readonly requestId: string },
  status: number,
  check: string,
  rule: string | null,
  ...says: readonly RegExp[]
): Promise<Explained> {
  assert.equal(sent.status, status);
  const explained = await explain(sent);
  const { steps } = explained.explanation;
  const failed = steps.findIndex(({ result }) => result === 'FAILED');
  assert.equal(steps[failed]?.check, check);
  for (const { result, check: before } of steps.slice(0, failed)) {
    assert.notEqual(result, 'FAILED', before);
  }
  assert.equal(explained.explanation.rule, rule);
  const branches = failedBranches(explained.tree);
  assert.equal(branches.length, 1, explained.tree);
  for (const text of says) assert.match(flat(branches[0] ?? ''), text);
  return explained;
}

async function authorization(cardNumber: string) {
  const options = ['--card', cardNumber, '--amount', '5', '--restaurant', restaurant];
  return await platform.json<{ requestMetadata: { cardLast4: string } }>(['encrypt', ...options]);
}

const pay = (body: unknown, paymentUuid: string = randomUUID()) =>
  send(`/ccpartner/v1/merchants/${restaurant}/payments/${paymentUuid}`, { method: 'PUT', body });

describe('servery explain', () => {
  test('servery explain API-4: a missing scope, with the scopes that are held', async () => {
    const body = [{ guid: randomUUID(), status: 'OUT_OF_STOCK' }];
    const sent = await send('/stock/v1/inventory/update', { method: 'PUT', as: 'readOnly', body });
    const says = [/Scope: stock:write is missing/, /has: .*stock:read/, /→ Add the scope/];
    const { tree, explanation } = await assertRefused(sent, 403, 'scope', 'API-4', ...says);
    assert.match(tree, /^├─ ✓ Restaurant: the caller has access to The Early Wren$/m);
    assert.match(tree, /^├─ – Rules: not checked$/m);
    assert.match(tree, /connected to this partner since 20\d\d-/);
    assert.ok(tree.split('\n').every((line) => line.length <= 80));
    const { caller, statements, clockMovedMs, token } = explanation;
    assert.deepEqual([caller?.type, clockMovedMs, token.kind], ['PARTNER', 0, 'TOKEN']);
    const [grant] = caller?.grants ?? [];
    assert.deepEqual([grant?.place, grant?.holdsScope], ['partner', false]);
    assert.equal(statements?.first.length, Math.min(statements?.count ?? -1, 20));
    for (const { text } of statements?.first ?? []) assert.ok(!text.includes(restaurant), text);
    assert.match(tree, /The database ran \d+ statements? in/);
  });

  test('servery explain AUTH-7: a restaurant that is not connected, or that nobody knows', async () => {
    const sent = await send('/stock/v1/inventory', { as: 'other' });
    const says = [/The Early Wren is not connected to this partner/, /→ .*ask the restaurant/];
    const { explanation } = await assertRefused(sent, 403, 'restaurant', 'AUTH-7', ...says);
    assert.equal(explanation.restaurant?.outcome, 'OUT_OF_REACH');
    const at = randomUUID();
    const unknown = await send('/stock/v1/inventory', { as: 'other', at });
    await assertRefused(unknown, 403, 'restaurant', 'AUTH-7', /no restaurant has this GUID/);
  });

  test('servery explain AUTH-5: an expired and a revoked token, and none', async () => {
    const token = await logIn('readOnly');
    const { baseUrl, clients } = platform.demo;
    const { clientId, clientSecret } = clients.readOnly;
    const revoked = await fetch(`${baseUrl}/oauth/revoke`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ token }),
    });
    assert.equal(revoked.status, 200);
    const ended = await send('/stock/v1/inventory', { token });
    const { explanation } = await assertRefused(ended, 401, 'token', 'AUTH-5', /it was revoked/);
    assert.equal(explanation.token.clientId, clientId);
    assert.equal(explanation.caller, null);
    const none = await send('/stock/v1/inventory', { token: ' ' });
    await assertRefused(none, 401, 'token', 'AUTH-5', /it is not a token of this platform/);
  });

  test('servery explain: a first page that nothing remembers is one statement', async () => {
    const at = platform.demo.restaurants.at(-1)?.guid ?? '';
    // From here on, the partner is remembered.
    await send('/config/v2/menuGroups');
    const { explanation } = await explain(await send('/config/v2/menuGroups', { at }));
    assert.equal(explanation.statements?.count, 1, JSON.stringify(explanation.statements));
  });

  test('servery explain CFG-9: a stale page token', async () => {
    const first = await send('/config/v2/menuItems');
    const pageToken = first.headers.get('platform-next-page-token');
    assert.ok(pageToken, 'the demo group has more than a page of items');
    await publishAgain();
    const sent = await send(`/config/v2/menuItems?pageToken=${encodeURIComponent(pageToken)}`);
    await assertRefused(sent, 409, 'rules', 'CFG-9', /published again/, /→ Start again/);
  });

  test('servery explain PAY-5: a denied card, with its test card and the answer', async () => {
    const card = platform.demo.testCards.find(({ name }) => name.includes('Insufficient funds'));
    const sent = await pay(await authorization(card?.cardNumber ?? ''));
    const says = [
      /declined by the card issuer/,
      /with code 51: Insufficient/,
      /test card: Declined/,
    ];
    const { explanation } = await assertRefused(sent, 200, 'rules', 'PAY-5', ...says);
    const processor = {
      ...{ outcome: 'declined', responseCode: '51', meaning: 'Insufficient funds', isSent: true },
    };
    assert.deepEqual(explanation.payment?.processor, processor);
    assert.equal(explanation.payment?.state, 'DENIED');
  });

  test('servery explain PAY-7: a payment that the processor did not get can be repeated', async () => {
    await platform.json(['faults', 'add', 'processorUnreachable']);
    const card = platform.demo.testCards.findLast(({ outcome }) => outcome === 'AUTHORIZED');
    const sent = await pay(await authorization(card?.cardNumber ?? ''));
    const says = [
      /Processor: it did not process the payment/,
      /did not reach the processor/,
      /→ .*repeat the PUT with the same paymentUuid/,
    ];
    const { tree, explanation } = await assertRefused(sent, 500, 'rules', 'PAY-7', ...says);
    assert.match(tree, /An injected fault touched it: processorUnreachable\./);
    assert.equal(explanation.payment?.processor?.isSent, false);
  });

  test('servery explain PAY-7: a repeat; PAY-5: a velocity limit, and broken card data', async () => {
    const card = platform.demo.testCards.find(({ outcome }) => outcome === 'AUTHORIZED');
    const cardNumber = card?.cardNumber ?? '';
    const [body, paymentUuid] = [await authorization(cardNumber), randomUUID()];
    assert.match((await pay(body, paymentUuid)).body, /AUTHORIZED/);
    const repeated = await explain(await pay(body, paymentUuid));
    assert.equal(repeated.explanation.isRepeat, true);
    assert.match(repeated.tree, /It repeats an earlier request\. Nothing was done again\./);
    assert.deepEqual(failedBranches(repeated.tree), []);
    const denied = await pay(await authorization(cardNumber));
    const limit = /velocity limit per card .*limit of 1 in 1 hour is used up.*was not asked/;
    const { explanation } = await assertRefused(denied, 200, 'rules', 'PAY-5', limit);
    assert.deepEqual(explanation.payment?.limit, {
      ...{ dimension: 'card', count: 1, windowMs: 3_600_000 },
    });
    body.requestMetadata.cardLast4 = '0000';
    const wrong = await pay(body);
    const says = [/card data was refused/, /differs from cardLast4/];
    const refused = await assertRefused(wrong, 422, 'rules', 'PAY-5', ...says);
    assert.match(refused.explanation.payment?.cardProblem ?? '', /differs from cardLast4/);
    const path = '#/components/schemas/PaymentAuthorization/properties/encryptedCardData';
    assert.deepEqual(
      refused.explanation.faults.map(({ schemaPath }) => schemaPath),
      [path],
    );
    const entry = JSON.stringify(await platform.json(['explain', wrong.requestId]));
    assert.ok(!entry.includes(cardNumber), 'no card number is kept');
  });

  test('servery explain ORD-51: an order of what is out of stock', async () => {
    const order = await orderAt(platform, null);
    const [selection] = order.checks[0]?.selections ?? [];
    const item = selection?.item?.guid ?? '';
    const stock = [{ guid: item, status: 'OUT_OF_STOCK' }];
    const set = await send('/stock/v1/inventory/update', { method: 'PUT', body: stock });
    assert.equal(set.status, 200, set.body);
    const selections = [{ itemGroup: { guid: selection?.itemGroup?.guid }, item: { guid: item } }];
    const customer = { firstName: 'Ada', lastName: 'Lovelace', phone: '6175550123' };
    const { diningOption } = order;
    const body = { diningOption: { guid: diningOption?.guid }, checks: [{ selections, customer }] };
    const sent = await send('/orders/v2/orders', { method: 'POST', body });
    const says = [/out of stock/, /see #\/components\/schemas\//, /→ Ask for the stock/];
    const { tree } = await assertRefused(sent, 400, 'rules', 'ORD-51', ...says);
    assert.doesNotMatch(tree, /Lovelace|6175550123/);
  });

  test('servery explain API-7: a 429, and a read that was answered from memory', async () => {
    let sent = await send('/menus/v2/menus');
    for (let tries = 0; sent.status === 200 && tries < 100; tries += 1) {
      sent = await send('/menus/v2/menus');
    }
    const says = [/Rate limit: used up/, /for the operation/, /→ Wait 1 second/];
    const { explanation } = await assertRefused(sent, 429, 'budget', 'API-7', ...says);
    assert.equal(explanation.budget?.by, 'ENDPOINT');
    assert.equal(explanation.budget.retryAfterSeconds, 1);
    await send('/stock/v1/inventory');
    await send('/stock/v1/inventory');
    const read = await explain(await send('/stock/v1/inventory'));
    assert.equal(read.explanation.answeredFrom, 'MEMORY');
    assert.match(read.tree, /answered from memory/);
  });

  test('servery explain: an injected fault refuses, and no right or rule is blamed for it', async () => {
    const faults = { 'tooManyRequests=1': 429, expiredToken: 401, 'status=503': 503 };
    for (const [fault, status] of Object.entries(faults)) {
      const sent = await send('/stock/v1/inventory', { fault });
      const says = [new RegExp(`Injected fault: ${fault}`), /→ .*servery faults list/];
      const { tree } = await assertRefused(sent, status, 'fault', null, ...says);
      assert.match(tree, /^├─ ✓ Scope: stock:read is held$/m);
    }
    const misspelled = await send('/stock/v1/inventory', { fault: 'lostAnwser' });
    await assertRefused(
      misspelled,
      400,
      'fault',
      null,
      /can't be followed/,
      /→ Correct the header/,
    );
  });

  test('docs.error 200: the link of an error explains that request, and escapes it', async () => {
    const script = '<script>alert(1)</script>';
    const sent = await send(`/config/v2/menuItems?lastModified=${encodeURIComponent(script)}`);
    const { link } = JSON.parse(sent.body) as { link: string };
    const page = await (await fetch(link)).text();
    assert.match(page, new RegExp(`Request ${sent.requestId}`));
    assert.match(page, /<strong>✗ Rules: lastModified .*&lt;script&gt;/);
    assert.ok(!page.includes(script));
    const other = new URL(link);
    other.searchParams.set('request', randomUUID());
    assert.match(await (await fetch(other)).text(), /doesn't have this request/);
  });

  test('servery explain: a moved clock, and the token that it made expire', async () => {
    await platform.json(['clock', 'advance', '2d']);
    const sent = await send('/stock/v1/inventory');
    const says = [/it has expired/, /It was issued at /, /→ Log in again/];
    const { tree, explanation } = await assertRefused(sent, 401, 'token', 'AUTH-5', ...says);
    assert.ok(Math.abs(explanation.clockMovedMs - 172_800_000) < 60_000);
    assert.match(tree, /The clock was 2 days ahead of real time/);
    assert.equal(explanation.token.clientId, platform.demo.clients.partner.clientId);
  });
});

/** After any publication, earlier page tokens are stale. */
async function publishAgain(): Promise<void> {
  const file = path.join(platform.dataDir, 'reasons.yaml');
  const reasons = 'configuration:\n  voidReasons:\n    - name: Fell into the sea\n';
  await writeFile(file, `format: servery.configuration/1\n${reasons}`);
  await platform.json(['config', 'apply', file, '--restaurant', restaurant]);
}
