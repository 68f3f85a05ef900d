import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Servery } from '@servery/client';
import { type RemotePlatform, useRemotePlatform } from '../../cli/test/remote-platform.ts';
import { cardOf, guest } from '../../client/test/sandbox.ts';
import { type EventOf, openSandbox } from '../src/index.ts';
import { teardown } from '../src/setup.ts';

const from = { sandbox: 'main' };
let platform: RemotePlatform;
let kept: NodeJS.ProcessEnv;
after(async () => {
  await teardown();
  process.env = kept;
});
useRemotePlatform((shared) => {
  platform = shared;
  const { baseUrl, clients } = platform.demo;
  kept = { ...process.env };
  Object.assign(process.env, {
    SERVERY_TESTING_URL: baseUrl,
    SERVERY_TESTING_CLIENT_ID: clients.operator.clientId,
    SERVERY_TESTING_CLIENT_SECRET: clients.operator.clientSecret,
  });
  // As if this process ran all tests itself.
  delete process.env.NODE_TEST_CONTEXT;
});

test('testing: a moved clock, a fault and webhooks stay in the sandbox of the test', async () => {
  await using sandbox = await openSandbox({ from });
  await using other = await openSandbox({ from });
  const { servery, clock, faults, webhooks } = sandbox;
  const card = cardOf();

  await faults.once('payments.authorize', 'lostAnswer');
  const answer = await servery.payments.authorize({ amount: 12.5, card, guest });
  assert.equal(answer.outcome, 'approved');
  const asked = (await sandbox.requests()).map(({ operation, fault }) => [operation, fault]);
  assert.deepEqual(asked.slice(0, 3), [
    ['auth.token', null],
    ['platform.cardEncryptionKeys.list', null],
    ['creditCards.authorize', 'lostAnswer'],
  ]);

  const { nextDeadline } = await clock.get();
  const { clock: moved } = await clock.next();
  // It has gone on since.
  const sinceMs = Date.parse(moved.now) - Date.parse(nextDeadline?.at ?? '');
  assert.ok(sinceMs >= 0 && sinceMs < 300_000, `${sinceMs} ms after the deadline`);
  await clock.advance('PT5M');
  const { paymentUuid } = answer.payment;
  const where = ({ details }: EventOf<'payment_updated'>) => details.paymentUuid === paymentUuid;
  // Of its two events, the one that came first is left.
  const statuses = new Set<string>();
  const isSecond = (event: EventOf<'payment_updated'>) =>
    where(event) && statuses.add(event.details.paymentStatus).size === 2;
  await webhooks.next('payment_updated', { where: isSecond });
  const never = { where: () => false, timeoutMs: 1 };
  const told = new RegExp(`What came: payment_updated { .*paymentUuid: ${paymentUuid}, .* }`);
  await assert.rejects(webhooks.next('payment_updated', never), told);
  const event = await webhooks.next('payment_updated', { where });
  assert.equal(event.details.reason, 'UNAPPLIED');

  await clock.advance('P2D');
  const late = await servery.payments.authorize({ amount: 3, card, guest });
  assert.equal(late.outcome, 'approved', 'the client knows the moved time');
  await assert.rejects(
    other.webhooks.next('payment_updated', { timeoutMs: 1 }),
    /^Error: No payment_updated came within 0.001 seconds\.$/,
  );
  assert.deepEqual(await other.requests(), []);

  const wrong = other.webhooks.next('payment_update' as 'payment_updated');
  await assert.rejects(
    wrong,
    /There is no event type "payment_update"\. Is "payment_updated" meant/,
  );
  const were: object = { were: () => true };
  await assert.rejects(
    other.webhooks.next('in_stock', were),
    /no option "were"\. Is "where" meant/,
  );
});

test('testing: a refusal comes with its rule, and nothing is left of a dropped sandbox', async () => {
  const sandbox = await openSandbox({ from });
  const { clientId, clientSecret } = sandbox.demo.clients.readOnly;
  const readOnly = new Servery({ ...sandbox.account, clientId, clientSecret });
  await assert.rejects(readOnly.stock.update([]), { status: 403 });
  const [refused] = (await sandbox.requests()).filter(({ refusal }) => refusal);
  assert.deepEqual([refused?.refusal?.scope, refused?.rule], ['stock:write', 'API-4']);

  await sandbox.drop();
  await assert.rejects(sandbox.clock.get(), { status: 404 });
  assert.deepEqual(await platform.json(['sandbox', 'list']), []);
});

test('testing: what can’t be made is said in a sentence', async () => {
  await assert.rejects(openSandbox({ from: { sandbox: 'nobody' } }), /There is no sandbox nobody/);
});
