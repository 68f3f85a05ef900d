import type { Operation } from './history.ts';
import { type OrderedItem, PLENTY } from './ordered-item.ts';
import type { StoredOrder, StoredOrderPayment, StoredPayment } from './payment-store.ts';
import { type Violation, violationOf } from './violation.ts';

/** What our tables say of orders when all is quiet. */
export interface OrderEvidence {
  readonly items: readonly OrderedItem[];
  readonly orders: readonly StoredOrder[];
  readonly payments: readonly StoredOrderPayment[];
  readonly quantities: readonly {
    readonly merchantGuid: string;
    readonly itemGuid: string;
    readonly quantity: number | null;
  }[];
}

/** States of a payment whose order was voided (PAY-I11). */
const givenBack = ['VOID_PENDING', 'VOIDED', 'REVIEW'];

/**
 * Checks that no order was lost or doubled (ORD-45, ORD-52), nor a decision about it (ORD-49,
 * ORD-59, ORD-60), that exactly what was sold is gone (ORD-51), and that orders and payments agree
 * (PAY-I9 to PAY-I11).
 */
export function checkOrders(
  operations: readonly Operation[],
  payments: readonly StoredPayment[],
  evidence: OrderEvidence,
): Violation[] {
  const byName = Map.groupBy(evidence.orders, ({ externalId }) => externalId);
  const violations = [...byName].flatMap(([externalId, same]) =>
    same.length === 1 ? [] : about('ORD-52', externalId, `names ${same.length} orders`),
  );
  for (const order of evidence.orders) {
    violations.push(...checkFollowed(order));
    const { externalId, version, events, isVoided, isFulfilled } = order;
    if (version !== events) {
      violations.push(...about('ORD-45', externalId, `is v${version} and has ${events} events`));
    }
    if (isVoided && isFulfilled) {
      violations.push(...about('ORD-60', externalId, 'is voided and fulfilled'));
    }
  }
  return [
    ...violations,
    ...operations.flatMap((operation) => checkAnswer(operation, byName)),
    ...checkStock(evidence),
    ...checkPayments(payments, evidence),
  ];
}

/** PAY-I10: what is stored of an order, and so found, is what its payments make of it. */
function checkFollowed(order: StoredOrder): Violation[] {
  const { externalId, checks, guestStatus, isFulfilled, toldMoves, madeMoves } = order;
  const wrong = (text: string) => about('PAY-I10', externalId, text);
  const faults = checks.flatMap(({ guid, paymentStatus, totalMinor }) => {
    const wanted = statusOf(order, guid, totalMinor);
    return paymentStatus === wanted
      ? []
      : wrong(`has its check as ${paymentStatus}, not ${wanted}`);
  });
  for (const { type, isVoided, state } of order.payments) {
    const isGivenBack = state === 'VOID_PENDING' || state === 'VOIDED';
    if (type === 'CREDIT' && isVoided !== isGivenBack) {
      faults.push(...wrong(`has a payment that is ${state} as ${isVoided ? '' : 'not '}voided`));
    }
  }
  const isPaid = checks.every(({ paymentStatus }) => paymentStatus !== 'OPEN');
  if ((guestStatus === 'CLOSED') !== (isFulfilled && isPaid)) {
    faults.push(...wrong(`is ${guestStatus} for its guest`));
  }
  if (toldMoves.join() !== madeMoves.join()) {
    faults.push(...wrong(`tells of ${toldMoves.join(', ')}, not of ${madeMoves.join(', ')}`));
  }
  return faults;
}

/** ORD-57, without gratuities, which these orders don't have. */
function statusOf(
  { isVoided, isFulfilled, payments }: StoredOrder,
  guid: string,
  totalMinor: number,
): string {
  if (isVoided) return 'OPEN';
  const valid = payments.filter((payment) => payment.checkGuid === guid && !payment.isVoided);
  const paidMinor = valid.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  if (totalMinor > paidMinor || (valid.length === 0 && !isFulfilled)) return 'OPEN';
  const mayBeTipped = valid.some(
    ({ type, tipMinor, state }) =>
      type === 'CREDIT' && tipMinor === 0 && (state === 'APPLIED' || state === 'CAPTURE_SCHEDULED'),
  );
  return mayBeTipped ? 'PAID' : 'CLOSED';
}

function checkAnswer(
  { kind, status, argument, orderGuid, body }: Operation,
  byName: ReadonlyMap<string, readonly StoredOrder[]>,
): Violation[] {
  const [stored] = byName.get(argument) ?? [];
  const isVoid = kind === 'voidOrder' || kind === 'voidPaidOrder';
  if (isVoid && status === 200 && !stored?.isVoided) {
    return about('ORD-59', argument, 'its void was acknowledged and lost');
  }
  if (kind === 'fulfilPaidOrder' && status === 200 && !stored?.isFulfilled) {
    return about('ORD-49', argument, 'its fulfillment was acknowledged and lost');
  }
  if (kind !== 'place' && kind !== 'placeUnpaid') return [];
  if (status === 200 && stored?.guid !== orderGuid) {
    return about('ORD-45', argument, `${orderGuid} was acknowledged, and ${stored?.guid} is there`);
  }
  const isTaken = status === 409 && body?.includes('externalId');
  if (isTaken && !body?.includes(stored?.guid ?? 'no order')) {
    return about('ORD-52', argument, `is ${stored?.guid}, but: ${body}`);
  }
  return [];
}

/** One of it is in each order. What was sent to the kitchen is not given back. */
function checkStock({ items, orders, quantities }: OrderEvidence): Violation[] {
  return items.flatMap(({ merchantGuid, itemGuid }) => {
    const gone = orders.filter(
      (order) => order.merchantGuid === merchantGuid && (!order.isVoided || order.sent > 0),
    );
    const level = quantities.find((one) => one.itemGuid === itemGuid);
    const left = PLENTY - gone.length;
    const isRight = level?.merchantGuid === merchantGuid && level.quantity === left;
    return isRight ? [] : about('ORD-51', itemGuid, `${level?.quantity} are left, not ${left}`);
  });
}

function checkPayments(
  all: readonly StoredPayment[],
  { payments }: Pick<OrderEvidence, 'payments'>,
): Violation[] {
  const onOrders = new Set(payments.map(({ paymentUuid }) => paymentUuid));
  const missing = all.filter(
    // An outside orders system gives a check the GUID of its payment in these runs.
    ({ checkGuid, paymentUuid }) =>
      checkGuid !== null && checkGuid !== paymentUuid && !onOrders.has(paymentUuid),
  );
  return [
    ...missing.map((payment) =>
      violationOf('PAY-I10', payment, `is on ${payment.checkGuid}, which no order has`),
    ),
    ...payments.flatMap((payment) => {
      const { orderGuid, checkGuid, paidCheckGuid, amountMinor, authorizedMinor } = payment;
      const { isOrderVoided, state } = payment;
      const isOpen = isOrderVoided && !givenBack.includes(state ?? '');
      return [
        ...(checkGuid === paidCheckGuid
          ? []
          : [violationOf('PAY-I10', payment, `${orderGuid} has it, it is on ${paidCheckGuid}`)]),
        ...(amountMinor === authorizedMinor
          ? []
          : [violationOf('PAY-I9', payment, `${amountMinor} of ${authorizedMinor} were taken`)]),
        ...(isOpen ? [violationOf('PAY-I11', payment, `is ${state}, its order voided`)] : []),
      ];
    }),
  ];
}

function about(rule: string, subject: string, text: string): Violation[] {
  return [{ rule, subject, text }];
}
