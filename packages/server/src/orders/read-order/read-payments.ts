import type { OrderPaymentRequest } from '@servery/contract';
import type { Part } from './part.ts';
import { readMoney } from './read-money.ts';
import { readTimeField } from './read-time.ts';
import { type ReadingContext, readNamed, readText } from './reading.ts';

export interface ReadPayment {
  readonly part: Part<OrderPaymentRequest>;
  readonly externalId: string | null;
  readonly type: 'CREDIT' | 'OTHER';
  /** Of the authorization; null for other payments. */
  readonly paymentUuid: string | null;
  readonly amountMinor: number;
  readonly tipMinor: number;
  readonly tenderedMinor: number | null;
  readonly otherPaymentGuid: string | null;
  readonly paidAtMs: number | null;
}

/** What only the authorization can tell is judged when the payment is applied (ORD-44). */
export function readPayments(
  parts: readonly Part<OrderPaymentRequest>[],
  { configuration, restaurant: { currencyCode } }: ReadingContext,
): ReadPayment[] {
  return parts.flatMap((part) => {
    const type = part.get('type');
    const isCredit = type === 'CREDIT';
    if (isCredit) part.require('guid', 'is required: send the paymentUuid of the authorization');
    if (type === 'OTHER') {
      part.require('otherPayment', 'is required: send {"guid": …} of an alternate payment type');
    }
    const other =
      type === 'OTHER'
        ? readNamed(part, 'otherPayment', configuration.alternatePaymentTypes)
        : null;
    const amountMinor = readMoney(part, 'amount', currencyCode);
    const tipMinor = readMoney(part, 'tipAmount', currencyCode);
    const tenderedMinor = readMoney(part, 'amountTendered', currencyCode);
    const paidAtMs = readTimeField(part, 'paidDate');
    if (!type || amountMinor === null) return [];
    const read = {
      part,
      externalId: readText(part, 'externalId'),
      type,
      paymentUuid: isCredit ? (part.get('guid')?.toLowerCase() ?? null) : null,
      amountMinor,
      tipMinor: tipMinor ?? 0,
      tenderedMinor,
      otherPaymentGuid: other?.guid ?? null,
      paidAtMs,
    };
    return [read];
  });
}
