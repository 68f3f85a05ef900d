import {
  type Approved,
  authorizationKey,
  captureKey,
  type ProcessorAnswer,
} from '@servery/card-simulator/messages.ts';
import { callWithDeadline } from '../processors/deadline.ts';
import { isForSameMoney, makeMove, type PaymentMove } from './outcome.ts';
import {
  CALL_MAY_ARRIVE_MS,
  SETTLE_DEADLINE_MS,
  type SettleDeps,
  type Step,
  tryAgain,
} from './step.ts';
import type { PaymentRow } from './store.ts';

/** After a call without a result, asks first. The same key takes the money only once. */
export async function capturing(deps: SettleDeps, payment: PaymentRow): Promise<Step> {
  const mayBeUnderWay = payment.tries > 0;
  if (!mayBeUnderWay && !isPastDeadline(deps, payment)) {
    return stepFor(payment, await callCapture(deps, payment), deps.clock.nowMs());
  }
  const key = captureKey(payment.paymentId);
  const known = await callWithDeadline(deps.timer, SETTLE_DEADLINE_MS, (signal) =>
    deps.processor.inquire({ key }, signal),
  );
  if (known.outcome !== 'notFound') return stepFor(payment, known, deps.clock.nowMs());
  if (isPastDeadline(deps, payment)) return neverArrived(deps, payment, known.explanation);
  return stepFor(payment, await callCapture(deps, payment), deps.clock.nowMs());
}

function isPastDeadline({ clock }: SettleDeps, { captureDeadline }: PaymentRow): boolean {
  return captureDeadline !== null && clock.nowMs() >= captureDeadline.getTime();
}

/** The hold must not outlive its deadline (PAY-I3); a capture sent before it has arrived by now. */
function neverArrived({ clock }: SettleDeps, payment: PaymentRow, explanation: string): Step {
  const nowMs = clock.nowMs();
  const believedFromMs = (payment.captureDeadline?.getTime() ?? nowMs) + CALL_MAY_ARRIVE_MS;
  if (nowMs < believedFromMs) return { retry: explanation, atMs: believedFromMs };
  return { move: captureMissed(`the processor never heard of the capture: ${explanation}`, nowMs) };
}

/** The order was fulfilled but its money is returned, so a person must know. */
export function captureMissed(explanation: string, nowMs: number): PaymentMove {
  const alarm = { kind: 'CAPTURE_MISSED', explanation } as const;
  const change = { dueAt: new Date(nowMs) };
  return makeMove('captureDeadlinePassed', nowMs, { change, alarm });
}

function callCapture(deps: SettleDeps, payment: PaymentRow): Promise<ProcessorAnswer> {
  const { paymentId, attempt, currencyCode } = payment;
  const order = {
    key: captureKey(paymentId),
    authorizationKey: authorizationKey(paymentId, attempt),
    amountMinor: payment.amountMinor + payment.tipMinor,
    currencyCode,
  };
  return callWithDeadline(deps.timer, SETTLE_DEADLINE_MS, (signal) =>
    deps.processor.capture(order, signal),
  );
}

function stepFor(payment: PaymentRow, answer: ProcessorAnswer, nowMs: number): Step {
  switch (answer.outcome) {
    case 'approved': {
      if (!isForSameMoney(payment, answer)) return takenOtherwise(answer, nowMs);
      const capturedMinor = answer.amountMinor;
      const change = { dueAt: null, capturedMinor };
      return { move: makeMove('captureAcknowledged', nowMs, { change }) };
    }
    case 'declined':
      return refused(`the processor answered the capture with ${answer.responseCode}`, nowMs);
    case 'notFound':
      return refused(`the processor does not know the hold: ${answer.explanation}`, nowMs);
    case 'notProcessed':
    case 'unknown':
      return tryAgain(payment, answer.explanation, nowMs);
  }
}

function refused(explanation: string, nowMs: number): Step {
  const alarm = { kind: 'CAPTURE_DECLINED', explanation } as const;
  const parts = { change: { dueAt: null }, details: { explanation }, alarm };
  return { move: makeMove('captureDeclined', nowMs, parts) };
}

/** Money was taken, but not the requested amount. A person must not capture it again. */
function takenOtherwise({ amountMinor, currencyCode }: Approved, nowMs: number): Step {
  const explanation = `the processor took ${amountMinor} minor units of ${currencyCode}`;
  const alarm = { kind: 'CAPTURE_MISMATCH', explanation } as const;
  const details = { capturedMinor: amountMinor, currencyCode };
  return { move: makeMove('captureMismatch', nowMs, { change: { dueAt: null }, details, alarm }) };
}
