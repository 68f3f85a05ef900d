import type {
  PaymentState,
  WireState,
} from '../../../packages/server/src/payments/life/lifecycle.ts';

/** What is asked of a payment: a PUT of the partner, a move of the orders side, or a look at it. */
type MoveKind = 'put' | 'apply' | 'fulfil' | 'void' | 'capture' | 'tip' | 'read';

/** What is asked of an order that is paid with the payment, or of one that is not paid. */
export type OrderingKind = 'place' | 'orderTip' | 'placeUnpaid' | 'voidOrder';

/** What staff decide about an order that is paid with the payment. */
export type StaffKind = 'fireOrder' | 'fulfilPaidOrder' | 'voidPaidOrder';

export type OperationKind = MoveKind | OrderingKind | StaffKind;

/**
 * One request and what came of it. Times are microseconds of the machine's monotonic clock, which
 * is the same one in every process, so that of two operations it is known which ended before the
 * other began.
 */
export interface Operation {
  /** Which process asked. */
  readonly client: string;
  /** Which server was asked. */
  readonly server: string;
  readonly kind: OperationKind;
  readonly merchantGuid: string;
  readonly paymentUuid: string;
  /**
   * For a PUT who pays what, for apply the check, for void the reason, for tips the tip, for orders
   * their identifier; else empty.
   */
  readonly argument: string;
  readonly startUs: number;
  readonly endUs: number;
  /** HTTP status; null when the connection broke or the caller stopped waiting. */
  readonly status: number | null;
  /** The header of this name in an answer. */
  readonly retryAfter: string | null;
  /** `paymentState` of an answer 200: of a PUT as partners see it, else the internal one. */
  readonly state: WireState | PaymentState | null;
  /** Version of the payment in an answer of the back office. */
  readonly version: number | null;
  /** The order in an answer 200 of the orders interface. */
  readonly orderGuid: string | null;
  /** The body, for what has to be compared byte for byte; null when nothing came. */
  readonly body: string | null;
}

/** A move of the environment's clock by `byMs` milliseconds; `isKnown` when it was acknowledged. */
export interface ClockMove {
  readonly startUs: number;
  readonly endUs: number;
  readonly byMs: number;
  readonly isKnown: boolean;
}

/** The present instant of the machine's monotonic clock, in microseconds. */
export function monotonicUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Whether nobody can say what the request did: it broke off, or ended in a failure of ours. */
export function isUnknown({ status }: Pick<Operation, 'status'>): boolean {
  return status === null || status >= 500;
}

/** Whether it may move the payment that it names. */
export function isOfPayment({ kind }: Pick<Operation, 'kind'>): boolean {
  return kind !== 'placeUnpaid' && kind !== 'voidOrder';
}

/** What tells payments apart, as one text. */
export function paymentName(key: {
  readonly merchantGuid: string;
  readonly paymentUuid: string;
}): string {
  return `${key.merchantGuid}/${key.paymentUuid}`;
}

/** The operations of each payment by its name, in the order in which they began. */
export function byPayment(operations: readonly Operation[]): Map<string, Operation[]> {
  const groups = Map.groupBy(operations, paymentName);
  for (const group of groups.values()) group.sort((one, other) => one.startUs - other.startUs);
  return groups;
}
