import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Servery } from './servery.ts';

const restaurant = 'dda10e2f-6e62-5a62-b65c-eeb18a617356';
const UUID = '3f2b8c1e-5d47-4a9b-8e60-7c1d2f9a4b35';
const payment = {
  paymentUuid: UUID,
  restaurant,
  amount: 1,
  tipAmount: 0,
  body: '{"same":"bytes"}',
};

type Answer = Response | Error;
const broken = () => new TypeError('fetch failed');
const status = (paymentState: string, more = {}) =>
  Response.json({ paymentState, authorizationMetadata: null, denialReason: null, ...more });
const found = (state: string, answer: object = { status: 200, body: null }) =>
  Response.json({ state, answer });
const refusal = (code: number) =>
  Response.json({ description: 'No.', message: 'No.' }, { status: code });

/** Payments of a platform that answers PUTs and reads as the test says. */
function platform({ puts = [], reads = [] }: { puts?: Answer[]; reads?: Answer[] }) {
  const sent: unknown[] = [];
  const take = (answers: Answer[]) => {
    const answer = answers.shift() ?? refusal(418);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const servery = new Servery({
    ...{ baseUrl: 'http://platform.example', clientId: 'one', clientSecret: 'two', restaurant },
    retries: { attempts: 2, pauseMs: 1 },
    fetch: async (url, { method, body } = {}) => {
      if (String(url).endsWith('/token')) {
        return Response.json({ access_token: 'a.b.c', expires_in: 9_000 });
      }
      if (method !== 'PUT') return take(reads);
      sent.push(body);
      return take(puts);
    },
  });
  return { payments: servery.payments, sent };
}

const outcomeOf = async (answers: Parameters<typeof platform>[0], waitMs = 0) => {
  const { payments } = platform(answers);
  const answer = await payments.authorize(payment, { waitMs });
  return `${answer.outcome} ${answer.state}`;
};

test('payments: only what is known to be approved is approved', async () => {
  assert.equal(await outcomeOf({ puts: [status('AUTHORIZED')] }), 'approved AUTHORIZED');
  assert.equal(await outcomeOf({ puts: [status('DENIED')] }), 'declined DENIED');
  // A state that this version does not know.
  const puts = () => [status('HELD_BY_MOONLIGHT')];
  assert.equal(await outcomeOf({ puts: puts(), reads: [found('MOONLIT')] }), 'unknown null');
  assert.equal(await outcomeOf({ puts: puts(), reads: [found('CAPTURED')] }), 'approved CAPTURED');
  assert.equal(await outcomeOf({ puts: puts(), reads: [found('VOIDED')] }), 'declined VOIDED');
});

test('payments: an acknowledged one is read until its outcome is known', async () => {
  const answers = {
    puts: [status('ACKNOWLEDGED')],
    reads: [found('UNKNOWN'), broken(), found('AUTHORIZED')],
  };
  assert.equal(await outcomeOf(answers, 60_000), 'approved AUTHORIZED');
});

test('payments: a conflict after a lost answer is no refusal, and one before it is', async () => {
  const reads = [found('AUTHORIZED')];
  const puts = [broken(), refusal(409)];
  assert.equal(await outcomeOf({ puts, reads }), 'approved AUTHORIZED');
  await assert.rejects(outcomeOf({ puts: [refusal(409)] }), { status: 409 });
});

test('payments: after a lost answer, nothing but the platform ends the doubt', async () => {
  for (const code of [401, 403, 429]) {
    const puts = [broken(), refusal(code), refusal(code), refusal(code)];
    assert.equal(await outcomeOf({ puts }), 'unknown null', `${code}`);
  }
  assert.equal(
    await outcomeOf({ puts: [broken(), broken()], reads: [broken(), broken()] }),
    'unknown null',
  );
  // The same bytes were refused the first time.
  await assert.rejects(outcomeOf({ puts: [broken(), refusal(422)] }), { status: 422 });
});

test('payments: a platform that is busy has charged nothing, and a page of a proxy says nothing', async () => {
  await assert.rejects(outcomeOf({ puts: [refusal(503), refusal(503)] }), { status: 503 });
  const page = () => new Response('<html>');
  const answers = { puts: [page(), page()], reads: [found('AUTHORIZED')] };
  assert.equal(await outcomeOf(answers), 'approved AUTHORIZED');
});

test('payments: a failure that charged nothing is followed by the same bytes', async () => {
  const answers = {
    puts: [refusal(500), status('AUTHORIZED')],
    reads: [found('ABORTED', { status: 500, body: null })],
  };
  const { payments, sent } = platform(answers);
  assert.equal((await payments.authorize(payment, { waitMs: 0 })).outcome, 'approved');
  assert.deepEqual(sent, [payment.body, payment.body]);
});

test('payments: a call that is called off after it was sent is unknown, not an error', async () => {
  const ending = new AbortController();
  const servery = new Servery({
    ...{ baseUrl: 'http://platform.example', clientId: 'one', clientSecret: 'two', restaurant },
    fetch: async (url, init) => {
      if (String(url).endsWith('/token')) {
        return Response.json({ access_token: 'a.b.c', expires_in: 9_000 });
      }
      ending.abort(new Error('the guest left'));
      init?.signal?.throwIfAborted();
      throw broken();
    },
  });
  const answer = await servery.payments.authorize(payment, { signal: ending.signal });
  assert.equal(answer.outcome, 'unknown');
});

test('payments: nothing was sent, so a failed login is an error', async () => {
  const servery = new Servery({
    ...{ baseUrl: 'http://platform.example', clientId: 'one', clientSecret: 'two', restaurant },
    retries: { attempts: 2, pauseMs: 1 },
    fetch: async () => {
      throw broken();
    },
  });
  await assert.rejects(servery.payments.authorize(payment), { name: 'NoAnswer' });
});
