import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  brandedHeaders,
  exampleOf,
  guestFields,
  type Operation,
  operations,
  withheldFields,
} from '@servery/contract';
import { newRandomId } from '@servery/support/ids.ts';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import type { Platform } from '../../src/boot/server.ts';
import type { DemoFile } from '../../src/sandbox/demo-file.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { readDemoFile, startEmptyPlatform } from '../empty-platform.ts';
import { cardNumberOf } from '../payments/card-number.ts';
import { ByteSearch } from '../payments/hunt/byte-search.ts';
import { listLoggedText } from './log-rows-store.ts';

const MARKER = 'scent-of-the-hunt/1.0';
const BRAND = 'Platform';

let own: TestDatabase;
let folder: string;
let platform: Platform;
let demo: DemoFile;
before(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
  platform = await startEmptyPlatform(own.url, folder);
  demo = await readDemoFile(folder);
});
after(async () => {
  await platform.stop();
  await own.drop();
  removeTestFolder(folder);
});

/** What must not be found, and where it was sent or answered. */
const search = new Map<string, string>();

function cardNumber(where: string): string {
  const number = cardNumberOf('411111');
  search.set(number, where);
  // In groups, as people write it, every other time.
  return search.size % 2 === 0 ? number : (number.match(/.{4}/g) ?? []).join(' ');
}

function secret(where: string): string {
  const text = `canary${randomBytes(18).toString('base64url')}`;
  search.set(text, where);
  return text;
}

/** The value with a canary in each text: a secret where a secret belongs, else a card number. */
function withSecrets(value: unknown, withheld: ReadonlySet<string>, where: string): unknown {
  if (Array.isArray(value)) return value.map((each) => withSecrets(each, withheld, where));
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => {
      const at = `${where}.${name}`;
      return [name, withheld.has(name) ? secret(at) : withSecrets(inner, withheld, at)];
    });
    return { ...Object.fromEntries(fields), surprise: secret(`${where}.surprise`) };
  }
  return typeof value === 'string' ? `${value} ${cardNumber(where)}`.trim() : value;
}

function addressOf(operation: Operation): string {
  const filled = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    encodeURIComponent(cardNumber(`${operation.id} path ${name}`)),
  );
  const query = new URLSearchParams({ access_token: secret(`${operation.id} query access_token`) });
  for (const name of Object.keys(operation.query)) {
    query.set(name, cardNumber(`${operation.id} query ${name}`));
  }
  return `${platform.url}${filled}?${query}`;
}

/** An address at which the restaurant is a real one, so that the body is read. */
function plainAddressOf(operation: Operation): string {
  const filled = operation.path.replaceAll(/\{([^}]+)\}/g, (_all, name: string) =>
    /merchant|restaurant/i.test(name) ? restaurantGuid() : newRandomId(),
  );
  return `${platform.url}${filled}`;
}

const restaurantGuid = () => demo.restaurants.find(({ archived }) => !archived)?.guid ?? '';

function headersFor(operation: Operation, authorization: string, isPlain: boolean) {
  const headerSecret = (name: string) => secret(`${operation.id} header ${name}`);
  const card = (name: string) => cardNumber(`${operation.id} header ${name}`);
  const [contentType] = operation.requestBody?.contentTypes ?? [];
  return {
    authorization,
    cookie: `session=${headerSecret('cookie')}`,
    'x-csrf-token': headerSecret('x-csrf-token'),
    'x-api-key': headerSecret('x-api-key'),
    accept: `*/*;marker=${MARKER}`,
    'user-agent': `agent ${card('user-agent')}`,
    'if-none-match': `"${card('if-none-match')}"`,
    'accept-language': card('accept-language'),
    [brandedHeaders(BRAND).restaurantExternalId]: isPlain ? restaurantGuid() : card('restaurant'),
    ...(contentType ? { 'content-type': contentType } : {}),
  };
}

function bodyFor(operation: Operation): string | null {
  const { requestBody } = operation;
  if (!requestBody) return null;
  const value = withSecrets(exampleOf(requestBody, BRAND), withheldFields(operation), operation.id);
  if (requestBody.contentTypes.includes('application/json')) return JSON.stringify(value);
  return new URLSearchParams(value as Record<string, string>).toString();
}

let sent = 0;

async function send(
  operation: Operation,
  { authorization = `Bearer ${secret(`${operation.id} bearer`)}`, isPlain = false } = {},
): Promise<void> {
  sent += 1;
  const response = await fetch(isPlain ? plainAddressOf(operation) : addressOf(operation), {
    method: operation.method,
    headers: headersFor(operation, authorization, isPlain),
    body: bodyFor(operation),
  });
  if (response.headers.get('content-type') === 'text/event-stream') {
    await response.body?.cancel();
    return;
  }
  const text = await response.text();
  const isOfLines = response.headers.get('content-type')?.startsWith('application/x-ndjson');
  for (const part of isOfLines ? text.split('\n') : [text]) rememberSecrets(part, operation);
}

/** Secrets of answers are searched for as well. */
function rememberSecrets(text: string, operation: Operation): void {
  if (!text.startsWith('{') && !text.startsWith('[')) return;
  const withheld = withheldFields(operation);
  JSON.parse(text, (name, value) => {
    const isSecret = withheld.has(name) && !guestFields.includes(name);
    if (isSecret && typeof value === 'string' && value.length > 5) {
      search.set(value, `${operation.id} answer ${name}`);
    }
    return value;
  });
}

async function logIn(account: 'partner' | 'operator'): Promise<string> {
  const { clientId, clientSecret, userAccessType } = demo.clients[account];
  search.set(clientSecret, `secret of the ${account}`);
  sent += 1;
  const response = await fetch(`${platform.url}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType }),
  });
  const { token } = (await response.json()) as { token: { accessToken: string } };
  search.set(token.accessToken, `token of the ${account}`);
  return `Bearer ${token.accessToken}`;
}

/** Makes accounts, people and secrets in earnest, so that answers hold some. */
async function makeSecrets(authorization: string): Promise<void> {
  const operation = (id: string) => operations.find((each) => each.id === id);
  const post = async (id: string, json: unknown, params: Record<string, string> = {}) => {
    const found = operation(id);
    assert.ok(found, id);
    const place = found.path.replaceAll(/\{([^}]+)\}/g, (_all, name) => params[name] ?? '');
    sent += 1;
    const response = await fetch(`${platform.url}${place}`, {
      method: found.method,
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    });
    rememberSecrets(await response.text(), found);
    return response.status;
  };
  const before = search.size;
  const client = { name: 'Hunted', type: 'BACK_OFFICE', scopes: ['clock:read'] };
  await post('backOffice.clients.create', client);
  await post('backOffice.people.create', { email: 'hunted@example.com', name: 'Hunted' });
  await post('backOffice.clients.addSecret', {}, { clientId: demo.clients.partner.clientId });
  assert.ok(search.size > before, 'some answer held a secret');
}

test('requests: no operation leaves a card number, secret or token in the log', async () => {
  const [operator, partner] = [await logIn('operator'), await logIn('partner')];
  await makeSecrets(operator);
  const refused = new Set<string>();
  for (const operation of operations) {
    if (operation.id.startsWith('backOffice.clock.') && operation.method === 'POST') continue;
    const authorization = operation.interface === 'backOffice' ? operator : partner;
    await send(operation, { authorization });
    await send(operation, { authorization, isPlain: true });
    // Operations that check the token first refuse an unknown one alike: one of each kind is asked.
    const { id, interface: of, method, security } = operation;
    const alike = security === 'bearer' || security === 'session' ? [of, method, security] : [id];
    if (!refused.has(`${alike}`)) await send(operation);
    refused.add(`${alike}`);
  }
  await platform.stop();
  const rows = await listLoggedText(own.database.sql);
  assert.equal(rows.length, sent, 'every request is in the log');
  const missing = operations.filter(({ id }) => !rows.some(({ operation }) => operation === id));
  assert.ok(missing.every(({ id }) => id.startsWith('backOffice.clock.')));
  const text = rows.map((row) => row.text).join('\n');
  assert.ok(text.includes(MARKER), 'the hunt looks where things are written');
  const digits = text.replaceAll(/(?<=\d)[ .-](?=\d)/g, '');
  const hunted = new ByteSearch();
  for (const [canary, where] of search) hunted.addPiece(where, canary);
  const [found, foundInDigits] = [text, digits].map((all) => hunted.findIn(Buffer.from(all)));
  assert.deepEqual([found, foundInDigits], [[], []]);
});
