import type { Sql } from '../../database/database.ts';
import type { Faults } from '../../http/faults.ts';
import { type BusinessDay, closeOutAfter } from '../../payments/due/close-out.ts';
import type { PaymentState } from '../../payments/life/lifecycle.ts';
import { amountOnWire } from '../../payments/life/money.ts';
import { findOwnPayment, type PaymentRow } from '../../payments/life/store.ts';
import { parseAnyInstant } from '../../text/instant.ts';
import { conflicting, notThere } from '../order-faults.ts';
import type { OrderingRestaurant } from '../published-store.ts';
import type { ReadPayment } from '../read-order/read-payments.ts';

const WEEK_MS = 7 * 24 * 3_600_000;

export interface Judging {
  readonly restaurant: OrderingRestaurant;
  readonly nowMs: number;
  /** The later of when the order was opened and when it is promised. */
  readonly fulfilledMs: number;
  readonly faults: Faults;
}

/** The authorizations of the partner or group behind CREDIT payments, by uuid. */
export type Authorizations = ReadonlyMap<string, PaymentRow>;

export async function findAuthorizations(
  sql: Sql,
  payments: readonly ReadPayment[],
  restaurantGuid: string,
  clientId: string,
): Promise<Authorizations> {
  const uuids = new Set(payments.flatMap(({ paymentUuid }) => paymentUuid ?? []));
  const rows = await Promise.all(
    Array.from(uuids, (paymentUuid) =>
      findOwnPayment(sql, { merchantGuid: restaurantGuid, paymentUuid }, clientId),
    ),
  );
  return new Map(rows.flatMap((row) => (row ? [[row.paymentUuid, row]] : [])));
}

/** ORD-44. */
export function judgePayments(
  payments: readonly ReadPayment[],
  authorizations: Authorizations,
  judging: Judging,
): void {
  const named = new Set<string>();
  const { faults } = judging;
  for (const payment of payments) {
    const { paymentUuid, part } = payment;
    if (paymentUuid === null) continue;
    if (named.has(paymentUuid)) {
      faults.add(
        [...part.path, 'guid'],
        'is the same authorization as that of another payment: send each one once',
      );
      continue;
    }
    named.add(paymentUuid);
    const row = authorizations.get(paymentUuid);
    if (!row) {
      notThere(
        faults,
        [...part.path, 'guid'],
        'is not an authorization of yours at this restaurant: authorize the payment first',
      );
      continue;
    }
    judge(payment, row, judging);
  }
}

function judge(payment: ReadPayment, row: PaymentRow, judging: Judging): void {
  const { part, amountMinor, tipMinor, paidAtMs } = payment;
  const { restaurant, nowMs, fulfilledMs, faults } = judging;
  // The faults of this judgment, not those of the reading: it may be repeated under a lock.
  const wrong = (name: string, message: string) => faults.add([...part.path, name], message);
  const conflict = (message: string) => conflicting(faults, [...part.path, 'guid'], message);
  const amount = (minor: number) => amountOnWire(minor, restaurant.currencyCode);
  if (amountMinor !== row.amountMinor) {
    wrong('amount', `must be ${amount(row.amountMinor)}, the authorized amount`);
  }
  if (tipMinor !== row.tipMinor) {
    wrong('tipAmount', `must be ${amount(row.tipMinor)}, the authorized tip`);
  }
  const presentedMs = parseAnyInstant(row.localTransactionDate);
  if (paidAtMs !== null && presentedMs !== null && paidAtMs > presentedMs + WEEK_MS) {
    wrong(
      'paidDate',
      'must be at most seven days after the localTransactionDate of the authorization',
    );
  }
  if (row.checkGuid !== null) {
    conflict('is already on another check: authorize a new payment');
    return;
  }
  if (row.state !== 'AUTHORIZED') {
    conflict(`is ${row.state}: ${ways[row.state] ?? 'authorize a new payment'}`);
    return;
  }
  const { applyDeadline } = row;
  if (applyDeadline !== null && nowMs >= applyDeadline.getTime()) {
    conflict('expired five minutes after its authorization: authorize a new payment');
  } else if (endsBeforeCapture(row, fulfilledMs, restaurant)) {
    wrong(
      'guid',
      'would have to be captured before the order is fulfilled: authorize it closer to that time',
    );
  }
}

/** ORD-20: whether the hold ends before the close-out that would capture it. */
export function endsBeforeCapture(
  { captureDeadline }: Pick<PaymentRow, 'captureDeadline'>,
  fulfilledMs: number,
  restaurant: BusinessDay,
): boolean {
  if (captureDeadline === null) return false;
  return closeOutAfter(fulfilledMs, restaurant) > captureDeadline.getTime();
}

const unknownYet = 'read the payment until you know its outcome';

const ways: Readonly<Partial<Record<PaymentState, string>>> = {
  PENDING: unknownYet,
  UNKNOWN: unknownYet,
  REVERSAL_PENDING: unknownYet,
};
