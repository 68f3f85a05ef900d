import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { newAccount } from './accounts.ts';
import { type Answer, header } from './answer.ts';
import { until } from './back-office.ts';
import { BackOfficeStock } from './back-office-stock.ts';
import { DemoCallers } from './client.ts';
import { openRestaurants } from './fixtures.ts';
import { authorize, cardWithOutcome, paymentBody } from './payment.ts';
import { platformUnderTest, runCommand } from './platform.ts';
import { logged } from './status-requests-logs.ts';
import { nth } from './values.ts';

const platform = await platformUnderTest();
const callers = new DemoCallers(platform);
const operator = await callers.as('operator');
const [restaurant, ...others] = openRestaurants(platform.demo);
/** Where no other file of a run changes the stock: each that does has a restaurant for itself. */
const quiet = String(others.at(-1));

const STREAM_LIMIT_MS = 120_000;

const idOf = (answer: Answer) => String(header(answer, `${platform.brand}-Request-ID`));

/** What the log says of a request, as its bytes. */
async function entryOf(answer: Answer): Promise<string> {
  const requestId = await logged(callers, answer);
  return (await operator.call('backOffice.requests.get', 200, { params: { requestId } })).text;
}

test('backOffice.requests.get 200: no card number, secret or token is in the log', async () => {
  const partner = await callers.as('partner');
  const card = cardWithOutcome(platform.demo, 'AUTHORIZED');
  const { cardNumber } = card;
  const spaced = cardNumber.replaceAll(/(.{4})(?=.)/g, '$1 ');
  const body = await paymentBody(platform.demo, { card });
  const careless = { ...body, note: `Card ${spaced}`, cardNumber, pan: Number(cardNumber) };
  const refused = await authorize(partner, 422, restaurant, { ...careless, amount: -1 });
  const search = `${cardNumber} ${spaced}`;
  const listed = await partner.call('stock.list', 400, { restaurant, query: { status: search } });
  const { clientId, clientSecret, userAccessType } = platform.demo.clients.partner;
  const login = { clientId, clientSecret, userAccessType };
  const begun = await callers.anonymous().call('auth.login', 200, { json: login });
  const { token } = begun.json as { token: { accessToken: string } };
  const wrong = { ...login, clientSecret: `${clientSecret}x` };
  const denied = await callers.anonymous().call('auth.login', 401, { json: wrong });
  const made = await operator.call('backOffice.clients.create', 200, {
    json: { name: 'Ring logs', type: 'BACK_OFFICE', scopes: ['clock:read'] },
  });
  const { clientSecret: issued } = made.json as { clientSecret: string };
  const secrets = [cardNumber, clientSecret, token.accessToken, issued];
  secrets.push(String(partner.token), String(operator.token), String(body.encryptedCardData));
  for (const answer of [refused, listed, begun, denied, made]) {
    const text = await entryOf(answer);
    assert.ok(text.includes(idOf(answer)));
    const digits = text.replaceAll(/(?<=\d)[ .-](?=\d)/g, '');
    for (const secret of secrets) {
      assert.ok(!text.includes(secret) && !digits.includes(secret), `${answer.path}: ${text}`);
    }
  }
});

test('backOffice.requests.get 200: why a request was refused, and what it asked', async () => {
  const { clientId, caller } = await newAccount(callers, {
    ...{ type: 'CUSTOMER', managementGroupGuid: platform.demo.managementGroupGuid },
    scopes: ['config:read'],
  });
  const refused = await caller.call('stock.list', 403, { restaurant });
  const entry = JSON.parse(await entryOf(refused)) as Record<string, unknown>;
  assert.equal(entry.clientId, clientId);
  assert.equal(entry.restaurantGuid, restaurant);
  assert.equal(entry.operation, 'stock.list');
  assert.equal(entry.status, 403);
  assert.deepEqual(
    [Reflect.get(entry.refusal as object, 'check'), Reflect.get(entry.refusal as object, 'scope')],
    ['scope', 'stock:read'],
  );
  const query = { clientId, status: 403, operation: 'stock.list', restaurantGuid: restaurant };
  const found = await operator.call('backOffice.requests.list', 200, { query });
  const { results } = found.json as { results: { requestId: string }[] };
  assert.deepEqual(
    results.map(({ requestId }) => requestId),
    [idOf(refused)],
  );
});

test('backOffice.requests.stream 200: requests are seen while they come', async () => {
  const url = `${platform.baseUrl}/backoffice/v1/requests/stream?status=4xx`;
  const ending = new AbortController();
  const { body, status } = await fetch(url, {
    headers: { authorization: `Bearer ${operator.token}` },
    signal: AbortSignal.any([ending.signal, AbortSignal.timeout(STREAM_LIMIT_MS)]),
  });
  assert.equal(status, 200);
  const { caller } = await newAccount(callers, {
    ...{ type: 'CUSTOMER', managementGroupGuid: platform.demo.managementGroupGuid },
    scopes: ['config:read'],
  });
  const refused = await caller.call('stock.list', 403, { restaurant });
  // A line may come in pieces, and in the middle of a letter.
  const line = new RegExp(`^data:(.*${idOf(refused)}.*)\n`, 'm');
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (line.test(text)) break;
  }
  ending.abort();
  const event = JSON.parse(line.exec(text)?.[1] ?? 'null') as Record<string, unknown>;
  assert.deepEqual([event.operation, event.status], ['stock.list', 403]);
});

interface Entry {
  readonly actor: string;
  readonly requestId: string;
  readonly operation: string;
  /** By the item. */
  readonly before: Readonly<Record<string, { readonly status: string }>>;
  readonly after: Readonly<Record<string, { readonly status: string }>>;
  readonly position: number | null;
}

test('backOffice.audit.list 200: each change leaves one entry, a repeat none', async () => {
  const stock = new BackOfficeStock(operator, quiet);
  const item = nth(
    (await stock.list()).filter(({ status }) => status === 'IN_STOCK'),
    0,
    'item',
  );
  await stock.set({ guid: item.guid, status: 'IN_STOCK' });
  const subject = { params: { restaurantGuid: quiet } };
  const json = { changes: [{ guid: item.guid, status: 'OUT_OF_STOCK' }] };
  const changed = await operator.call('backOffice.stock.set', 200, { ...subject, json });
  const entriesOf = async (answer: Answer) => {
    const query = { requestId: idOf(answer) };
    const { json: found } = await operator.call('backOffice.audit.list', 200, { query });
    return (found as { results: Entry[] }).results;
  };
  const [entry, ...others] = await entriesOf(changed);
  assert.ok(entry && others.length === 0);
  const { clientId } = platform.demo.clients.operator;
  assert.deepEqual([entry.actor, entry.operation], [clientId, 'backOffice.stock.set']);
  const stateIn = (document: Entry['before']) => document[item.guid]?.status;
  assert.deepEqual([stateIn(entry.before), stateIn(entry.after)], ['IN_STOCK', 'OUT_OF_STOCK']);
  const repeated = await operator.call('backOffice.stock.set', 200, { ...subject, json });
  assert.deepEqual(await entriesOf(repeated), []);
  const partner = await callers.as('partner');
  const update = [{ guid: item.guid, status: 'IN_STOCK' }];
  const back = await partner.call('stock.update', 200, { restaurant: quiet, json: update });
  const [byPartner] = await entriesOf(back);
  assert.deepEqual(
    [byPartner?.actor, byPartner?.operation],
    [platform.demo.clients.partner.clientId, 'stock.update'],
  );
  const sealed = await until(
    'the seal',
    async () => (await entriesOf(changed))[0]?.position ?? null,
    (position) => position !== null,
  );
  assert.ok(Number(sealed) > 0);
});

test('backOffice.audit.export 200: a file verifies alone; a touch of it is told', async (t) => {
  const verified = await operator.call('backOffice.audit.verify', 200);
  assert.equal((verified.json as { isIntact: boolean }).isIntact, true);
  const { text } = await operator.call('backOffice.audit.export', 200);
  const lines = text.trimEnd().split('\n');
  assert.ok(lines.length > 5);
  const file = join(tmpdir(), `servery-ring-audit-${process.pid}.ndjson`);
  t.after(() => rm(file, { force: true }));
  const verify = async (content: readonly string[]) => {
    await writeFile(file, `${content.join('\n')}\n`);
    return runCommand(tmpdir(), ['audit', 'verify', '--file', file, '--json']);
  };
  const whole = await verify(lines);
  assert.equal(whole.code, 0, whole.errors);
  assert.equal((JSON.parse(whole.output) as { isIntact: boolean }).isIntact, true);
  const changed = lines.map((line, index) =>
    index === 2 ? line.replace(/"actor":"[^"]*"/, '"actor":"somebody"') : line,
  );
  assert.notDeepEqual(changed, lines);
  const result = await verify(changed);
  assert.equal(result.code, 1, result.output);
  const { isIntact, firstBreak } = JSON.parse(result.output) as {
    isIntact: boolean;
    firstBreak: { position: number };
  };
  assert.equal(isIntact, false);
  assert.ok(firstBreak.position >= 2 && firstBreak.position <= 5);
});
