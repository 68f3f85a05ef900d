import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { verify, verifyBranded } from '@servery/webhooks';
import { maskedHeaders } from '../../src/webhooks/delivery/request-headers.ts';
import { addWebhookSecret } from '../../src/webhooks/endpoints/endpoints.ts';
import { authority, openWebhookFixture, type WebhookFixture } from './fixture.ts';
import { type Reply, reset, stall, status } from './webhook-receiver.ts';

let fixture: WebhookFixture;
before(async () => {
  fixture = await openWebhookFixture();
});
after(() => fixture.close());

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

test('deliver: an event is posted with its headers, and the first 2xx ends it', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/first');
  await partner.events(1);
  await fixture.deliver();
  const [got] = fixture.receiver.received.filter(({ path }) => path === '/first');
  const [delivery] = await endpoint.deliveries();
  assert.ok(got && delivery);
  const body = JSON.parse(got.body);
  assert.deepEqual(Object.keys(body), [
    'timestamp',
    'eventCategory',
    'eventType',
    'guid',
    'details',
  ]);
  assert.equal(got.headers['platform-event-type'], 'partner_added');
  assert.equal(got.headers['platform-event-category'], 'partner');
  assert.equal(got.headers['platform-attempt-number'], '1');
  assert.equal(got.headers['platform-replay'], undefined);
  assert.equal(got.headers['webhook-id'], body.guid);
  assert.equal(got.headers['content-type'], 'application/json');
  assert.equal(Number(got.headers['webhook-timestamp']) * SECOND_MS, fixture.realClock.nowMs());
  assert.deepEqual([delivery.state, delivery.attemptCount], ['DELIVERED', 1]);
  const [attempt] = await endpoint.attempts();
  assert.deepEqual(
    [attempt?.outcome, attempt?.status, attempt?.explanation],
    ['DELIVERED', 204, null],
  );
  await fixture.deliver();
  assert.equal(fixture.receiver.received.filter(({ path }) => path === '/first').length, 1);
});

/** What the receiver got at a path. */
const gotAt = (path: string) => fixture.receiver.received.filter((got) => got.path === path);

test('deliver: both signatures fit, and a wrong byte is refused', async () => {
  const partner = await fixture.partner();
  const { secret } = await partner.endpoint('/signed');
  await partner.events(1);
  await fixture.deliver();
  const [got] = gotAt('/signed');
  assert.ok(got);
  const options = { nowMs: fixture.realClock.nowMs() };
  const received = { headers: got.headers, body: got.body, secrets: secret };
  const wrong = { ...received, body: got.body.replace('"partner_added"', '"partner_adder"') };
  for (const check of [verify, verifyBranded]) {
    assert.equal(check(received, options).isValid, true);
    assert.equal(check(wrong, options).isValid, false);
  }
});

/** How an answer is judged: what the attempt came to, and when the next one comes, in seconds. */
const table: readonly {
  readonly name: string;
  readonly reply: Reply;
  readonly outcome: string;
  readonly status: number | null;
  /** Null for a dead letter. */
  readonly nextS: number | null;
}[] = [
  { name: '404', reply: status(404), outcome: 'STATUS', status: 404, nextS: 300 },
  { name: '429', reply: status(429), outcome: 'STATUS', status: 429, nextS: 300 },
  { name: '500', reply: status(500), outcome: 'STATUS', status: 500, nextS: 300 },
  { name: '503', reply: status(503), outcome: 'STATUS', status: 503, nextS: 300 },
  { name: '599', reply: status(599), outcome: 'STATUS', status: 599, nextS: 300 },
  { name: 'stall', reply: stall, outcome: 'ANSWER_TIMEOUT', status: null, nextS: 300 },
  { name: 'reset', reply: reset, outcome: 'RESET', status: null, nextS: 300 },
  ...[400, 401, 403, 405, 408, 409, 422].map((code) => ({
    ...{ name: `${code}`, reply: status(code), outcome: 'STATUS', status: code, nextS: null },
  })),
  ...[301, 302, 307, 308].map((code) => ({
    name: `${code}`,
    reply: status(code, { location: '/elsewhere' }),
    ...{ outcome: 'REDIRECT', status: code, nextS: null },
  })),
  {
    name: '429-in-seconds',
    reply: status(429, { 'retry-after': '1200' }),
    ...{ outcome: 'STATUS', status: 429, nextS: 1_200 },
  },
  {
    name: '503-soon',
    reply: status(503, { 'retry-after': '30' }),
    ...{ outcome: 'STATUS', status: 503, nextS: 30 },
  },
  {
    name: '429-far',
    reply: status(429, { 'retry-after': '99999999' }),
    ...{ outcome: 'STATUS', status: 429, nextS: 86_400 },
  },
  {
    name: '429-odd',
    reply: status(429, { 'retry-after': 'tomorrow' }),
    ...{ outcome: 'STATUS', status: 429, nextS: 300 },
  },
  {
    name: '429-at',
    reply: (response) => {
      const at = new Date(fixture.realClock.nowMs() + 90_000);
      response.writeHead(429, { 'retry-after': at.toUTCString() }).end();
    },
    ...{ outcome: 'STATUS', status: 429, nextS: 90 },
  },
];

for (const row of table) {
  const end = row.nextS === null ? 'is a dead letter at once' : `is retried in ${row.nextS} s`;
  test(`deliver ${row.name}: ${end}`, async () => {
    const path = `/table/${row.name}`;
    const partner = await fixture.partner();
    const endpoint = await partner.endpoint(path);
    fixture.receiver.answer(path, row.reply);
    await partner.events(1);
    const nowMs = fixture.clock.nowMs();
    await (row.reply === stall ? fixture.deliverUnanswered() : fixture.deliver());
    const [delivery] = await endpoint.deliveries();
    const [attempt] = await endpoint.attempts();
    assert.deepEqual([attempt?.outcome, attempt?.status], [row.outcome, row.status]);
    assert.equal(delivery?.state, row.nextS === null ? 'DEAD' : 'QUEUED');
    const nextMs = row.nextS === null ? null : nowMs + row.nextS * SECOND_MS;
    assert.equal(delivery?.dueAt?.getTime() ?? null, nextMs);
    assert.equal(attempt?.nextAt?.getTime() ?? null, nextMs);
    assert.ok(attempt?.explanation);
    assert.equal(gotAt('/elsewhere').length, 0, 'redirections are never followed');
    fixture.receiver.answer(path, status(200));
    await fixture.deliver();
    assert.equal((await endpoint.attempts()).length, 1, 'not before its time');
  });
}

test('deliver: what a redirection leads to is told without its secrets', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/secretive');
  const location = 'https://hooks.example.com/in?key=svs_abcdefghijklmnop';
  fixture.receiver.answer('/secretive', status(302, { location }));
  await partner.events(1);
  await fixture.deliver();
  const [attempt] = await endpoint.attempts();
  assert.match(attempt?.explanation ?? '', /^It responded with 302: .*hooks\.example\.com/);
  assert.doesNotMatch(attempt?.explanation ?? '', /svs_/);
});

test('deliver: of a long answer all is kept where it says what went wrong', async () => {
  const partner = await fixture.partner();
  const taken = await partner.endpoint('/long-taken');
  const failed = await partner.endpoint('/long-failed');
  const page = 'a page '.repeat(2_000);
  fixture.receiver.answer('/long-taken', status(200, {}, page));
  fixture.receiver.answer('/long-failed', status(500, {}, page));
  await partner.events(1);
  await fixture.deliver();
  const [[sound], [bad]] = [await taken.attempts(), await failed.attempts()];
  assert.deepEqual([sound?.answerBody, sound?.isAnswerCut], [page.slice(0, 4_096), true]);
  assert.deepEqual([bad?.answerBody, bad?.isAnswerCut], [page, false]);
});

test('deliver: a receiver that is down gets three attempts with the same bytes', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/down');
  fixture.receiver.answer('/down', status(500, {}, 'out of order'));
  await partner.events(1);
  await fixture.deliver();
  const startMs = fixture.clock.nowMs();
  fixture.clock.advance(5 * MINUTE_MS - 1);
  await fixture.deliver();
  assert.equal(gotAt('/down').length, 1);
  fixture.clock.advance(1);
  await fixture.deliver();
  fixture.clock.advance(10 * MINUTE_MS);
  await fixture.deliver();
  const [delivery] = await endpoint.deliveries();
  assert.deepEqual([delivery?.state, delivery?.attemptCount], ['DEAD', 3]);
  const attempts = await endpoint.attempts();
  assert.deepEqual(
    attempts.map(({ number, at, nextAt }) => [
      number,
      (at.getTime() - startMs) / MINUTE_MS,
      nextAt && (nextAt.getTime() - startMs) / MINUTE_MS,
    ]),
    [
      [1, 0, 5],
      [2, 5, 15],
      [3, 15, null],
    ],
  );
  assert.deepEqual(
    new Set(attempts.map(({ answerBody }) => answerBody)),
    new Set(['out of order']),
  );
  const got = gotAt('/down');
  assert.equal(new Set(got.map(({ body }) => body)).size, 1, 'the same guid, timestamp and bytes');
  assert.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.deepEqual(
    got.map(({ headers }) => headers['platform-attempt-number']),
    ['1', '2', '3'],
  );
});

test('deliver: a receiver that recovers in time loses nothing', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/recovers');
  fixture.receiver.answer('/recovers', stall, reset, status(202));
  await partner.events(1);
  await fixture.deliverUnanswered();
  fixture.clock.advance(5 * MINUTE_MS);
  await fixture.deliver();
  fixture.clock.advance(10 * MINUTE_MS);
  await fixture.deliver();
  const attempts = await endpoint.attempts();
  assert.deepEqual(
    attempts.map(({ outcome }) => outcome),
    ['ANSWER_TIMEOUT', 'RESET', 'DELIVERED'],
  );
  assert.equal((await endpoint.deliveries())[0]?.state, 'DELIVERED');
  assert.equal((await endpoint.view()).failures, 0);
});

test('deliver: nobody listens, and that is retried too', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/', { url: 'http://127.0.0.1:65001/' });
  await partner.events(1);
  await fixture.deliver();
  const [attempt] = await endpoint.attempts();
  assert.deepEqual([attempt?.outcome, attempt?.status], ['REFUSED', null]);
  assert.equal((await endpoint.deliveries())[0]?.state, 'QUEUED');
});

test('deliver: attempts keep no signature and no card number', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/chatty');
  fixture.receiver.answer('/chatty', status(200, {}, 'thanks 4111 1111 1111 1111'));
  await partner.events(1);
  await fixture.deliver();
  const [attempt] = await endpoint.attempts();
  const { headers } = gotAt('/chatty')[0] ?? assert.fail('nothing came');
  const kept = JSON.stringify(attempt);
  assert.ok(!kept.includes(String(headers['webhook-signature']).slice(3)));
  assert.ok(!kept.includes(String(headers['platform-signature'])));
  // Four digits alone may stand in a GUID or a port.
  assert.doesNotMatch(kept, /4111[ -]?1111/);
});

test('deliver: the headers of an attempt are shown as they were sent', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/shown');
  await partner.events(1);
  fixture.clock.advance(60_000);
  await fixture.deliver();
  const [delivery] = await endpoint.deliveries();
  const [attempt] = await endpoint.attempts();
  const { headers } = gotAt('/shown')[0] ?? assert.fail('nothing came');
  assert.ok(delivery && attempt);
  const shown = Object.entries(maskedHeaders('Platform', { ...delivery, ...attempt }));
  assert.equal(shown.length, 9);
  for (const [name, value] of shown.filter(([each]) => !/signature$/i.test(each))) {
    assert.equal(headers[name.toLowerCase()], value, name);
  }
});

test('deliver: each endpoint gets what it wants, and each of several gets all', async () => {
  const partner = await fixture.partner();
  const all = await partner.endpoint('/all');
  const some = await partner.endpoint('/some', { eventTypes: ['partner_updated'] });
  const other = await (await fixture.partner()).endpoint('/other');
  await partner.events(3);
  await fixture.deliver();
  const types = async (endpoint: typeof all) =>
    (await endpoint.deliveries()).map(({ eventType, state }) => `${eventType} ${state}`);
  const updates = ['partner_updated DELIVERED', 'partner_updated DELIVERED'];
  assert.deepEqual(await types(all), ['partner_added DELIVERED', ...updates]);
  assert.deepEqual(await types(some), updates);
  assert.deepEqual(await types(other), []);
});

test('deliver: when all secrets have ended, the one that lived longest goes on', async () => {
  const partner = await fixture.partner();
  const { manage, clock } = fixture;
  const nowMs = clock.nowMs();
  const secret = { label: null, expiresAt: new Date(nowMs + 2 * MINUTE_MS) };
  const endpoint = await partner.endpoint('/ended', { secret });
  const short = { label: null, expiresAt: new Date(nowMs + MINUTE_MS), othersExpireAt: null };
  await addWebhookSecret(manage, endpoint.guid, short, authority(fixture));
  clock.advance(3 * MINUTE_MS);
  await partner.events(1);
  await fixture.deliver();
  const { headers, body } = gotAt('/ended').at(-1) ?? assert.fail('nothing came');
  const at = { nowMs: fixture.realClock.nowMs() };
  assert.equal(verify({ headers, body, secrets: endpoint.secret }, at).isValid, true);
});

test('deliver: with two live secrets both sign, and a revoked one does not', async () => {
  const partner = await fixture.partner();
  const endpoint = await partner.endpoint('/rotated');
  const { manage, clock } = fixture;
  const draft = {
    label: null,
    expiresAt: null,
    othersExpireAt: new Date(clock.nowMs() + MINUTE_MS),
  };
  const next = await addWebhookSecret(manage, endpoint.guid, draft, authority(fixture));
  const isSigned = async (secret: string) => {
    await partner.events(1);
    await fixture.deliver();
    const { headers, body } = gotAt('/rotated').at(-1) ?? assert.fail('nothing came');
    return verify({ headers, body, secrets: secret }, { nowMs: fixture.realClock.nowMs() }).isValid;
  };
  assert.equal(await isSigned(endpoint.secret), true);
  assert.equal(await isSigned(next.secret), true);
  clock.advance(MINUTE_MS);
  assert.equal(await isSigned(endpoint.secret), false, 'its time is over');
  assert.equal(await isSigned(next.secret), true);
});
