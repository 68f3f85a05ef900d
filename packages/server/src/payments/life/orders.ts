import type { ChangeOrigin } from '../../audit/entry-store.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { RestaurantNews } from '../../webhooks/delivery/queue-restaurant-events.ts';
import { captureTime } from '../due/close-out.ts';
import { newLease } from './lease.ts';
import {
  type Cause,
  isUnsettled,
  legalOrdersMoves,
  nextState,
  type OrdersMove,
  ordersCauses,
  type PaymentState,
} from './lifecycle.ts';
import { makeMove, type PaymentMove } from './outcome.ts';
import { recordMove, recordMoveWithin } from './record.ts';
import { settle } from './settle.ts';
import type { SettleDeps } from './step.ts';
import { findCloseOut, findPayment, type PaymentKey, type PaymentRow } from './store.ts';
import { currentTipMinor } from './tip.ts';

export type OrdersDeps = SettleDeps;

/** A name for the event, or a request's origin, which also writes to the audit log. */
export type Asker = string | ChangeOrigin;

interface Order {
  readonly cause: Cause;
  readonly asker: Asker;
  isRepeat(payment: PaymentRow): boolean | Promise<boolean>;
  /** Throws ApiError `conflict`. */
  requireLegal(payment: PaymentRow, nowMs: number): void;
  change?(payment: PaymentRow, nowMs: number): Promise<PaymentMove['change']>;
  /** For the event, beside who asked. */
  readonly details?: object;
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

/** All moves here throw ApiError `notFound`, and `conflict` for an illegal move. */
export function applyToCheck(
  deps: OrdersDeps,
  key: PaymentKey,
  checkGuid: string,
  asker: Asker,
): Promise<PaymentRow> {
  return carryOut(deps, key, {
    ...asOrder('apply'),
    asker,
    isRepeat: (payment) => payment.checkGuid === checkGuid && afterApplied.includes(payment.state),
    change: async () => ({ checkGuid }),
  });
}

export function fulfil(deps: OrdersDeps, key: PaymentKey, asker: Asker): Promise<PaymentRow> {
  return carryOut(deps, key, {
    ...asOrder('fulfil'),
    asker,
    isRepeat: ({ orderGuid, state }) => orderGuid === null && afterFulfilled.includes(state),
    requireLegal: (payment, nowMs) => {
      if (payment.orderGuid !== null) throw ofOrder(payment.orderGuid);
      requireLegal(payment, 'fulfil', nowMs);
    },
    change: async ({ captureDeadline, merchantGuid }, nowMs) => {
      if (!captureDeadline) throw new Error('an applied payment has no capture deadline');
      const closeOut = await findCloseOut(deps.database.sql, merchantGuid);
      return { captureAt: new Date(captureTime(nowMs, captureDeadline.getTime(), closeOut)) };
    },
  });
}

/** ORD-50. */
function ofOrder(orderGuid: string): ApiError {
  return new ApiError(
    'conflict',
    `The payment belongs to the order ${orderGuid}: fulfill the order instead.`,
  );
}

export function voidPayment(
  deps: OrdersDeps,
  key: PaymentKey,
  voidReason: string,
  asker: Asker,
): Promise<PaymentRow> {
  return carryOut(deps, key, {
    ...asOrder('void'),
    asker,
    isRepeat: (payment) => payment.voidReason === voidReason,
    change: async () => ({ voidReason }),
  });
}

export function captureNow(deps: OrdersDeps, key: PaymentKey, asker: Asker): Promise<PaymentRow> {
  return carryOut(deps, key, {
    ...asOrder('capture'),
    asker,
    isRepeat: (payment) => afterCaptureRequest.includes(payment.state),
  });
}

/** `readTip` says which tips are possible. */
export function changeTip(
  deps: OrdersDeps,
  key: PaymentKey,
  tipMinor: number,
  asker: Asker,
): Promise<PaymentRow> {
  return carryOut(deps, key, tipOrder(tipMinor, asker));
}

/**
 * In the caller's transaction, for example one that also changes an order, and which tells the
 * `news`. Returns null when somebody else moved the payment since it was read.
 */
export async function changeTipWithin(
  sql: Sql,
  payment: PaymentRow,
  tipMinor: number,
  asker: Asker,
  nowMs: number,
  news: RestaurantNews[],
): Promise<PaymentRow | null> {
  const order = tipOrder(tipMinor, asker);
  if (await order.isRepeat(payment)) return payment;
  order.requireLegal(payment, nowMs);
  const change = { changedTipMinor: tipMinor };
  const move = makeMove(order.cause, nowMs, { change, ...tracesOf(order) });
  return await recordMoveWithin(sql, payment, move, news);
}

function tipOrder(tipMinor: number, asker: Asker): Order {
  return {
    ...asOrder('tip'),
    asker,
    isRepeat: (payment) =>
      currentTipMinor(payment) === tipMinor && afterApplied.includes(payment.state),
    change: async () => ({ changedTipMinor: tipMinor }),
    details: { tipMinor },
  };
}

function asOrder(move: OrdersMove): Pick<Order, 'cause' | 'requireLegal'> {
  return {
    cause: ordersCauses[move],
    requireLegal: (payment, nowMs) => requireLegal(payment, move, nowMs),
  };
}

export async function carryOut(
  deps: OrdersDeps,
  key: PaymentKey,
  order: Order,
): Promise<PaymentRow> {
  const { cause } = order;
  const traces = tracesOf(order);
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const payment = await findPayment(deps.database.sql, key);
    if (!payment) throw noSuchPayment();
    if (await order.isRepeat(payment)) return payment;
    const nowMs = deps.clock.nowMs();
    order.requireLegal(payment, nowMs);
    const settles = isUnsettled(nextState(payment.state, cause));
    const lease = settles ? newLease(deps.realClock.nowMs()) : {};
    const changed = { ...(await order.change?.(payment, nowMs)), ...lease };
    const recorded = await recordMove(
      deps,
      payment,
      makeMove(cause, nowMs, { change: changed, ...traces }),
    );
    if (!recorded.isOurs) continue;
    return settles ? await settleNow(deps, recorded.payment) : recorded.payment;
  }
  throw new ApiError('conflict', 'Other requests are changing the payment: try again.');
}

function tracesOf({ asker, details }: Order): Pick<PaymentMove, 'details' | 'origin'> {
  if (typeof asker === 'string') return { details: { by: asker, ...details } };
  return { details: { by: asker.by, ...details }, origin: asker };
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
      `so ${move} is not possible.${checkOf(payment, move)} ${next}`,
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
