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

/** What the orders side leans on. */
export type OrdersDeps = SettleDeps;

/**
 * Who asks for a move: the name for the event, or the origin of a request, which also leaves an
 * entry in the record of changes.
 */
export type Asker = string | ChangeOrigin;

/** One request of the orders side: which move, when it was done already, and what it writes. */
interface Order {
  readonly move: OrdersMove;
  /** Whether the payment shows that this very request was carried out before. */
  isRepeat(payment: PaymentRow): boolean;
  change(
    payment: PaymentRow,
    nowMs: number,
  ): Promise<PaymentMove['change']> | PaymentMove['change'];
  /** Who asks for it. */
  readonly asker: Asker;
  /** True when the processor is asked at once. */
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

/** Somebody else moving the same payment at the same time makes a try worthless, not wrong. */
const TRIES = 10;

/**
 * Applies an authorization to a check, which keeps it beyond its first five minutes. Repeats with
 * the same check do nothing. All functions here take who asks, for the event,
 * give the payment as it is then, and throw ApiError `notFound`, and `conflict` for a move that is
 * not legal now.
 */
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

/** Says that the order was fulfilled: its money is taken at the close-out of its business day. */
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

/** Voids a payment that is not fulfilled; what the processor says to it may come later. */
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

/** Takes the money of a fulfilled order now, and not only at the close-out. */
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

/** What a move tells of who asked for it. */
function tracesOf(asker: Asker): Pick<PaymentMove, 'details' | 'origin'> {
  return typeof asker === 'string'
    ? { details: { by: asker }, origin: null }
    : { details: { by: asker.by }, origin: asker };
}

/** The move is recorded: when the processor cannot be asked now, the sweep asks it later. */
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

/** Two checks that want the same payment are told apart. */
function checkOf({ checkGuid }: PaymentRow, move: OrdersMove): string {
  return move === 'apply' && checkGuid ? ` It is applied to the check ${checkGuid}.` : '';
}

/** The moves that the orders side may ask for at `nowMs`; none once a deadline has passed. */
export function legalMovesNow(payment: PaymentRow, nowMs: number): OrdersMove[] {
  return expired(payment, nowMs) ? [] : legalOrdersMoves(payment.state);
}

/** States without a legal move have no deadline that could have passed. */
function expired(payment: PaymentRow, nowMs: number): boolean {
  const { state, applyDeadline, captureDeadline } = payment;
  if (legalOrdersMoves(state).length === 0) return false;
  const deadline = state === 'AUTHORIZED' ? applyDeadline : captureDeadline;
  return deadline !== null && nowMs >= deadline.getTime();
}

/** The refusal of a payment that the merchant does not have. */
export function noSuchPayment(): ApiError {
  return new ApiError(
    'notFound',
    'The merchant has no such payment: check paymentUuid in the path.',
  );
}
