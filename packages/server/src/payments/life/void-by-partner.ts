import { ApiError } from '../../http/errors.ts';
import { moves, type PaymentState } from './lifecycle.ts';
import { listEvents } from './list-store.ts';
import { type Asker, carryOut, type OrdersDeps } from './orders.ts';
import type { PaymentKey, PaymentRow } from './store.ts';

const cause = 'voidedByPartner';

/** Doesn't check whose payment it is. Throws ApiError `conflict` for an illegal void. */
export function voidByPartner(
  deps: OrdersDeps,
  key: PaymentKey,
  asker: Asker,
): Promise<PaymentRow> {
  return carryOut(deps, key, {
    cause,
    asker,
    // A void that came after the payment was read must not pass off the older payment as voided.
    isRepeat: async (payment) =>
      (await listEvents(deps.database.sql, payment)).some(
        (event) => event.cause === cause && event.version <= payment.version,
      ),
    requireLegal,
  });
}

export function isVoidableByPartner(payment: PaymentRow, nowMs: number): boolean {
  const isLegal = moves.some((move) => move.from === payment.state && move.cause === cause);
  return isLegal && !isPastDeadline(payment, nowMs);
}

function isPastDeadline({ state, applyDeadline }: PaymentRow, nowMs: number): boolean {
  return state === 'AUTHORIZED' && applyDeadline !== null && nowMs >= applyDeadline.getTime();
}

const unknownYet =
  'Its outcome is not known yet: get the payment until it is, and void it if it is AUTHORIZED.';
const nothingHeld = 'Nothing is on hold.';
const fulfilled = 'Its order is fulfilled: ask the restaurant for a refund.';

const ways: Readonly<Record<PaymentState, string>> = {
  PENDING: unknownYet,
  UNKNOWN: unknownYet,
  REVERSAL_PENDING: 'The platform is reversing whatever it may hold.',
  AUTHORIZED: 'The platform voids it itself.',
  APPLIED: 'It was applied to a check: ask the restaurant to void it at the point of sale.',
  CAPTURE_SCHEDULED: fulfilled,
  CAPTURE_PENDING: fulfilled,
  CAPTURED: fulfilled,
  DENIED: nothingHeld,
  ABORTED: nothingHeld,
  REVERSED: nothingHeld,
  VOID_PENDING: 'The hold is already being voided.',
  VOIDED: nothingHeld,
  REVIEW: 'A person must decide about it: ask the operator of the platform.',
};

function requireLegal(payment: PaymentRow, nowMs: number): void {
  if (isVoidableByPartner(payment, nowMs)) return;
  const { state } = payment;
  const deadline = isPastDeadline(payment, nowMs) ? ', past its deadline' : '';
  throw new ApiError(
    'conflict',
    `The payment is ${state}${deadline}, so you can't void it. ${ways[state]}`,
  );
}
