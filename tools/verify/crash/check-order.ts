import { byPayment, isOfPayment, isUnknown, type Operation, paymentName } from './history.ts';
import { judgeHistory } from './linearize.ts';
import type { MovedClock } from './moved-clock.ts';
import type { StoredPayment } from './payment-store.ts';
import type { Violation } from './violation.ts';

/** Answers that say something of the payment; a 401, for example, does not. */
const telling = [200, 404, 409];

/** Checks that the history of each payment is linearizable, up to how it ended in our tables. */
export function checkOrder(
  operations: readonly Operation[],
  payments: readonly StoredPayment[],
  clock: MovedClock,
): Violation[] {
  const ends = new Map(payments.map((payment) => [paymentName(payment), payment]));
  return [...byPayment(operations.filter(isOfPayment))].flatMap(([subject, history]) => {
    const { state = 'NEW', version = 0 } = ends.get(subject) ?? {};
    const judged = history.filter((one) => isUnknown(one) || telling.includes(one.status ?? 0));
    const judgement = judgeHistory(judged, clock, { state, version });
    if (judgement.isLinearizable) return [];
    return [{ rule: 'order', subject, text: judgement.complaint }];
  });
}
