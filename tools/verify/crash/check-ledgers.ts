import type { PaymentState } from '../../../packages/server/src/payments/life/lifecycle.ts';
import type { StoredPayment } from './payment-store.ts';
import { isHeld, type LedgerHold } from './processor-ledger.ts';
import { type Violation, violationOf } from './violation.ts';

/** The states in which nothing more happens by itself. */
const finalStates: readonly PaymentState[] = [
  'DENIED',
  'ABORTED',
  'REVERSED',
  'CAPTURED',
  'VOIDED',
];

/**
 * Compares, when all is quiet, our payments with what the processor holds, captured and voided:
 * no hold that is not ours, none alive after its end, no capture that is doubled or voided too, and
 * the same amounts on both sides (PAY-I1, PAY-I4, PAY-I8).
 */
export function checkLedgers(
  payments: readonly StoredPayment[],
  holds: readonly LedgerHold[],
): Violation[] {
  const ids = new Set(payments.map(({ paymentId }) => paymentId));
  const strangers = holds.filter(({ paymentId }) => !ids.has(paymentId));
  const byId = Map.groupBy(holds, ({ paymentId }) => paymentId);
  return [
    ...strangers.map(({ key, paymentId }) => ({
      rule: 'PAY-I8',
      subject: paymentId,
      text: `the processor has ${key} of a payment that we do not know`,
    })),
    ...payments.flatMap((payment) => checkOne(payment, byId.get(payment.paymentId) ?? [])),
  ];
}

function checkOne(payment: StoredPayment, holds: readonly LedgerHold[]): Violation[] {
  const found: [rule: string, text: string][] = [];
  const add = (rule: string, isWrong: boolean, text: string) => {
    if (isWrong) found.push([rule, text]);
  };
  const held = holds.filter(isHeld);
  const captures = holds.flatMap(({ capturesMinor }) => capturesMinor);
  const capturedMinor = captures.reduce((sum, amount) => sum + amount, 0);
  const { state, attempt, paymentId } = payment;
  const last = holds.find(({ key }) => key === `auth:${paymentId}:${attempt}`);
  add('PAY-I1', held.length > 1, `${held.length} live holds`);
  add('PAY-I1', captures.length > 1, `${captures.length} captures`);
  add('PAY-I3', !finalStates.includes(state), `is still ${state} when all is quiet`);
  add('PAY-I8', held.length > 0, `${state}, but the processor holds ${namesOf(held)}`);
  for (const hold of holds) {
    const isBoth = hold.capturesMinor.length > 0 && hold.voids > 0;
    add('PAY-I4', isBoth, `${hold.key} is captured and voided`);
    const tooMuch = Math.max(0, ...hold.capturesMinor) > hold.amountMinor;
    add('PAY-I4', tooMuch, `${hold.key}: more was captured than held`);
    const isOther =
      hold.amountMinor !== payment.totalMinor || hold.currencyCode !== payment.currencyCode;
    add('PAY-I8', isOther, `${hold.key} is of ${hold.amountMinor} ${hold.currencyCode}`);
  }
  add('PAY-I8', new Set(holds.map(({ key }) => key)).size < holds.length, 'a key held twice');
  add('PAY-I8', holds.length > attempt, `${holds.length} holds in ${attempt} attempts`);
  const ours = state === 'CAPTURED' ? (payment.capturedMinor ?? 0) : 0;
  add('PAY-I8', capturedMinor !== ours, `${state} ${ours}, the processor took ${capturedMinor}`);
  const isOtherSum = captures.some((taken) => taken !== payment.toCaptureMinor);
  add('PAY-I4', isOtherSum, `captured ${captures}, asked for ${payment.toCaptureMinor}`);
  const wasVoided = last !== undefined && last.voids > 0;
  add('PAY-I8', state === 'VOIDED' && !wasVoided, 'VOIDED, but the processor voided nothing');
  add(
    'PAY-I8',
    state === 'DENIED' && last?.isApproved === true,
    'DENIED what the processor approved',
  );
  const code = last?.authorizationCode ?? null;
  const hasOther = payment.authorizationCode !== null && payment.authorizationCode !== code;
  add('PAY-I8', hasOther, `has the code ${payment.authorizationCode}, the processor gave ${code}`);
  return found.map(([rule, text]) => violationOf(rule, payment, text));
}

function namesOf(holds: readonly LedgerHold[]): string {
  return holds.map(({ key }) => key).join(', ');
}
