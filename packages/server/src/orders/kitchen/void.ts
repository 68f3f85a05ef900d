import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { Faults } from '../../http/faults.ts';
import type { Cause } from '../../payments/life/lifecycle.ts';
import { makeMove } from '../../payments/life/outcome.ts';
import { ofVoidedOrder } from '../../payments/life/payment-events.ts';
import { recordMoveWithin } from '../../payments/life/record.ts';
import { findPayment } from '../../payments/life/store.ts';
import type { OrderDeps } from '../order-deps.ts';
import type { OrderCause } from '../order-observer.ts';
import { type ShownPayment, updatePaymentVoided } from '../order-store.ts';
import { repriceCheck } from '../price/reprice-check.ts';
import { listPublished } from '../published-store.ts';
import { businessDateOf } from '../times.ts';
import { giveBackStock, voidedCheck, voidedSelection } from '../void-parts.ts';
import { type Decide, type Deciding, type Decision, PaymentMoved } from './decide.ts';
import { inOrder } from './fulfil.ts';
import { illegal } from './refuse.ts';
import { isTaken } from './statuses.ts';

export const voidOrder =
  (reason: string, voidReasonGuid: string | null): Decide =>
  async (deciding) => {
    const { sql, order, payments, restaurant } = deciding;
    if (order.voidedAt) return null;
    if (voidReasonGuid !== null) await requireVoidReason(sql, restaurant.guid, voidReasonGuid);
    const taken = payments.find(isTaken);
    if (order.fulfilledAt) throw illegal(deciding, 'void');
    if (taken) {
      throw illegal(deciding, 'void', `The payment ${taken.paymentUuid} is ${taken.state}`);
    }
    return await voidAll(deciding, 'voided', reason, voidReasonGuid);
  };

export const reject =
  (reason: string): Decide =>
  async (deciding) => {
    const { approvalStatus, voidedAt } = deciding.order;
    if (approvalStatus === 'NOT_APPROVED') return null;
    if (voidedAt || approvalStatus !== 'NEEDS_APPROVAL') throw illegal(deciding, 'reject');
    return notApproved(await voidAll(deciding, 'rejected', reason, null));
  };

/** ORD-56: nobody approved it in time. */
export const expire: Decide = async (deciding) =>
  notApproved(await voidAll(deciding, 'expired', 'Nobody approved the order in time.', null));

const notApproved = (decision: Decision): Decision => ({
  ...decision,
  row: { ...decision.row, approvalStatus: 'NOT_APPROVED' },
});

async function voidAll(
  deciding: Deciding,
  cause: OrderCause,
  reason: string,
  voidReasonGuid: string | null,
): Promise<Decision> {
  const { order, payments, nowMs } = deciding;
  const at = voidingAt(deciding);
  const moved: Cause[] = [];
  for (const payment of inOrder(payments)) {
    if (payment.voidedAt === null)
      moved.push(...(await takeOff(deciding, payment, reason, ofVoidedOrder)));
  }
  const { checks } = order.content;
  await giveBackStock(
    deciding,
    checks.flatMap(({ selections }) => selections),
  );
  return {
    cause,
    details: { reason, voidReasonGuid },
    content: {
      ...order.content,
      checks: checks.map((check) => voidedCheck(check, at, voidReasonGuid)),
      voidBusinessDate: at.voidBusinessDate,
    },
    row: { voidedAt: new Date(nowMs) },
    moved,
  };
}

function voidingAt({ restaurant, nowMs }: Deciding) {
  return { voidedAtMs: nowMs, voidBusinessDate: businessDateOf(nowMs, restaurant) };
}

export const voidPayment =
  (paymentGuid: string, reason: string): Decide =>
  async (deciding) => {
    const { order, payments } = deciding;
    const payment = payments.find(({ paymentUuid }) => paymentUuid === paymentGuid);
    if (!payment) {
      throw new ApiError(
        'notFound',
        'The order has no such payment: check paymentGuid in the path.',
      );
    }
    if (payment.voidedAt) return null;
    if (order.voidedAt || order.fulfilledAt) throw illegal(deciding, 'voidPayment');
    if (isTaken(payment)) {
      throw illegal(deciding, 'voidPayment', `The payment is ${payment.state}`);
    }
    const moved = await takeOff(deciding, payment, reason);
    return { cause: 'paymentVoided', details: { paymentGuid, reason }, moved };
  };

/** The hold on a card is released by the processor afterwards. */
async function takeOff(
  deciding: Deciding,
  payment: ShownPayment,
  reason: string,
  details: object = {},
): Promise<Cause[]> {
  const { sql, restaurant, origin, nowMs, news } = deciding;
  const { voidedAtMs, voidBusinessDate } = voidingAt(deciding);
  const takenOff = { voidedAt: new Date(voidedAtMs), voidBusinessDate };
  if (payment.type !== 'CREDIT') {
    await updatePaymentVoided(sql, payment, takenOff);
    return [];
  }
  const key = { merchantGuid: restaurant.guid, paymentUuid: payment.paymentUuid };
  const authorization = await findPayment(sql, key);
  // One that needs a person stays with them.
  if (authorization?.state !== 'APPLIED') return [];
  await updatePaymentVoided(sql, payment, takenOff);
  const move = makeMove('voidedOnPointOfSale', nowMs, {
    change: { voidReason: reason },
    details: { by: origin.by, ...details },
  });
  if (!(await recordMoveWithin(sql, authorization, move, news))) throw new PaymentMoved();
  return ['voidedOnPointOfSale'];
}

export type RepricingDeps = Pick<OrderDeps, 'findConfiguration'> & {
  readonly orderSettings: Pick<OrderDeps['orderSettings'], 'percentTaxBasis'>;
};

/** Payments stay: what is paid too much is for people. */
export const voidSelection =
  (deps: RepricingDeps, selectionGuid: string, voidReasonGuid: string | null): Decide =>
  async (deciding) => {
    const { sql, order, restaurant, nowMs } = deciding;
    const { content } = order;
    const selection = content.checks
      .flatMap(({ selections }) => selections)
      .find(({ guid }) => guid === selectionGuid);
    if (!selection) {
      throw new ApiError(
        'notFound',
        'The order has no such top-level selection: check selectionGuid in the path.',
      );
    }
    if (selection.voidedAtMs !== null) return null;
    if (order.voidedAt) throw illegal(deciding, 'voidSelection');
    if (voidReasonGuid !== null) await requireVoidReason(sql, restaurant.guid, voidReasonGuid);
    await giveBackStock(deciding, [selection]);
    const voided = voidedSelection(selection, voidingAt(deciding), voidReasonGuid);
    const free = { ...voided, priceMinor: 0, taxMinor: 0, appliedTaxes: [], modifiedAtMs: nowMs };
    const context = {
      ...{ restaurant, nowMs, isPlaced: true, path: [], menus: null },
      configuration: await deps.findConfiguration(sql, restaurant),
      faults: new Faults({ statuses: [] }),
    };
    const checks = content.checks.map((check) => {
      if (!check.selections.includes(selection)) return check;
      const selections = check.selections.map((one) => (one === selection ? free : one));
      const left = { ...check, selections, modifiedAtMs: nowMs };
      return repriceCheck(left, context, deps.orderSettings.percentTaxBasis);
    });
    return {
      cause: 'selectionVoided',
      details: { selectionGuid, voidReasonGuid },
      content: { ...content, checks },
    };
  };

async function requireVoidReason(
  sql: Sql,
  restaurantGuid: string,
  voidReasonGuid: string,
): Promise<void> {
  const published = await listPublished(sql, restaurantGuid, ['voidReasons']);
  if (published.some(({ guid }) => guid === voidReasonGuid)) return;
  throw new ApiError(
    'notFound',
    'The restaurant has no such published void reason: check voidReasonGuid.',
  );
}
