import { randomUUID } from 'node:crypto';
import type { FaultFixture, Seen, Sending } from './fixture.ts';

const AT_ONCE = 8;

/** Puts a payment; the same identifier again is its repeat. */
export async function putPayment(
  fixture: FaultFixture,
  paymentUuid: string,
  sending: Sending = {},
): Promise<Seen | null> {
  const place = `/ccpartner/v1/merchants/${fixture.restaurant}/payments/${paymentUuid}`;
  const body = sending.body ?? (await fixture.payment());
  return await fixture.send('PUT', place, { ...sending, body });
}

/** What came of payments whose first answer was lost, and that were sent again. */
export interface LostAnswers {
  /** How often the second answer had which state; `not lost` if the first one arrived. */
  readonly states: ReadonlyMap<string, number>;
  readonly holds: number;
  /** How many payments these holds are of. */
  readonly payments: number;
}

export async function loseAnswers(fixture: FaultFixture, count: number): Promise<LostAnswers> {
  const before = new Set((await fixture.holds()).map(({ key }) => key));
  const body = await fixture.payment();
  const states = new Map<string, number>();
  let left = count;
  const payOn = async () => {
    while (left > 0) {
      left -= 1;
      const paymentUuid = randomUUID();
      const first = await putPayment(fixture, paymentUuid, { body, fault: 'lostAnswer' });
      const again = await putPayment(fixture, paymentUuid, { body });
      const state = first === null ? String(again?.body.paymentState) : 'not lost';
      states.set(state, (states.get(state) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, payOn));
  const made = (await fixture.holds()).filter(({ key }) => !before.has(key));
  const payments = new Set(made.map(({ paymentId }) => paymentId)).size;
  return { states, holds: made.length, payments };
}
