import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newRandomId } from '@servery/support/ids.ts';
import { Cache } from '../../src/freshness/cache.ts';
import type { CardKeyCache } from '../../src/payments/cards/keyring.ts';
import { paymentHandlers } from '../../src/payments/partner/handlers.ts';
import { alwaysFresh } from '../freshness/caches.ts';
import { openPaymentFixture, type PaymentFixture } from './fixture.ts';
import { listPaymentIds } from './fixture-store.ts';
import { until } from './processors/orders.ts';

let fixture: PaymentFixture;
before(async () => {
  fixture = await openPaymentFixture();
});
after(() => fixture.close());

/** The test card whose answer takes so long, in milliseconds. */
const SLOW_CARD = '4000000000000077';
const SLOW_MS = 3_000;

const IN_FLIGHT = 300;

/**
 * Several are recorded at once, and of these any may be held up by the machine. In no order at all
 * half of them would be 90 places off.
 */
const PLACES_OFF = 40;

test('creditCards.authorize 200: 300 PUTs at once wait for the processor only', async () => {
  const calls: string[] = [];
  const processor = {
    ...fixture.processor,
    authorize: (...given: Parameters<typeof fixture.processor.authorize>) => {
      calls.push(given[0].paymentId);
      return fixture.processor.authorize(...given);
    },
  };
  const freshness = alwaysFresh(fixture.database);
  const cardKeys: CardKeyCache = new Cache({ freshness, maxBytes: 9_999, bytesOf: () => 1 });
  const handlers = paymentHandlers({ ...fixture.deps, processor, cardKeys });
  // Opening the sessions takes some longer than others.
  await Promise.all(Array.from({ length: 20 }, () => fixture.put({ handlers })));
  calls.length = 0;
  const held = fixture.processor.ledger().length;
  const arrived: string[] = Array.from({ length: IN_FLIGHT }, newRandomId);
  const body = await fixture.body({ cardNumber: SLOW_CARD });
  const puts = arrived.map((paymentUuid) => fixture.put({ paymentUuid, body, handlers }));
  await until('all wait', () => fixture.timer.waits(SLOW_MS) === IN_FLIGHT);
  const { held: sessions, waitingTransactions, waitingStatements } = fixture.database.pool();
  const quick = await fixture.put({ handlers });
  assert.equal(fixture.timer.fire(SLOW_MS), IN_FLIGHT);
  const states = (await Promise.all(puts)).map((answer) => answer.body.paymentState);

  assert.deepEqual([sessions, waitingTransactions, waitingStatements], [0, 0, 0]);
  assert.equal(quick.body.paymentState, 'AUTHORIZED', 'it is answered before all of them');
  const places = await placesOf(arrived, calls);
  const off = places.map((place, nth) => Math.abs(place - nth)).sort((a, b) => a - b);
  const median = off[IN_FLIGHT / 2] ?? IN_FLIGHT;
  assert.ok(median <= PLACES_OFF, `half of them are ${median} places off their turn, or more`);
  assert.deepEqual(new Set(states), new Set(['AUTHORIZED']));
  assert.equal(fixture.processor.ledger().length - held, IN_FLIGHT + 1);
});

/** When the processor was asked about each of these payments: as which one. */
async function placesOf(
  paymentUuids: readonly string[],
  calls: readonly string[],
): Promise<number[]> {
  const paymentIds = await listPaymentIds(fixture.database.sql, fixture.merchant.guid);
  return paymentUuids.map((paymentUuid) => calls.indexOf(paymentIds.get(paymentUuid) ?? ''));
}
