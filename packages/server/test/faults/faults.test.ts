import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type FaultRule, faultKindNames, type FaultRules as RulesOnWire } from '@servery/contract';
import { type FaultFixture, type Seen, type Sending, until } from './fixture.ts';
import { loseAnswers, putPayment } from './lose-answers.ts';
import { differencesOf, trials } from './trials.ts';
import { openTrialStage, type TrialStage } from './try-faults.ts';

/** `npm run lost-answers` loses ten thousand. */
const LOST_ANSWERS = 16;
const MENUS = '/config/v2/menus';

let stage: TrialStage;
let fixture: FaultFixture;
before(async () => {
  stage = await openTrialStage();
  fixture = stage.fixture;
});
after(() => stage.close());

const order = (fields: object, platform = 0): Promise<FaultRule> =>
  fixture.office('POST', '/faults', fields, platform);
const clear = (): Promise<RulesOnWire> =>
  fixture.office('PUT', '/faults/profile', { profile: 'perfect' });
const get = (place: string, sending?: Sending) => fixture.send('GET', place, sending);
const injected = (seen: { headers: Record<string, unknown> } | null) =>
  seen?.headers['platform-sandbox-fault'];

for (const trial of trials) {
  test(`the fault ${trial.name}: the partner sees it, and the platform has what it should`, async (t) => {
    const tried = await trial.run(stage);
    t.diagnostic(`${tried.partner}; ${tried.platform}`);
    assert.deepEqual(differencesOf(trial, tried), []);
  });
}

test('every fault that can be ordered is tried', () => {
  assert.deepEqual(new Set(trials.map(({ kind }) => kind)), new Set(faultKindNames));
});

test('creditCards.authorize 500: an ordered error has the body of that interface', async () => {
  const refused = await putPayment(fixture, randomUUID(), { fault: 'status=500' });
  assert.deepEqual(Object.keys(refused?.body), ['description']);
});

test('creditCards.authorize 200: a payment that did not reach the processor can be repeated', async () => {
  const paymentUuid = randomUUID();
  await order({ fault: { kind: 'processorUnreachable', call: 'authorize' } });
  assert.equal((await putPayment(fixture, paymentUuid))?.status, 500);
  const repeated = await putPayment(fixture, paymentUuid);
  assert.equal(repeated?.body.paymentState, 'AUTHORIZED');
});

test('creditCards.authorize: a lost answer and the same PUT again make exactly one hold', async () => {
  const { states, holds, payments } = await loseAnswers(fixture, LOST_ANSWERS);
  assert.deepEqual([...states], [['AUTHORIZED', LOST_ANSWERS]]);
  assert.deepEqual([holds, payments], [LOST_ANSWERS, LOST_ANSWERS]);
});

test('backOffice.faults.list 200: a rule ends by itself, and two processes do not exceed it', async () => {
  await clear();
  const rule = await order({
    match: { operation: 'configuration.menus.list' },
    ...{ fault: { kind: 'status', status: 503 }, times: 7 },
  });
  assert.equal((await get(MENUS))?.status, 503, 'the process that was asked knows it at once');
  const both = async () => (await get(MENUS, { platform: 1 }))?.status;
  await until('the other process', both, (status) => status === 503);
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
    for (let count = 0; count < 12; count += 1) seen.push((await get(MENUS))?.status);
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
    for (let count = 0; count < 15; count += 1) seen.push(injected(await get(MENUS)) ?? null);
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

test('backOffice.requests.get 200: the log of requests tells which faults touched one', async () => {
  const logged = async (seen: Seen | null) => {
    const requestId = String(seen?.headers['platform-request-id']);
    const page = await until(
      'the log',
      () => fixture.office('GET', `/requests?requestId=${requestId}`),
      ({ results }) => results.length === 1,
    );
    return page.results[0].fault;
  };
  assert.equal(await logged(await get(MENUS, { fault: 'status=409' })), 'status=409');
  await order({ fault: { kind: 'decline', code: '51' } });
  const denied = await putPayment(fixture, randomUUID(), { fault: 'duplicatedRequest' });
  assert.equal(injected(denied), 'duplicatedRequest, decline=51');
  assert.equal(await logged(denied), injected(denied));
  await clear();
});

test('creditCards.authorize 200: a fault that its header ordered and that had no call to happen to is not named', async () => {
  const paymentUuid = randomUUID();
  const body = await fixture.payment();
  assert.equal(injected(await putPayment(fixture, paymentUuid, { body })), undefined);
  const repeated = await putPayment(fixture, paymentUuid, { body, fault: 'decline' });
  assert.equal(repeated?.body.paymentState, 'AUTHORIZED');
  assert.equal(injected(repeated), undefined);
});

test('a header that names no fault, or one that cannot happen, is a 400 that says what can', async () => {
  for (const [fault, text] of [
    ['earthquake', /names no fault\. Write, for example, lostAnswer or latency=PT2S\. .*lists all/],
    ['lostAnswr', /names no fault\. Did you mean lostAnswer\? Write/],
    [
      'status=200',
      /the value of status must be one of 400, 401, .*Write, for example, status=503\./,
    ],
    ['latency=PT1H', /the value of latency must be an ISO 8601 duration of at most two minutes/],
    ['lostAnswer=1', /gives lostAnswer a value, and it takes none\. Write lostAnswer alone\./],
    ['latency=PT1S=2', /has more than one = sign\. Write, for example, latency=PT2S\./],
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
    [
      { fault: { kind: 'decline', code: '999' } },
      /fault\.code must be a response code: two digits or capital letters, for example 51\.$/,
    ],
    [{ fault: { kind: 'latency', duration: 'P1Y' } }, /fault\.duration must be an ISO 8601/],
    [{ fault: { kind: 'hang' }, times: 1, rate: 0.5 }, /rate does not go with times/],
    [{ fault: { kind: 'hang' }, match: { operation: 'stok.serch' } }, /Did you mean stock\.search/],
    [
      { fault: { kind: 'hang' }, match: { operation: 'payments.authorize' } },
      /Did you mean creditCards\.authorize/,
    ],
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
      /client must be left out, because auth\.login does not take the token of a client/,
    ],
    [
      {
        fault: { kind: 'hang' },
        match: { operation: 'platform.whoami', restaurant: fixture.restaurant },
      },
      /restaurant must be left out, because platform\.whoami is not about a restaurant/,
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
