import {
  type Approved,
  authorizationKey,
  captureKey,
  type ProcessorAnswer,
} from '@servery/card-simulator/messages.ts';
import { refusalText } from './denials.ts';
import { isApprovalOf, makeMove, type PaymentMove } from './outcome.ts';
import { ask, CALL_MAY_ARRIVE_MS, inquire, type SettleDeps, type Step, tryAgain } from './step.ts';
import type { PaymentRow } from './store.ts';
import { toCaptureMinor } from './tip.ts';

/** After a call without a result, asks first. The same key takes the money only once. */
export async function capturing(deps: SettleDeps, payment: PaymentRow): Promise<Step> {
  const mayBeUnderWay = payment.tries > 0;
  if (mayBeUnderWay || isPastCaptureDeadline(payment, deps.clock.nowMs())) {
    const known = await inquire(deps, captureKey(payment.paymentId));
    const nowMs = deps.clock.nowMs();
    if (known.outcome !== 'notFound') return stepFor(payment, known, nowMs);
    if (isPastCaptureDeadline(payment, nowMs)) {
      return neverArrived(payment, known.explanation, nowMs);
    }
  }
  return stepFor(payment, await callCapture(deps, payment), deps.clock.nowMs());
}

export function isPastCaptureDeadline({ captureDeadline }: PaymentRow, nowMs: number): boolean {
  return captureDeadline !== null && nowMs >= captureDeadline.getTime();
}

/** The hold must not outlive its deadline (PAY-I3); a capture sent before it has arrived by now. */
function neverArrived(payment: PaymentRow, explanation: string, nowMs: number): Step {
  const believedFromMs = (payment.captureDeadline?.getTime() ?? nowMs) + CALL_MAY_ARRIVE_MS;
  if (nowMs < believedFromMs) return { retry: explanation, atMs: believedFromMs };
  return { move: captureMissed(`the processor never heard of the capture: ${explanation}`, nowMs) };
}

/** The order was fulfilled but its money is returned, so a person must know. */
export function captureMissed(explanation: string, nowMs: number): PaymentMove {
  const alarm = { kind: 'CAPTURE_MISSED', explanation } as const;
  return makeMove('captureDeadlinePassed', nowMs, { alarm });
}

function callCapture(deps: SettleDeps, payment: PaymentRow): Promise<ProcessorAnswer> {
  const { paymentId, attempt, currencyCode } = payment;
  const order = {
    key: captureKey(paymentId),
    authorizationKey: authorizationKey(paymentId, attempt),
    amountMinor: toCaptureMinor(payment),
    currencyCode,
  };
  return ask(deps, (processor, signal) => processor.capture(order, signal));
}

function stepFor(payment: PaymentRow, answer: ProcessorAnswer, nowMs: number): Step {
  switch (answer.outcome) {
    case 'approved': {
      // The tip stays as it was asked for: it can't change anymore.
      if (!isApprovalOf(toCaptureMinor(payment), payment, answer)) {
        return takenOtherwise(answer, nowMs);
      }
      const capturedMinor = answer.amountMinor;
      return { move: makeMove('captureAcknowledged', nowMs, { change: { capturedMinor } }) };
    }
    case 'declined':
      return refused(
        `${refusalText('capture', answer.responseCode)} The order is fulfilled but not paid: ask ` +
          'the processor whether it can still take the money.',
        nowMs,
      );
    case 'notFound':
      return refused(`the processor does not know the hold: ${answer.explanation}`, nowMs);
    case 'notProcessed':
    case 'unknown':
      return tryAgain(payment, answer.explanation, nowMs);
  }
}

function refused(explanation: string, nowMs: number): Step {
  const alarm = { kind: 'CAPTURE_DECLINED', explanation } as const;
  return { move: makeMove('captureDeclined', nowMs, { details: { explanation }, alarm }) };
}

/** Money was taken, but not the requested amount. A person must not capture it again. */
function takenOtherwise({ amountMinor, currencyCode }: Approved, nowMs: number): Step {
  const explanation = `the processor took ${amountMinor} minor units of ${currencyCode}`;
  const alarm = { kind: 'CAPTURE_MISMATCH', explanation } as const;
  const details = { capturedMinor: amountMinor, currencyCode };
  return { move: makeMove('captureMismatch', nowMs, { details, alarm }) };
}
