import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { PaymentsEvent } from '@servery/contract';
import fc from 'fast-check';
import { makeMove } from '../../src/payments/life/outcome.ts';
import { ofVoidedOrder } from '../../src/payments/life/payment-events.ts';
import { recordMoveWithin } from '../../src/payments/life/record.ts';
import {
  queueRestaurantEvents,
  type RestaurantNews,
} from '../../src/webhooks/delivery/queue-restaurant-events.ts';
import { insertListener, listPaymentBodies } from './event-fixture-store.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { beginLife, type Life } from './life.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
  const { database, client, merchant, clock } = fixture;
  const now = new Date(clock.nowMs());
  await insertListener(database.sql, client.clientId, merchant.guid, now);
  const stranger = await fixture.addClient();
  await insertListener(database.sql, stranger.clientId, merchant.guid, now);
});
after(() => fixture.close());

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

async function told({ key }: Life) {
  const bodies = await listPaymentBodies(fixture.database.sql, key.paymentUuid);
  return bodies.map((body) => {
    const { paymentStatus, reason } = (JSON.parse(body) as PaymentsEvent).details;
    return [paymentStatus, reason];
  });
}

async function newLife(): Promise<Life> {
  const life = beginLife(fixture);
  await life.put();
  return life;
}

test('payments HOOK-5: a hold that no check took, or that nobody captured, says why it is voided', async () => {
  const unapplied = await newLife();
  await unapplied.advance(5 * MINUTE_MS);
  await unapplied.sweep();
  assert.deepEqual(await told(unapplied), [
    ['PROCESSING_VOID', 'UNAPPLIED'],
    ['VOIDED', 'UNAPPLIED'],
  ]);
  const uncaptured = await newLife();
  await uncaptured.apply();
  assert.deepEqual(await told(uncaptured), [], 'a check took it: its status is the same');
  await uncaptured.advance(7 * DAY_MS);
  await uncaptured.sweep();
  assert.deepEqual(await told(uncaptured), [
    ['PROCESSING_VOID', 'UNCAPTURED'],
    ['VOIDED', 'UNCAPTURED'],
  ]);
});

test('payments HOOK-5 PAY-17: a changed tip is told, and the captured one in the end', async () => {
  const life = await newLife();
  await life.apply();
  await life.tip(0);
  await life.tip(0);
  const [body, ...others] = await listPaymentBodies(fixture.database.sql, life.key.paymentUuid);
  const { paymentStatus, tipAmount } = (JSON.parse(body ?? '') as PaymentsEvent).details;
  assert.deepEqual([paymentStatus, tipAmount, others], ['AUTHORIZED', 0, []]);
});

test('payments HOOK-5: a hold that is voided with its order says so, until the end', async () => {
  const life = await newLife();
  const applied = await life.apply();
  const move = makeMove('voidedOnPointOfSale', fixture.clock.nowMs(), {
    change: { voidReason: 'The guest left.' },
    details: ofVoidedOrder,
  });
  await fixture.database.transaction(async (sql) => {
    const news: RestaurantNews[] = [];
    await recordMoveWithin(sql, applied, move, news);
    await queueRestaurantEvents(sql, ...news);
  });
  await life.sweep();
  assert.deepEqual(await told(life), [
    ['PROCESSING_VOID', 'ORDER_VOIDED'],
    ['VOIDED', 'ORDER_VOIDED'],
  ]);
});

test('payments HOOK-3: whatever becomes of a payment, its events have the fields of their schema alone', async () => {
  const moves = fc.array(fc.constantFrom('apply', 'fulfil', 'capture', 'void', 'wait'), {
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(moves, async (drawn) => {
      const life = await newLife();
      for (const move of drawn) {
        // A move that the state forbids is refused, and tells nothing.
        if (move === 'wait') await life.advance(5 * MINUTE_MS);
        else await life[move]().catch(() => undefined);
      }
      const statuses = await told(life);
      for (const [index, [status]] of statuses.entries()) {
        assert.notEqual(status, statuses[index - 1]?.[0], 'each event tells a change');
      }
      for (const body of await listPaymentBodies(fixture.database.sql, life.key.paymentUuid)) {
        const event = JSON.parse(body) as PaymentsEvent;
        assert.deepEqual(Object.keys(event), [
          ...['timestamp', 'eventCategory', 'eventType', 'guid', 'details'],
        ]);
        assert.deepEqual(Object.keys(event.details), [
          ...['restaurantGuid', 'paymentUuid', 'orderGuid', 'checkGuid', 'type', 'paymentStatus'],
          ...['amount', 'tipAmount', 'reason'],
        ]);
      }
    }),
    { numRuns: 10 },
  );
});
