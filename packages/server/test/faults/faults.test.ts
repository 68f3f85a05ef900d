import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { FaultRule, FaultRules as RulesOnWire } from '@servery/contract';
import { verify } from '@servery/webhooks';
import { openTestReceiver, type TestReceiver } from '../webhooks/webhook-receiver.ts';
import { type FaultFixture, openFaultFixture, type Sending, until } from './fixture.ts';
import { loseAnswers, putPayment } from './lose-answers.ts';

/** `npm run lost-answers` loses ten thousand. */
const LOST_ANSWERS = 200;
const MENUS = '/config/v2/menus';
const ITEMS = '/config/v2/menuItems';
const STOCK = '/stock/v1/inventory';

let fixture: FaultFixture;
let receiver: TestReceiver;
before(async () => {
  fixture = await openFaultFixture();
  receiver = await openTestReceiver();
});
after(async () => {
  await fixture.close();
  await receiver.close();
});

const order = (fields: object, platform = 0): Promise<FaultRule> =>
  fixture.office('POST', '/faults', fields, platform);
const clear = (): Promise<RulesOnWire> =>
  fixture.office('PUT', '/faults/profile', { profile: 'perfect' });
const get = (place: string, sending?: Sending) => fixture.send('GET', place, sending);
const injected = (seen: { headers: Record<string, unknown> } | null) =>
  seen?.headers['platform-sandbox-fault'];

/** Sells an item out, with a fault for the one request; tells what came and what is stored. */
async function sellOut(fault: string, sending: Sending = {}) {
  const { body } = (await get(ITEMS)) ?? {};
  const { guid } = body[sold] as { guid: string };
  sold += 1;
  const sent = [{ guid, status: 'OUT_OF_STOCK' }];
  const path = `${STOCK}/update`;
  const seen = await fixture.send('PUT', path, { body: sent, fault, ...sending });
  const search = await fixture.send('POST', `${STOCK}/search`, { body: { guids: [guid] } });
  return { seen, status: search?.body[0]?.status ?? 'IN_STOCK' };
}
let sold = 0;

const pay = (paymentUuid: string, sending?: Sending) => putPayment(fixture, paymentUuid, sending);

test('faults before the handler: the partner sees the error, and nothing is done', async () => {
  const errors = [
    ['status', 503, /^Unavailable: the fault status=503/, '2'],
    ['status=500', 500, /^Internal|error/i, undefined],
    ['status=404', 404, /^Not found/, undefined],
    ['tooManyRequests=7', 429, /^Too many requests/, '7'],
    ['expiredToken', 401, /has expired/, undefined],
    ['revokedToken', 401, /was revoked/, undefined],
  ] as const;
  for (const [fault, status, message, retryAfter] of errors) {
    const { seen, status: stored } = await sellOut(fault);
    assert.equal(seen?.status, status, fault);
    assert.match(seen?.body.message, message);
    assert.equal(seen?.headers['retry-after'], retryAfter);
    assert.equal(injected(seen), fault === 'status' ? 'status=503' : fault);
    assert.equal(stored, 'IN_STOCK', `${fault} did something`);
  }
  // The interface of credit cards has a body of its own.
  const refused = await pay(randomUUID(), { fault: 'status=500' });
  assert.deepEqual(Object.keys(refused?.body), ['description']);
  for (const fault of ['droppedConnection', 'hang']) {
    const { seen, status } = await sellOut(fault, { giveUpAfterMs: 400 });
    assert.deepEqual([seen, status], [null, 'IN_STOCK'], fault);
  }
  const startedMs = performance.now();
  const { seen, status } = await sellOut('latency=PT0.3S');
  assert.ok(performance.now() - startedMs >= 300);
  assert.deepEqual([seen?.status, status], [200, 'OUT_OF_STOCK']);
});

test('creditCards.authorize: the processor does what it is asked, and does not answer', async () => {
  const count = (await fixture.holds()).length;
  // The platform goes on waiting for fifteen seconds, beside the tests that follow.
  const fault = 'processorSilent';
  assert.equal(await pay(silent, { fault, giveUpAfterMs: 500 }), null);
  await until('the hold', fixture.holds, (holds) => holds.length === count + 1);
  assert.equal((await fixture.paymentOf(silent)).paymentState, 'PENDING');
});
const silent = randomUUID();

test('faults after the commit: the request is done, and its answer does not arrive', async () => {
  const lost = await sellOut('lostAnswer');
  assert.deepEqual([lost.seen, lost.status], [null, 'OUT_OF_STOCK']);
  const cut = await sellOut('truncatedAnswer');
  assert.equal(cut.status, 'OUT_OF_STOCK');
  assert.equal(injected(cut.seen), 'truncatedAnswer');
  const announced = Number(cut.seen?.headers['content-length']);
  assert.ok(cut.seen?.cutAfter !== null && Number(cut.seen?.cutAfter) < announced);
  const startedMs = performance.now();
  const slow = await sellOut('slowBody=PT0.3S');
  assert.ok(performance.now() - startedMs >= 250);
  assert.deepEqual([slow.seen?.status, slow.status], [200, 'OUT_OF_STOCK']);
  // Served twice: the second time it is the repeat of a payment, and there is one hold.
  const paymentUuid = randomUUID();
  const before = (await fixture.holds()).length;
  const twice = await pay(paymentUuid, { fault: 'duplicatedRequest' });
  assert.equal(twice?.status, 200);
  assert.equal(injected(twice), 'duplicatedRequest');
  assert.equal((await fixture.holds()).length, before + 1);
});

test('creditCards.authorize: a lost answer and the same PUT again make exactly one hold', async () => {
  const { states, holds, payments } = await loseAnswers(fixture, LOST_ANSWERS);
  assert.deepEqual([...states], [['AUTHORIZED', LOST_ANSWERS]]);
  assert.deepEqual([holds, payments], [LOST_ANSWERS, LOST_ANSWERS]);
});

test('configuration.menuItems.list 409: a publication comes between two pages', async () => {
  const first = await get(ITEMS);
  const token = String(first?.headers['platform-next-page-token']);
  const place = `${ITEMS}?pageToken=${token}`;
  const numberOf = async () =>
    (await fixture.office('GET', `/restaurants/${fixture.restaurant}`)).publishNumber as number;
  const number = await numberOf();
  assert.equal((await get(place))?.status, 200);
  await order({ fault: { kind: 'publicationBetweenPages' } });
  assert.equal((await get(MENUS))?.status, 200, 'it is no later page');
  const refused = await get(place);
  assert.equal(refused?.status, 409);
  assert.match(refused?.body.message, /start again at the first page/);
  assert.equal(await numberOf(), number + 1);
  const again = await get(ITEMS);
  const next = String(again?.headers['platform-next-page-token']);
  assert.equal((await get(`${ITEMS}?pageToken=${next}`))?.status, 200);
});

test('configuration.menus.list 200 API-9: a page has an unknown field and an unknown value', async () => {
  const plain = await get(MENUS);
  const seen = await get(MENUS, { fault: 'unknownValues' });
  assert.equal(seen?.status, 200);
  const [first, ...rest] = (seen?.body ?? []) as Record<string, unknown>[];
  const [known, ...others] = (plain?.body ?? []) as Record<string, unknown>[];
  assert.deepEqual(rest, others);
  const differing = Object.keys(first ?? {}).filter(
    (name) => JSON.stringify(first?.[name]) !== JSON.stringify(known?.[name]),
  );
  assert.equal(differing.length, 2);
  assert.ok(Object.values(first ?? {}).includes('SANDBOX_UNKNOWN_VALUE'));
  assert.deepEqual((await get(MENUS))?.body, plain?.body, 'the next page is plain again');
});

test('faults of webhooks: duplicated, held back, signed wrong, lost and sent later', async () => {
  const { clientId } = fixture.demo.clients.other;
  const path = `/faults/${randomUUID()}`;
  const { endpoint, secret } = await fixture.office('POST', '/webhooks/endpoints', {
    ...{ clientId, url: receiver.url(path), connectTimeoutMs: 10_000, answerTimeoutMs: 30_000 },
    isOrdered: false,
  });
  const got = () => receiver.received.filter((each) => each.path === path);
  const ids = () => got().map(({ headers }) => headers['webhook-id']);
  const trigger = () =>
    fixture.office('POST', `/webhooks/endpoints/${endpoint.guid}/test`, {
      eventType: 'partner_added',
    });
  const arrived = (count: number) =>
    until(
      `${count} deliveries`,
      async () => got().length,
      (found) => found >= count,
    );
  const match = { client: clientId };
  const isSound = (at: number) => {
    const { headers = {}, body = '' } = got().at(at) ?? {};
    return verify({ headers: headers as Record<string, string>, body, secrets: secret }).isValid;
  };

  await order({ match, fault: { kind: 'duplicateEvent' } });
  await trigger();
  await arrived(2);
  assert.equal(new Set(ids()).size, 1);
  assert.ok(isSound(0) && isSound(1));

  await order({ match, fault: { kind: 'wrongSignature' } });
  await trigger();
  await arrived(3);
  assert.equal(isSound(2), false);

  // The event is held back, and the next one overtakes it.
  const advance = (duration: string) => fixture.office('POST', '/clock/advance', { duration });
  await fixture.office('POST', '/clock/freeze');
  await order({ match, fault: { kind: 'shuffledEvents', duration: 'PT30S' } });
  const first = await trigger();
  const second = await trigger();
  await arrived(4);
  assert.deepEqual(ids().slice(3), [second.eventGuid]);
  await advance('PT30S');
  await arrived(5);
  assert.deepEqual(ids().slice(3), [second.eventGuid, first.eventGuid]);

  await order({ match, fault: { kind: 'delayedEvent', duration: 'PT1M' } });
  const delayed = await trigger();
  await until('the rule', fixture.rules, ({ rules }) => rules.at(-1)?.injected === 1);
  await advance('PT59S');
  assert.equal(got().length, 5);
  await advance('PT1S');
  await arrived(6);
  assert.equal(ids()[5], delayed.eventGuid);

  await order({ match, fault: { kind: 'lostEvent' } });
  const lost = await trigger();
  const attempted = () => fixture.office('GET', `/webhooks/deliveries/${lost.guid}`);
  const tried = await until('the attempt', attempted, ({ attempts }) => attempts.length > 0);
  assert.deepEqual([got().length, tried.attempts[0].outcome], [6, 'ANSWER_TIMEOUT']);
  await fixture.office('POST', '/clock/advance', { duration: 'PT10M' });
  await arrived(7);
  assert.equal(ids()[6], lost.eventGuid);
  assert.ok(isSound(6));
  await fixture.office('POST', '/clock/run');
  await clear();
});

test('faults of the processor: what the guest gets, and what the processor holds', async () => {
  const stateOf = async (paymentUuid: string) =>
    (await fixture.paymentOf(paymentUuid)).paymentState;
  const reach = { restaurant: fixture.restaurant, client: fixture.demo.clients.partner.clientId };

  const declined = randomUUID();
  await order({ match: reach, fault: { kind: 'decline', code: '51' } });
  assert.equal((await pay(declined))?.body.paymentState, 'DENIED');
  assert.equal((await fixture.paymentOf(declined)).responseCode, '51');
  assert.equal((await fixture.holds()).at(-1)?.state, 'DECLINED');

  // By the header, for the one payment.
  const other = randomUUID();
  const before = (await fixture.holds()).length;
  const mismatched = await pay(other, { fault: 'otherAmount=7.5' });
  assert.equal(injected(mismatched), 'otherAmount=7.5');
  const held = (await fixture.holds()).slice(before);
  assert.deepEqual(
    held.map(({ amountMinor }) => amountMinor),
    [1_000],
  );
  await until(
    'the reversal',
    () => stateOf(other),
    (state) => state === 'REVERSED',
  );
  assert.equal((await fixture.holds())[before]?.state, 'VOIDED');

  const late = randomUUID();
  const beforeLate = (await fixture.holds()).length;
  await order({ fault: { kind: 'lateApproval' } });
  await pay(late);
  await until(
    'the inquiry',
    () => stateOf(late),
    (state) => state !== 'PENDING',
  );
  await until(
    'the late hold',
    async () => (await fixture.holds()).length,
    (count) => count === beforeLate + 1,
  );

  const unreached = randomUUID();
  const count = (await fixture.holds()).length;
  await order({ fault: { kind: 'processorUnreachable', call: 'authorize' } });
  const failed = await pay(unreached);
  assert.equal(failed?.status, 500);
  assert.match(failed?.body.description, /not processed and no funds are held/);
  assert.equal((await fixture.holds()).length, count);
  const repeated = await pay(unreached);
  assert.equal(repeated?.body.paymentState, 'AUTHORIZED');

  const refused = unreached;
  const move = (name: string, body?: object) =>
    fixture.office('POST', `/merchants/${fixture.restaurant}/payments/${refused}/${name}`, body);
  const capturedCount = async () =>
    (await fixture.holds()).filter(({ state }) => state === 'CAPTURED').length;
  const capturedBefore = await capturedCount();
  await order({ fault: { kind: 'captureRefused', code: '05' } });
  await move('apply', { checkGuid: randomUUID() });
  await move('fulfil');
  const captured = await move('capture');
  assert.notEqual(captured.paymentState, 'CAPTURED');
  assert.equal(await capturedCount(), capturedBefore);
  await clear();
});

test('backOffice.faults.list 200: a rule ends by itself, and two processes do not exceed it', async () => {
  await clear();
  const rule = await order({
    match: { operation: 'configuration.menus.list' },
    ...{ fault: { kind: 'status', status: 503 }, times: 7 },
  });
  assert.equal((await get(MENUS))?.status, 503, 'the process that was asked knows it at once');
  const both = async () => (await get(MENUS, { platform: 1 }))?.status;
  const startedMs = performance.now();
  await until('the other process', both, (status) => status === 503);
  assert.ok(performance.now() - startedMs < 1_000, 'within a second');
  const statuses = await Promise.all(
    Array.from({ length: 40 }, (_, at) => get(MENUS, { platform: at % 2 })),
  );
  const failed = statuses.filter((seen) => seen?.status === 503).length;
  assert.equal(failed, 5);
  const { rules } = await fixture.rules();
  const [ended] = rules;
  assert.deepEqual(
    [rules.length, ended?.guid, ended?.injected, ended?.remaining, ended?.matchesNothing],
    [1, rule.guid, 7, 0, false],
  );
  assert.ok(ended?.lastMatchedAt);
  assert.equal((await get(MENUS))?.status, 200);
});

test('backOffice.faults.add 200: the same seed has the same sequence, another one another', async () => {
  const sequence = async (seed: number) => {
    await clear();
    await order({ fault: { kind: 'status' }, rate: 0.5, seed });
    const seen: (number | undefined)[] = [];
    for (let count = 0; count < 24; count += 1) seen.push((await get(MENUS))?.status);
    return seen.join(' ');
  };
  const [first, again, other] = [await sequence(7), await sequence(7), await sequence(8)];
  assert.equal(first, again);
  assert.notEqual(first, other);
  assert.match(first, /503/);
  assert.match(first, /200/);
});

test('backOffice.faults.setProfile 200: a seeded mixture replaces all rules', async () => {
  await order({ fault: { kind: 'hang' }, times: 1_000 });
  const sequence = async () => {
    const { profile, rules }: RulesOnWire = await fixture.office('PUT', '/faults/profile', {
      ...{ profile: 'bad-friday', seed: 3 },
    });
    assert.equal(profile, 'bad-friday');
    assert.ok(rules.length > 10 && rules.every((rule) => rule.profile === 'bad-friday'));
    const seen: unknown[] = [];
    for (let count = 0; count < 30; count += 1) seen.push(injected(await get(MENUS)) ?? null);
    return JSON.stringify(seen);
  };
  const first = await sequence();
  assert.equal(await sequence(), first);
  assert.match(first, /=|[a-z]{5}/);
  assert.deepEqual(await clear(), { profile: 'perfect', rules: [] });
});

test('backOffice.faults.remove 200: no shortcut bypasses a rule, and it is gone at once', async () => {
  // Equal reads are answered from memory.
  for (let count = 0; count < 3; count += 1) assert.equal((await get(MENUS))?.status, 200);
  const match = { client: fixture.demo.clients.partner.clientId };
  const rule = await order({ match, fault: { kind: 'status', status: 409 }, times: 1_000 });
  assert.equal((await get(MENUS))?.status, 409);
  assert.equal((await get(MENUS, { as: 'readOnly' }))?.status, 200, 'it is another client');
  assert.deepEqual((await fixture.office('DELETE', `/faults/${rule.guid}`)).rules, []);
  assert.equal((await get(MENUS))?.status, 200);
  assert.equal((await get(MENUS, { fault: 'status=409' }))?.status, 409);
});

test('backOffice.requests.get 200: the log of requests tells which fault touched one', async () => {
  const seen = await get(MENUS, { fault: 'status=409' });
  const requestId = String(seen?.headers['platform-request-id']);
  const page = await until(
    'the log',
    () => fixture.office('GET', `/requests?requestId=${requestId}`),
    ({ results }) => results.length === 1,
  );
  assert.equal(page.results[0].fault, 'status=409');
});

test('a header that names no fault, or one that cannot happen, is a 400 that says what can', async () => {
  for (const [fault, text] of [
    ['earthquake', /names no fault\. The faults are: status, tooManyRequests, .*lostAnswer/],
    ['status=200', /the value of status must be one of 400, 401/],
    ['latency=PT1H', /the value of latency must be an ISO 8601 duration of at most two minutes/],
    ['lostAnswer=1', /gives lostAnswer a value, and it takes none/],
    ['delayedEvent', /orders delayedEvent, which touches no request/],
    ['decline', /orders decline, which touches no call of this request to the processor/],
    ['publicationBetweenPages', /which needs a later page: send a pageToken/],
  ] as const) {
    const seen = await get(MENUS, { fault });
    assert.equal(seen?.status, 400, fault);
    assert.match(seen?.body.message, text);
    assert.equal(injected(seen), undefined);
  }
});

test('backOffice.faults.add 422: an order that makes no sense is refused with what does', async () => {
  for (const [body, text] of [
    [{ fault: { kind: 'rain' } }, /fault\.kind must be one of status, .*processorUnreachable/],
    [{ fault: { kind: 'status', code: '05' } }, /fault\.code does not go with status/],
    [{ fault: { kind: 'latency', duration: 'P1Y' } }, /fault\.duration must be an ISO 8601/],
    [{ fault: { kind: 'hang' }, times: 1, rate: 0.5 }, /rate does not go with times/],
    [{ fault: { kind: 'hang' }, match: { operation: 'stock.x' } }, /stock\.list, stock\.search/],
    [{ fault: { kind: 'hang' }, match: { operation: 'backOffice.faults.list' } }, /always works/],
    [
      { fault: { kind: 'lostEvent' }, match: { operation: 'stock.list' } },
      /operation must be left out, because lostEvent touches no request, only events/,
    ],
    [
      { fault: { kind: 'decline' }, match: { operation: 'creditCards.authorize' } },
      /touches no request, only calls to the processor: match a client or a restaurant/,
    ],
    [
      { fault: { kind: 'unknownValues' }, match: { operation: 'creditCards.authorize' } },
      /operation must be an operation that returns a list, for example stock\.list, /,
    ],
    [
      { fault: { kind: 'publicationBetweenPages' }, match: { operation: 'stock.list' } },
      /that returns the configuration in pages, for example configuration\.\w+\.list/,
    ],
    [
      { fault: { kind: 'expiredToken' }, match: { operation: 'auth.login' } },
      /that takes a token, for example /,
    ],
    [
      { fault: { kind: 'hang' }, match: { operation: 'backOffice.requests.stream' } },
      /health check, a page of the documentation, or a stream/,
    ],
    [
      {
        fault: { kind: 'hang' },
        match: { operation: 'auth.login', client: fixture.demo.clients.partner.clientId },
      },
      /client must be left out, because auth\.login takes no token of a client/,
    ],
    [
      {
        fault: { kind: 'hang' },
        match: { operation: 'platform.whoami', restaurant: fixture.restaurant },
      },
      /restaurant must be left out, because platform\.whoami is of no restaurant/,
    ],
    [{ fault: { kind: 'hang' }, match: { client: 'nobody' } }, /id of an API account/],
    [{ fault: { kind: 'hang' }, match: { restaurant: randomUUID() } }, /GUID of a restaurant/],
  ] as const) {
    const path = '/backoffice/v1/faults';
    const seen = await fixture.send('POST', path, { as: 'operator', body });
    assert.equal(seen?.status, 422, JSON.stringify(body));
    assert.match(seen?.body.message, text);
  }
  assert.deepEqual((await fixture.rules()).rules, []);
});
