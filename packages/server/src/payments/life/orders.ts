import type { ChangeOrigin } from '../../audit/entry-store.ts';
import { ApiError } from '../../http/errors.ts';
import { captureTime } from '../due/close-out.ts';
import { newLease } from './lease.ts';
import { causeOf, legalOrdersMoves, type OrdersMove, type PaymentState } from './lifecycle.ts';
import { makeMove, type PaymentMove } from './outcome.ts';
import { recordMove } from './record.ts';
import { settle } from './settle.ts';
import type { SettleDeps } from './step.ts';
import { findCloseOut, findPayment, type PaymentKey, type PaymentRow } from './store.ts';

export type OrdersDeps = SettleDeps;

/** A name for the event, or a request's origin, which also writes to the audit log. */
export type Asker = string | ChangeOrigin;

interface Order {
  readonly move: OrdersMove;
  isRepeat(payment: PaymentRow): boolean;
  change(
    payment: PaymentRow,
    nowMs: number,
  ): Promise<PaymentMove['change']> | PaymentMove['change'];
  readonly asker: Asker;
  readonly settles: boolean;
}

const afterApplied: readonly PaymentState[] = [
  'APPLIED',
  'CAPTURE_SCHEDULED',
  'CAPTURE_PENDING',
  'CAPTURED',
];
const afterFulfilled = afterApplied.slice(1);
const afterCaptureRequest = afterFulfilled.slice(1);

/** A concurrent move only makes a try fail; the next one may succeed. */
const TRIES = 10;

/** All functions here throw ApiError `notFound`, and `conflict` for an illegal move. */
export function applyToCheck(
  deps: OrdersDeps,
  key: PaymentKey,
  checkGuid: string,
  asker: Asker,
): Promise<PaymentRow> {
  return carryOut(deps, key, {
    move: 'apply',
    asker,
    isRepeat: (payment) => payment.checkGuid === checkGuid && afterApplied.includes(payment.state),
    change: (payment) => ({ checkGuid, dueAt: payment.captureDeadline }),
    settles: false,
  });
}

export function fulfil(deps: OrdersDeps, key: PaymentKey, asker: Asker): Promise<PaymentRow> {
  return carryOut(deps, key, {
    move: 'fulfil',
    asker,
    isRepeat: (payment) => afterFulfilled.includes(payment.state),
    change: async (payment, nowMs) => {
      const { captureDeadline, merchantGuid } = payment;
      if (!captureDeadline) throw new Error('an applied payment has no capture deadline');
      const closeOut = await findCloseOut(deps.database.sql, merchantGuid);
      const captureAt = new Date(captureTime(nowMs, captureDeadline.getTime(), closeOut));
      return { captureAt, dueAt: captureAt < captureDeadline ? captureAt : captureDeadline };
    },
    settles: false,
  });
}

export function voidPayment(
  deps: OrdersDeps,
  key: PaymentKey,
  reason: string,
  asker: Asker,
): Promise<PaymentRow> {
  return carryOut(deps, key, {
    move: 'void',
    asker,
    isRepeat: (payment) => payment.voidReason === reason,
    change: (_payment, nowMs) => ({ voidReason: reason, dueAt: new Date(nowMs) }),
    settles: true,
  });
}

export function captureNow(deps: OrdersDeps, key: PaymentKey, asker: Asker): Promise<PaymentRow> {
  return carryOut(deps, key, {
    move: 'capture',
    asker,
    isRepeat: (payment) => afterCaptureRequest.includes(payment.state),
    change: (_payment, nowMs) => ({ dueAt: new Date(nowMs) }),
    settles: true,
  });
}

async function carryOut(deps: OrdersDeps, key: PaymentKey, order: Order): Promise<PaymentRow> {
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const payment = await findPayment(deps.database.sql, key);
    if (!payment) throw noSuchPayment();
    if (order.isRepeat(payment)) return payment;
    const nowMs = deps.clock.nowMs();
    requireLegal(payment, order.move, nowMs);
    const lease = newLease(deps.realClock.nowMs());
    const change = {
      ...(await order.change(payment, nowMs)),
      ...(order.settles ? { leaseHolder: lease.holder, leaseExpiresAt: lease.expiresAt } : {}),
    };
    const parts = { change, ...tracesOf(order.asker) };
    const move = makeMove(causeOf(order.move), nowMs, parts);
    const recorded = await recordMove(deps, payment, move);
    if (!recorded.isOurs) continue;
    return order.settles ? await settleNow(deps, recorded.payment) : recorded.payment;
  }
  throw new ApiError('conflict', 'The payment is being changed by others: try again.');
}

function tracesOf(asker: Asker): Pick<PaymentMove, 'details' | 'origin'> {
  return typeof asker === 'string'
    ? { details: { by: asker }, origin: null }
    : { details: { by: asker.by }, origin: asker };
}

/** The move is already recorded: if the processor can't be asked now, the sweep asks later. */
async function settleNow(deps: OrdersDeps, payment: PaymentRow): Promise<PaymentRow> {
  try {
    return (await settle(deps, payment)).payment;
  } catch (error) {
    const { merchantGuid, paymentUuid } = payment;
    deps.log.error({ err: error, merchantGuid, paymentUuid }, 'work on a payment failed');
    return payment;
  }
}

function requireLegal(payment: PaymentRow, move: OrdersMove, nowMs: number): void {
  const legal = legalMovesNow(payment, nowMs);
  if (legal.includes(move)) return;
  const next = legal.length > 0 ? `Legal now: ${legal.join(', ')}.` : 'No move is legal now.';
  throw new ApiError(
    'conflict',
    `The payment is ${payment.state}${expired(payment, nowMs) ? ', past its deadline' : ''}, ` +
      `so that ${move} is not possible.${checkOf(payment, move)} ${next}`,
  );
}

/** Distinguishes two checks that want the same payment. */
function checkOf({ checkGuid }: PaymentRow, move: OrdersMove): string {
  return move === 'apply' && checkGuid ? ` It is applied to the check ${checkGuid}.` : '';
}

export function legalMovesNow(payment: PaymentRow, nowMs: number): OrdersMove[] {
  return expired(payment, nowMs) ? [] : legalOrdersMoves(payment.state);
}

function expired(payment: PaymentRow, nowMs: number): boolean {
  const { state, applyDeadline, captureDeadline } = payment;
  if (legalOrdersMoves(state).length === 0) return false;
  const deadline = state === 'AUTHORIZED' ? applyDeadline : captureDeadline;
  return deadline !== null && nowMs >= deadline.getTime();
}

export function noSuchPayment(): ApiError {
  return new ApiError(
    'notFound',
    'The merchant has no such payment: check paymentUuid in the path.',
  );
}
