import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { velocityDimensions } from '@servery/contract';
import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newGuid, newRandomId } from '@servery/support/ids.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import type { AuthorizationRequest } from '../../src/payments/authorize/authorization-request.ts';
import type { VelocityDimension } from '../../src/payments/authorize/risk.ts';
import { countPayment, forgetVelocityCounts } from '../../src/payments/authorize/velocity.ts';
import {
  parseVelocityLimit,
  type VelocityLimits,
} from '../../src/payments/authorize/velocity-limits.ts';
import { CardData } from '../../src/payments/cards/card-data.ts';
import type { PaymentDeps } from '../../src/payments/partner/handlers.ts';
import { paymentMetrics } from '../../src/payments/payment-metrics.ts';
import { createMetrics } from '../../src/support/metrics.ts';
import { createTestDatabase } from '../database.ts';
import { cardNumberOf } from './card-number.ts';
import { OPENED_MS, openPaymentFixture, type PaymentFixture, type PutAnswer } from './fixture.ts';
import { listEvents } from './fixture-store.ts';
import { until } from './processors/orders.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

const MINUTE_MS = 60_000;
/** What the log says of a refusal. */
const LINE = 'a velocity limit refused a payment';

/** Limits as they are set; what is not named is off. */
function limitsOf(texts: Partial<Record<VelocityDimension, string>>): VelocityLimits {
  const entries = velocityDimensions.map((dimension) => [
    dimension,
    parseVelocityLimit(texts[dimension] ?? 'off'),
  ]);
  return Object.fromEntries(entries);
}

let made = 0;

/** What payments are counted by, each different from those of every other payment. */
function newPayer() {
  made += 1;
  const clientId = newRandomId();
  return {
    card: cardNumberOf(String(400_000 + made), made),
    guest: `guest-${made}`,
    address: `8.8.${made >> 8}.${made & 255}`,
    merchantGuid: newGuid(),
    clientId,
  };
}

type Payer = ReturnType<typeof newPayer>;

/** Counts one new payment; gives the rule that refuses it, or null. */
async function count(
  velocityLimits: VelocityLimits | null,
  payer: Payer,
  parts: { readonly nowMs?: number; readonly database?: Database } = {},
): Promise<string | null> {
  const guest = { originIpAddress: payer.address, guestIdentifier: payer.guest };
  const card = new CardData({
    cardNumber: payer.card,
    zipCode: '02110',
    expMonth: '12',
    expYear: '30',
    country: 'USA',
  });
  const { vault, database } = fixture;
  const refusal = await countPayment(
    { vault, database: parts.database ?? database, velocityLimits },
    {
      key: { merchantGuid: payer.merchantGuid, paymentUuid: newRandomId() },
      clientId: payer.clientId,
      request: { guest } as AuthorizationRequest,
      card,
      nowMs: parts.nowMs ?? OPENED_MS,
    },
  );
  return refusal?.rule ?? null;
}

const sameAs: Record<VelocityDimension, (payer: Payer) => Partial<Payer>> = {
  card: ({ card }) => ({ card }),
  guest: ({ guest, clientId }) => ({ guest, clientId }),
  address: ({ address }) => ({ address }),
  bin: ({ card, merchantGuid }) => ({ card: cardNumberOf(card.slice(0, 6)), merchantGuid }),
  restaurant: ({ merchantGuid }) => ({ merchantGuid }),
  client: ({ clientId }) => ({ clientId }),
};

for (const dimension of velocityDimensions) {
  test(`velocity: payments that have the ${dimension} in common share a limit`, async () => {
    const limits = limitsOf({ [dimension]: '2/10m' });
    const first = newPayer();
    const rules = [];
    for (let nth = 0; nth < 3; nth += 1) {
      rules.push(await count(limits, { ...newPayer(), ...sameAs[dimension](first) }));
    }
    assert.deepEqual(rules, [null, null, `velocity limit per ${dimension}, 2/10m`]);
    assert.equal(await count(limits, newPayer()), null, 'another one is not counted with them');
  });
}

test('velocity: a guest of another client and a bin elsewhere are others', async () => {
  const limits = limitsOf({ guest: '1/10m', bin: '1/10m' });
  const first = newPayer();
  assert.equal(await count(limits, first), null);
  assert.equal(await count(limits, { ...newPayer(), guest: first.guest }), null);
  assert.equal(await count(limits, { ...newPayer(), card: first.card }), null);
});

test('velocity: cards that begin and end alike are others', async () => {
  const limits = limitsOf({ card: '1/10m' });
  for (const nth of [100_000_000, 1_000_000]) {
    const card = cardNumberOf('400000', nth);
    assert.equal(card.slice(-4), '0000');
    assert.equal(await count(limits, { ...newPayer(), card }), null);
  }
});

test('velocity: an IPv6 network and an IPv4 address in IPv6 count as one address', async () => {
  const limits = limitsOf({ address: '1/10m' });
  const from = (address: string) => count(limits, { ...newPayer(), address });
  assert.equal(await from('2001:4860:4860:1::8888'), null);
  assert.match((await from('2001:4860:4860:1:aaaa::1')) ?? '', /per address/);
  assert.equal(await from('2001:4860:4860:2::8888'), null);
  assert.equal(await from('9.9.9.9'), null);
  assert.match((await from('::ffff:9.9.9.9')) ?? '', /per address/);
});

test('velocity: a refusal by a narrow limit does not use up a wide one', async () => {
  const limits = limitsOf({ card: '1/10m', restaurant: '2/10m' });
  const tester = newPayer();
  await count(limits, tester);
  for (let nth = 0; nth < 5; nth += 1) assert.match((await count(limits, tester)) ?? '', /card/);
  const { merchantGuid } = tester;
  assert.equal(await count(limits, { ...newPayer(), merchantGuid }), null);
  assert.match((await count(limits, { ...newPayer(), merchantGuid })) ?? '', /per restaurant/);
});

test('velocity: the end of a window frees nothing at once, and everything in time', async () => {
  const limits = limitsOf({ card: '10/10m' });
  const payer = newPayer();
  const startMs = Math.ceil(OPENED_MS / (10 * MINUTE_MS)) * 10 * MINUTE_MS;
  const pass = async (atMs: number, tries = 12) => {
    let passed = 0;
    for (let nth = 0; nth < tries; nth += 1) {
      if ((await count(limits, payer, { nowMs: startMs + atMs })) === null) passed += 1;
    }
    return passed;
  };
  assert.equal(await pass(9 * MINUTE_MS), 10);
  assert.equal(await pass(10 * MINUTE_MS), 0, 'the window before still counts whole');
  assert.equal(await pass(15 * MINUTE_MS), 5, 'half of it counts');
  assert.equal(await pass(40 * MINUTE_MS), 10, 'nothing of it counts');
});

test('velocity: processes whose clocks differ at the end of a window share the count', async () => {
  const limits = limitsOf({ card: '3/10m' });
  const payer = newPayer();
  const endMs = Math.ceil(OPENED_MS / (10 * MINUTE_MS)) * 10 * MINUTE_MS;
  const rules = [];
  for (const nowMs of [endMs, endMs - 1, endMs, endMs - 1]) {
    rules.push(await count(limits, payer, { nowMs }));
  }
  assert.deepEqual(rules, [null, null, null, 'velocity limit per card, 3/10m']);
});

test('velocity: a clock that was set back begins anew', async () => {
  const limits = limitsOf({ card: '1/10m' });
  const payer = newPayer();
  assert.equal(await count(limits, payer, { nowMs: OPENED_MS + 365 * 24 * 60 * MINUTE_MS }), null);
  assert.equal(await count(limits, payer), null);
  assert.notEqual(await count(limits, payer), null);
});

test('velocity: of 64 at once over two pools just the limit passes, and payments that cross each other never wait in a circle', async () => {
  const { url, database, drop } = await createTestDatabase();
  const other = connectDatabase({ url });
  try {
    for (const texts of [{ restaurant: '10/10m' }, { card: '10/10m', client: '500/10m' }]) {
      const limits = limitsOf(texts);
      const { card, merchantGuid, clientId } = newPayer();
      const same = 'card' in texts ? { card, clientId } : { merchantGuid };
      const rules = await Promise.all(
        Array.from({ length: 64 }, (_, nth) =>
          count(limits, { ...newPayer(), ...same }, { database: nth % 2 ? database : other }),
        ),
      );
      assert.equal(rules.filter((rule) => rule === null).length, 10);
    }
    const all = '1000/10m';
    const limits = limitsOf({ card: all, guest: all, address: all, bin: all, client: all });
    const few = Array.from({ length: 3 }, newPayer);
    const pick = (nth: number) => few[nth % 3] ?? newPayer();
    const rules = await Promise.all(
      Array.from({ length: 243 }, (_, nth) => {
        const payer = {
          ...pick(nth),
          card: pick(Math.trunc(nth / 3)).card,
          guest: pick(Math.trunc(nth / 9)).guest,
          address: pick(Math.trunc(nth / 27)).address,
          clientId: pick(Math.trunc(nth / 81)).clientId,
        };
        return count(limits, payer, { database: nth % 2 ? database : other });
      }),
    );
    assert.deepEqual(new Set(rules), new Set([null]));
    const [deadlocks] = await database.sql<{ deadlocks: number }[]>`
      select deadlocks::int from pg_stat_database where datname = current_database()`;
    assert.equal(deadlocks?.deadlocks, 0);
  } finally {
    await other.close();
    await drop();
  }
});

test('velocity: counts that say nothing anymore are removed, and no others', async () => {
  const { sql } = fixture.database;
  await sql`delete from velocity_count`;
  await sql`delete from velocity_verdict`;
  await count(limitsOf({ card: '5/1m', guest: '5/1h' }), newPayer());
  const rows = async () => (await sql`select from velocity_count`).count;
  const verdicts = async () => (await sql`select from velocity_verdict`).count;
  await forgetVelocityCounts(fixture.database, OPENED_MS + MINUTE_MS - 1);
  assert.equal(await rows(), 2, 'the window before still counts');
  await forgetVelocityCounts(fixture.database, OPENED_MS + 2 * MINUTE_MS);
  assert.equal(await rows(), 1);
  assert.equal(await verdicts(), 1, 'the payment may be tried again');
  await forgetVelocityCounts(fixture.database, OPENED_MS + 120 * MINUTE_MS);
  assert.equal((await rows()) + (await verdicts()), 0);
});

test('velocity: without limits nothing is asked of the database', async () => {
  const database = { sql: () => assert.fail('a statement was sent') } as unknown as Database;
  assert.equal(await count(null, newPayer(), { database }), null);
});

test('velocity: a limit is a count and a time, or off', () => {
  assert.equal(parseVelocityLimit('off'), null);
  const limit = { count: 10, text: '10/10m' };
  assert.deepEqual(parseVelocityLimit('10/10m'), { ...limit, durationMs: 600_000 });
  assert.equal(parseVelocityLimit('1/30s')?.durationMs, 30_000);
  assert.equal(parseVelocityLimit('1000000/30d')?.durationMs, 2_592_000_000);
  for (const text of ['', 'on', '10', '10/m', '0/1m', '10/0m', '10/31d', '1000001/1h', '-1/1h']) {
    assert.throws(() => parseVelocityLimit(text), /must be "off" or a count/, text);
  }
});

/** A PUT with limits; the whole path from the request to the stored payment. */
async function put(
  texts: Partial<Record<VelocityDimension, string>>,
  parts: { readonly paymentUuid: string; readonly body: unknown },
): Promise<PutAnswer> {
  const overrides: Partial<PaymentDeps> = { velocityLimits: limitsOf(texts) };
  return await fixture.put(parts, overrides);
}

test('creditCards.authorize 200 PAY-5: beyond a velocity limit it is DENIED, neutrally', async () => {
  const body = await fixture.body({ cardNumber: cardNumberOf('400011') });
  const limits = { card: '1/1h' };
  const first = await put(limits, { paymentUuid: newRandomId(), body });
  assert.equal(first.body.paymentState, 'AUTHORIZED');
  const held = fixture.processor.ledger().length;
  const paymentUuid = newRandomId();
  const denied = await put(limits, { paymentUuid, body });
  assert.equal(denied.status, 200);
  assert.deepEqual(denied.body, {
    paymentState: 'DENIED',
    authorizationMetadata: null,
    amount: 10.5,
    tipAmount: 2,
    denialReason: 'The card was declined. Please use another card.',
    error: null,
  });
  assert.equal(fixture.processor.ledger().length, held, 'the processor heard nothing');
  const { sql } = fixture.database;
  assert.deepEqual(await listEvents(sql, fixture.merchant.guid, paymentUuid), [
    { version: 1, from: 'NEW', cause: 'riskRefused', to: 'DENIED', attempt: 0 },
  ]);
  const [event] = await sql`select details from payment_event where payment_uuid = ${paymentUuid}`;
  assert.deepEqual(event?.details, { rule: 'velocity limit per card, 1/1h' });
});

test('creditCards.authorize 200 PAY-7: a repeat is not counted, and is answered as ever', async () => {
  const body = await fixture.body({ cardNumber: cardNumberOf('400012') });
  const limits = { card: '2/1h' };
  const parts = { paymentUuid: newRandomId(), body };
  const first = await put(limits, parts);
  for (let nth = 0; nth < 5; nth += 1) {
    assert.equal((await put(limits, parts)).text, first.text);
  }
  const second = await put(limits, { ...parts, paymentUuid: newRandomId() });
  assert.equal(second.body.paymentState, 'AUTHORIZED');
  const third = { ...parts, paymentUuid: newRandomId() };
  const denied = await put(limits, third);
  assert.equal(denied.body.paymentState, 'DENIED');
  assert.equal((await put(limits, third)).text, denied.text);
  assert.equal((await put(limits, parts)).text, first.text, 'beyond the limit too');
});

test('creditCards.authorize 200 PAY-7: identical PUTs at once are one payment', async () => {
  const cardNumber = cardNumberOf('400014');
  const limits = { card: '3/1h' };
  const parts = { paymentUuid: newRandomId(), body: await fixture.body({ cardNumber }) };
  const answers = await Promise.all(Array.from({ length: 32 }, () => put(limits, parts)));
  const states = new Set(answers.map(({ body }) => body.paymentState));
  assert.ok(!states.has('DENIED'), 'no repeat refuses the payment that it repeats');
  assert.equal((await put(limits, parts)).body.paymentState, 'AUTHORIZED');
  for (const expected of ['AUTHORIZED', 'AUTHORIZED', 'DENIED']) {
    const next = await put(limits, { ...parts, paymentUuid: newRandomId() });
    assert.equal(next.body.paymentState, expected, 'one place was used');
  }
});

test('creditCards.authorize 409 PAY-7: other content under a known UUID is not counted', async () => {
  const cardNumber = cardNumberOf('400013');
  const limits = { card: '2/1h' };
  const paymentUuid = newRandomId();
  await put(limits, { paymentUuid, body: await fixture.body({ cardNumber }) });
  const other = await fixture.body({ cardNumber, amount: 11 });
  assert.equal((await put(limits, { paymentUuid, body: other })).status, 409);
  const next = await put(limits, { paymentUuid: newRandomId(), body: other });
  assert.equal(next.body.paymentState, 'AUTHORIZED');
});

/** What a refusal leaves behind for operators, and for nobody else. */
async function refusedAt(dimension: VelocityDimension, database: Database) {
  const [restaurant, principal] = [await fixture.addMerchant('USD'), await fixture.addClient()];
  const key = await fixture.addKey(principal.clientId);
  made += 1;
  const cardNumber = cardNumberOf(String(410_000 + made));
  const metadata = { guestIdentifier: `guest-${made}`, originIPAddr: `9.9.1.${made}` };
  const body = await fixture.body({ key, cardNumber, metadata });
  const metrics = createMetrics();
  const observer = paymentMetrics(metrics, fixture.deps);
  const overrides = { observer, database, velocityLimits: limitsOf({ [dimension]: '1/1h' }) };
  const paymentUuid = newRandomId();
  const parts = { restaurant, principal, body };
  const passed = await fixture.put({ ...parts, paymentUuid: newRandomId() }, overrides);
  assert.equal(passed.body.paymentState, 'AUTHORIZED');
  const logged = fixture.logged.length;
  const denied = await fixture.put({ ...parts, paymentUuid }, overrides);
  assert.equal(denied.body.paymentState, 'DENIED');
  assert.equal(
    (await fixture.put({ ...parts, paymentUuid }, overrides)).text,
    denied.text,
    'PAY-7',
  );
  const counts = [...(await metrics.text()).matchAll(/^servery_(payment_\w+_total\{.*\}) (\d)$/gm)];
  const lines = fixture.logged.slice(logged).filter((line) => line.endsWith(`,"${LINE}"]`));
  const { clientId } = principal;
  return {
    about: { merchantGuid: restaurant.guid, paymentUuid, clientId },
    lines: lines.map((line) => JSON.parse(line)),
    counts: Object.fromEntries(counts.flatMap(([, name, n]) => (n === '0' ? [] : [[name, n]]))),
    denied,
  };
}

for (const dimension of velocityDimensions) {
  test(`velocity PAY-I7: a refusal is counted and told once, as of the ${dimension}`, async () => {
    const { about, lines, counts, denied } = await refusedAt(dimension, fixture.database);
    // No more than that: neither card, guest, address nor digest.
    assert.deepEqual(lines, [[{ limit: dimension, ...about }, LINE]]);
    assert.deepEqual(counts, {
      [`payment_velocity_refusals_total{limit="${dimension}"}`]: '1',
      'payment_moves_total{cause="submitted"}': '1',
      'payment_moves_total{cause="approved"}': '1',
      'payment_moves_total{cause="riskRefused"}': '1',
    });
    assert.equal(denied.body.denialReason, 'The card was declined. Please use another card.');
    assert.equal(denied.body.error, null);
  });
}

test('velocity PAY-I8: a refusal whose COMMIT was not answered is counted once', async () => {
  const lost = new Set<string>();
  const database: Database = {
    ...fixture.database,
    async transaction(run, options) {
      const result = await fixture.database.transaction(run, options);
      // What an intent answers, when it is the first to be recorded.
      const [{ guid } = {}] = result as { guid?: string }[];
      if (!guid) return result;
      lost.add(guid);
      throw new CommitUnknownError(new Error('connection lost'));
    },
  };
  const { about, lines, counts } = await refusedAt('card', database);
  assert.equal(lost.size, 2);
  assert.deepEqual(lines, [[{ limit: 'card', ...about }, LINE]]);
  assert.equal(counts['payment_velocity_refusals_total{limit="card"}'], '1');
  assert.equal(counts['payment_moves_total{cause="riskRefused"}'], '1');
  assert.equal(counts['payment_moves_total{cause="submitted"}'], '1');
});

/** A client of its own, and its payments; each with another card and guest. */
async function partner(texts: Partial<Record<VelocityDimension, string>>) {
  const principal = await fixture.addClient();
  const key = await fixture.addKey(principal.clientId);
  const velocityLimits = limitsOf(texts);
  return async (overrides: Partial<PaymentDeps> = {}, paymentUuid = newRandomId()) => {
    made += 1;
    const cardNumber = cardNumberOf(String(420_000 + made));
    const body = await fixture.body({
      key,
      cardNumber,
      metadata: { guestIdentifier: `g-${made}` },
    });
    return await fixture.put({ principal, body, paymentUuid }, { velocityLimits, ...overrides });
  };
}

/** The database of a process that stops before its first COMMIT, until it is let go on. */
function stopping() {
  const reached = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const database: Database = {
    ...fixture.database,
    transaction: (run, options) =>
      fixture.database.transaction(
        async (sql) => {
          const result = await run(sql);
          reached.resolve();
          await goOn.promise;
          return result;
        },
        // It may stop between what it sends in one trip: the last of it need not have left.
        { ...options, isOneTrip: false },
      ),
  };
  return { database, reached: reached.promise, goOn: goOn.resolve };
}

/** Sessions that wait for a lock. */
async function waitingSessions(): Promise<number> {
  const [row] = await fixture.database.sql<[{ count: number }]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row.count;
}

test('creditCards.authorize 200 PAY-I2: who stops while recording keeps nobody waiting', async () => {
  const put = await partner({ client: '4/1h' });
  const stopped = stopping();
  const paymentUuid = newRandomId();
  const first = put({ database: stopped.database }, paymentUuid);
  await stopped.reached;
  // Counted by the same key, while the first is not committed.
  for (let nth = 0; nth < 2; nth += 1) {
    assert.equal((await put()).body.paymentState, 'AUTHORIZED');
  }
  stopped.goOn();
  assert.equal((await first).body.paymentState, 'AUTHORIZED');
  assert.equal((await put()).body.paymentState, 'AUTHORIZED');
  assert.equal((await put()).body.paymentState, 'DENIED', 'each was counted once');
});

test('creditCards.authorize 200 PAY-7: a payment that could not be recorded is counted once', async () => {
  const put = await partner({ client: '2/1h' });
  const paymentUuid = newRandomId();
  const database: Database = {
    ...fixture.database,
    transaction: () => Promise.reject(new CommitUnknownError(new Error('connection lost'))),
  };
  for (let nth = 0; nth < 3; nth += 1) {
    assert.equal((await put({ database }, paymentUuid)).status, 503);
  }
  assert.equal((await put({}, paymentUuid)).body.paymentState, 'AUTHORIZED');
  assert.equal((await put()).body.paymentState, 'AUTHORIZED');
  assert.equal((await put()).body.paymentState, 'DENIED');
});

test('creditCards.authorize 200 PAY-7: a repeat waits for nobody who is counted', async () => {
  const known = { paymentUuid: newRandomId(), body: await fixture.body() };
  const velocityLimits = limitsOf({ client: '1000/1h' });
  const shown = await fixture.put(known, { velocityLimits });
  await fixture.database.transaction(async (transaction) => {
    await transaction`select from velocity_count for update`;
    const repeat = await fixture.put(known, { velocityLimits });
    assert.equal(repeat.text, shown.text);
  });
});

test('creditCards.authorize 200 PAY-7: of two identical PUTs at once one is counted', async () => {
  made += 1;
  const body = await fixture.body({ cardNumber: cardNumberOf(String(430_000 + made)) });
  const velocityLimits = limitsOf({ card: '3/1h' });
  const put = async (paymentUuid = newRandomId()) =>
    (await fixture.put({ paymentUuid, body }, { velocityLimits })).body.paymentState;
  assert.equal(await put(), 'AUTHORIZED');
  const release = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holding = fixture.database.transaction(async (transaction) => {
    await transaction`select from velocity_count for update`;
    isHeld.resolve();
    await release.promise;
  });
  await isHeld.promise;
  const paymentUuid = newRandomId();
  const both = Promise.all([put(paymentUuid), put(paymentUuid)]);
  // Both have found that the payment is not there, and are about to count it.
  await until('both wait', async () => (await waitingSessions()) === 2);
  release.resolve();
  await holding;
  for (const state of await both) assert.match(state, /^(AUTHORIZED|ACKNOWLEDGED)$/);
  assert.equal(
    (await listEvents(fixture.database.sql, fixture.merchant.guid, paymentUuid)).length,
    2,
  );
  assert.deepEqual([await put(), await put()], ['AUTHORIZED', 'DENIED']);
});
