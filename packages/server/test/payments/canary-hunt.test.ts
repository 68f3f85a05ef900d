import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import type { FaultRule } from '@servery/card-simulator/faults.ts';
import { simulatorLedgerFile } from '@servery/card-simulator/ledger-file.ts';
import { findLedgerHolder } from '@servery/card-simulator/ledger-lock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import { sleep } from '@servery/support/timer.ts';
import { backUp } from '../database/backup-file.ts';
import { type GuestHunt, openGuestHunt } from '../orders/guest-hunt.ts';
import { readAllText } from './fixture-store.ts';
import { type Canary, openSender, type Sender } from './hunt/canaries.ts';
import {
  filesBelow,
  logIn,
  type SpawnedPlatform,
  spawnPlatform,
  writeMarked,
} from './hunt/spawned-platform.ts';
import { numbersIn, type PaidSpellings, paySpellings, withoutTrace } from './hunt/spelling-hunt.ts';

const LOGGED_LIMIT_MS = 120_000;

let platform: SpawnedPlatform;
let sender: Sender;
let guests: GuestHunt;
/** What the numbers that were spelled are called. */
let spelled: PaidSpellings['numbers'] = new Map();
/** How many answers came before those to spellings. */
let unspelled = Number.POSITIVE_INFINITY;
before(async () => {
  platform = await spawnPlatform([
    ...['--log-level', 'debug', '--profile', 'demo', '--kind', 'sandbox'],
    ...['--rate-limit-per-second', '100000', '--rate-limit-per-quarter-hour', '1000000'],
    ...['--velocity-limits', 'on', '--velocity-per-card', '1/1h', '--velocity-per-guest', 'off'],
    ...['--velocity-per-bin', 'off', '--velocity-per-restaurant', 'off'],
  ]);
  sender = await openSender(platform);
});
after(() => platform.remove());

const paymentStateOf = (received: { text: string }) => JSON.parse(received.text).paymentState;

/** Text that must be found: it shows that the hunt looks where things are written. */
const MARKER = `scent-${newRandomId()}`;
const markedUuid = newRandomId();

/** Orders a fault of the simulator's process for the next authorization of a card. */
async function orderFault(canary: Canary, fault: FaultRule['fault']): Promise<void> {
  const holder = await findLedgerHolder(simulatorLedgerFile(platform.dataDir));
  assert.ok(holder, 'the simulator runs');
  const last4 = canary.cardNumber.slice(-4);
  const rule: FaultRule = { operation: 'authorize', match: { last4 }, count: 1, fault };
  const response = await fetch(`${holder.url}/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(rule),
  });
  assert.equal(response.status, 201, await response.text());
}

test('creditCards.authorize 200 PAY-I7: canaries pay, with every key and every brand', async () => {
  for (const [start, length] of [
    ['400000', 16],
    ['222300', 16],
    ['378282', 15],
    ['305693', 14],
    ['601111', 16],
    ['353011', 16],
    ['620000', 19],
  ] as const) {
    const body = await sender.body(sender.canary(start, length));
    assert.equal(paymentStateOf(await sender.put(body)), 'AUTHORIZED', start);
  }
  for (const { keyId } of platform.demo.cardKeys) {
    const algorithm = keyId.split('::')[0] ?? '';
    const body = await sender.body(sender.canary(), { algorithm });
    const paymentUuid = newRandomId();
    const first = await sender.put(body, paymentUuid);
    assert.equal(paymentStateOf(first), 'AUTHORIZED', algorithm);
    assert.equal((await sender.put(body, paymentUuid)).text, first.text, 'PAY-7');
  }
  const flattened = await sender.body(sender.canary(), { form: 'flattened' });
  assert.equal(paymentStateOf(await sender.put(flattened)), 'AUTHORIZED');
  const metadata = { partnerServiceInfo: { instanceId: MARKER } };
  const marked = await sender.body(sender.canary(), { metadata });
  assert.equal(paymentStateOf(await sender.put(marked, markedUuid)), 'AUTHORIZED');
});

test('creditCards.authorize 200 PAY-I7: every decline keeps canaries out', async () => {
  const faults: FaultRule['fault'][] = [
    { kind: 'declined', responseCode: '51' },
    { kind: 'declined', responseCode: '59' },
    { kind: 'droppedConnectionBefore' },
    { kind: 'droppedConnectionAfter' },
    { kind: 'brokenAnswer' },
    { kind: 'notProcessed' },
    { kind: 'duplicate' },
    { kind: 'lateApproval' },
  ];
  const states = [];
  for (const fault of faults) {
    const canary = sender.canary();
    await orderFault(canary, fault);
    states.push(paymentStateOf(await sender.put(await sender.body(canary))));
  }
  assert.deepEqual(states.slice(0, 2), ['DENIED', 'DENIED']);
  assert.ok(states.includes('ACKNOWLEDGED'), states.join());
  const nobody = await sender.body(sender.canary(), { metadata: { guestIdentifier: '0' } });
  assert.equal(paymentStateOf(await sender.put(nobody)), 'DENIED', 'PAY-10');
  const often = await sender.body(sender.canary());
  await sender.put(often);
  assert.equal(paymentStateOf(await sender.put(often)), 'DENIED', 'a velocity limit');
});

test('creditCards.authorize 200 PAY-I7: canaries in texts are taken out of them', async () => {
  const [own, other] = [sender.canary(), sender.canary('555555')];
  const spaced = other.cardNumber.replaceAll(/(.{4})(?=.)/g, '$1 ');
  const address = { postalCode: '02110', country: 'USA', name: `A ${own.cardNumber} B` };
  const metadata = {
    partnerServiceInfo: { instanceId: other.cardNumber, additionalInfo: `${spaced} 12/30 987` },
    userAgent: `agent/${own.cardNumber}`,
    appName: spaced.replaceAll(' ', '-'),
    appVersion: other.cardNumber,
    guestIdentifier: other.cardNumber,
    guestEmail: `${own.cardNumber}@example.com`,
    billingAddress: { ...address, phone: spaced, address1: `card: ${other.cardNumber}` },
    deliveryAddress: { ...address, address1: spaced, city: own.cardNumber, region: spaced },
  };
  const received = await sender.put(await sender.body(own, { metadata }));
  assert.equal(paymentStateOf(received), 'AUTHORIZED', received.text);
});

test('backOffice.payments.void 200 PAY-I7: a canary in a reason is taken out of it', async () => {
  const accessToken = await logIn(platform, platform.demo.clients.orders);
  const paymentUuid = newRandomId();
  await sender.put(await sender.body(sender.canary()), paymentUuid);
  const merchantUuid = platform.demo.restaurants.find(({ archived }) => !archived)?.guid;
  const path = `/backoffice/v1/merchants/${merchantUuid}/payments/${paymentUuid}`;
  const headers = { authorization: `Bearer ${accessToken}` };
  const reason = `paid with ${sender.canary().cardNumber} instead`;
  const voided = await sender.send(`${path}/void`, { method: 'POST', headers, body: { reason } });
  assert.equal(voided.status, 200, voided.text);
  assert.equal((await sender.send(`${path}/events`, { headers })).status, 200);
});

test('creditCards.authorize 422 PAY-I7: canaries are refused', async () => {
  const foreignKey = platform.demo.clients.other.cardKeys[0]?.keyId ?? 'ECDH-ES::none';
  const wrong = (canary: Canary) => canary.cardNumber.replace(/.$/, (d) => `${(+d + 1) % 10}`);
  const makers: ((canary: Canary) => Promise<unknown>)[] = [
    (canary) => sender.body(canary, { clearText: { cardNumber: wrong(canary) } }),
    (canary) => sender.body(canary, { clearText: { cardNumber: Number(canary.cardNumber) } }),
    (canary) => sender.body(canary, { clearText: { cardNumber: `${canary.cardNumber}x` } }),
    (canary) => sender.body(canary, { clearText: { zipCode: canary.cardNumber } }),
    (canary) => sender.body(canary, { clearText: { country: canary.cardNumber } }),
    (canary) => sender.body(canary, { clearText: { cvv: undefined } }),
    (canary) => sender.body(canary, { metadata: { cardLast4: '0000x' } }),
    (canary) => sender.body(canary, { metadata: { cardFirst6: canary.cardNumber } }),
    (canary) => sender.body(canary, { metadata: { localTransactionDate: canary.cardNumber } }),
    (canary) => sender.body(canary, { metadata: { originIPAddr: canary.cardNumber } }),
    (canary) => sender.body(canary, { metadata: { billingAddress: canary } }),
    (canary) => sender.body(canary, { fields: { keyId: foreignKey } }),
    (canary) => sender.body(canary, { fields: { keyId: canary.cardNumber } }),
    (canary) => sender.body(canary, { fields: { keyId: undefined } }),
    (canary) => sender.body(canary, { fields: { encryptedCardData: canary.cardNumber } }),
    (canary) => sender.body(canary, { fields: { encryptedCardData: JSON.stringify(canary) } }),
    (canary) => sender.body(canary, { fields: { encryptedCardData: canary } }),
    (canary) => sender.body(canary, { fields: { amount: Number(canary.cardNumber) } }),
    (canary) => sender.body(canary, { fields: { amount: canary.cardNumber } }),
    (canary) => sender.body(canary, { fields: { cardNumberOrigin: canary.cardNumber } }),
    (canary) => sender.body(canary, { fields: { willSaveCard: canary.cvv } }),
    async (canary) => canary,
    async (canary) => [canary],
    async (canary) => JSON.stringify(canary).slice(0, -1),
    async (canary) => `${JSON.stringify(await sender.body(canary))}, ${canary.cardNumber}`,
    async (canary) => `{"cardNumber": ${canary.cardNumber}${canary.cvv}`,
    async (canary) => `${canary.cardNumber} `.repeat(200_000),
  ];
  for (const make of makers) {
    const { status, text: answer } = await sender.put(await make(sender.canary()));
    assert.ok(status >= 400 && status < 500, `${status} ${answer} for ${make}`);
  }
  const cut = await sender.body(sender.canary());
  const { encryptedCardData } = cut;
  const damaged = { ...cut, encryptedCardData: String(encryptedCardData).slice(0, -4) };
  assert.equal((await sender.put(damaged)).status, 422);
});

test('creditCards.authorize 400 PAY-I7: canaries stand where none belongs', async () => {
  const { send } = sender;
  const number = () => sender.canary().cardNumber;
  const sound = await sender.body(sender.canary());
  const { brand } = platform.demo;
  await sender.put(sound, number());
  await send(`/ccpartner/v1/merchants/${number()}/payments/${newRandomId()}`, {
    method: 'PUT',
    body: sound,
  });
  await send(`/nowhere/${number()}?card=${number()}`);
  await send(`/${number()}`, { method: 'POST', body: sender.canary() });
  await send(`/restaurants/v1/restaurants/${number()}?cardNumber=${number()}`);
  await send(`/config/v2/menuItems?pageToken=${number()}&lastModified=${number()}`);
  await send('/stock/v1/inventory/update', { method: 'PUT', body: [{ guid: number() }] });
  await send('/stock/v1/inventory/search', { method: 'POST', body: { guids: [number()] } });
  for (const name of [
    ...['authorization', 'user-agent', 'content-type', 'cookie', 'if-none-match', 'x-request-id'],
    ...['traceparent', 'tracestate', 'x-forwarded-for', 'idempotency-key', 'referer'],
    `${brand}-Restaurant-External-ID`,
  ]) {
    const canary = sender.canary();
    const value = `${canary.cardNumber} ${canary.cvv}`;
    await send('/stock/v1/inventory', { headers: { [name]: value } });
  }
  const { cardNumber: clientId, cvv: clientSecret } = sender.canary();
  const { userAccessType } = platform.demo.clients.partner;
  const login = { clientId, clientSecret, userAccessType };
  const path = '/authentication/v1/authentication/login';
  assert.equal((await send(path, { method: 'POST', body: login })).status, 401);
  await send('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `grant_type=client_credentials&client_id=${number()}&client_secret=${number()}`,
  });
});

test('creditCards.authorize 400 PAY-I7: canaries come in what is no HTTP', async () => {
  const { port, hostname } = new URL(platform.url);
  for (const line of [
    'GET / NUMBER',
    'NUMBER / HTTP/1.1',
    'GET / HTTP/1.1\r\nNUMBER : 1',
    'NUMBER',
  ]) {
    const { cardNumber } = sender.canary();
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.end(`${line.replace('NUMBER', cardNumber)}\r\n\r\n`);
    const answer = await text(socket);
    assert.equal(sender.search.findIn(Buffer.from(answer)).length, 0, answer);
  }
});

test('creditCards.authorize PAY-14: the paid card is spelled in many ways in all texts', async (t) => {
  unspelled = sender.received.length;
  const paid = await paySpellings(sender, { spellings: 100, isWhole: false });
  const { payments, fields, statuses } = paid;
  spelled = paid.numbers;
  t.diagnostic(`${payments} payments in 100 spellings, ${fields} fields`);
  assert.ok((statuses.get(200) ?? 0) >= 50, 'most fields take any text');
  assert.ok((statuses.get(422) ?? 0) >= 10, 'and some do not');
});

/** The tables, once the log has all requests: it is written a moment later. */
async function readWholeTables(): Promise<string> {
  const last = `last-${newRandomId()}`;
  await sender.send('/stock/v1/inventory', { headers: { 'user-agent': last } });
  const limitAt = performance.now() + LOGGED_LIMIT_MS;
  for (;;) {
    const dump = await readAllText(platform.database.sql);
    if (dump.includes(last)) return dump;
    assert.ok(performance.now() < limitAt, 'the log never had the last request');
    await sleep(50);
  }
}

test('creditCards.authorize PAY-I7 PAY-14: no canary is anywhere, and no spelling of one', async () => {
  const { search, received } = sender;
  const accessToken = await logIn(platform, platform.demo.clients.operator);
  const headers = { authorization: `Bearer ${accessToken}` };
  const listed = [];
  for (const path of ['metrics', 'payments?pageSize=100', 'alarms?pageSize=100', 'requests']) {
    const { status, text: answer } = await sender.send(`/backoffice/v1/${path}`, { headers });
    assert.equal(status, 200, answer);
    listed.push(answer);
  }
  const holder = await findLedgerHolder(simulatorLedgerFile(platform.dataDir));
  const ledger = await (await fetch(`${holder?.url}/ledger`)).text();
  const { sql } = platform.database;
  const activity = await sql.unsafe('select a::text as text from pg_stat_activity a');
  const dump = await readWholeTables();
  assert.ok(dump.includes(MARKER), 'the hunt looks into the tables');
  const backup = (await backUp(platform.databaseUrl)).toString();
  assert.ok(backup.includes(MARKER), 'the hunt looks into a backup');
  hunt('a backup', backup);
  const answers = [...received.slice(0, unspelled), ...received.slice(unspelled).map(withoutTrace)];
  hunt('the answers', answers.join('\n'));
  hunt('metrics and lists', listed.join('\n'));
  assert.match(ledger, /"holds":\[\{/);
  hunt('the ledger', ledger);
  hunt('running statements', activity.map((row) => row.text).join('\n'));
  hunt('the tables', dump);
  await writeMarked(platform.database, MARKER);
  const marked = await huntFiles(search);
  for (const place of ['/base/', '/pg_wal/']) {
    assert.ok(
      marked.some((file) => file.includes(place)),
      `the hunt looks into ${place}`,
    );
  }
});

test('orders ORD-67: what guests wrote is in their table, and nowhere else', async () => {
  guests = await openGuestHunt(platform);
  await guests.send();
  const told = await guests.readAll();
  assert.deepEqual(
    [...new Set(guests.search.findIn(Buffer.from(told)))],
    [],
    'what others are told',
  );
  const rows = (await readAllText(platform.database.sql)).split('\n');
  const found = rows.flatMap((row) => {
    const names = guests.search.findIn(Buffer.from(row));
    return names.length > 0 ? [[row.split(' ', 1)[0], names]] : [];
  });
  const elsewhere = found.filter(([table]) => table !== 'order_guest');
  assert.deepEqual(elsewhere, []);
  assert.ok(found.length >= 2, 'the hunt looks into the tables');
});

test('backOffice.clock.advance 200 PAY-I7: no canary turns up in 181 days', async () => {
  const accessToken = await logIn(platform, platform.demo.clients.operator);
  const moved = await sender.send('/backoffice/v1/clock/advance', {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: { duration: 'P181D' },
  });
  assert.equal(moved.status, 200, moved.text);
  hunt('what was done', moved.text);
  const { done } = JSON.parse(moved.text) as { done: { kind: string; paymentUuid: string }[] };
  const removed = done.filter(({ kind }) => kind === 'guestRetention');
  assert.ok(removed.some(({ paymentUuid }) => paymentUuid === markedUuid));
  const dump = await readAllText(platform.database.sql);
  assert.ok(
    dump.includes(markedUuid) && !dump.includes(MARKER),
    'the guest is gone, not the payment',
  );
  hunt('the tables', dump);
  await platform.end();
  await huntFiles(sender.search);
  assert.ok(platform.output().includes('"creditCards.authorize"'), 'the log tells of requests');
  hunt('the output', platform.output());
  assert.deepEqual(guests.search.findIn(Buffer.from(platform.output())), [], 'ORD-67');
});

function hunt(place: string, content: string): void {
  const found = sender.search.findIn(Buffer.from(content));
  assert.deepEqual([...found, ...numbersIn(content, spelled)], [], place);
}

/** Hunts in all files of the data folder; gives those that have the marker. */
async function huntFiles(search: Sender['search']): Promise<string[]> {
  const marked: string[] = [];
  for await (const [file, bytes] of filesBelow(platform.dataDir)) {
    assert.deepEqual(search.findIn(bytes), [], file);
    if (bytes.includes(MARKER)) marked.push(file);
  }
  return marked;
}
