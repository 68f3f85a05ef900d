import type { PaymentStatus } from '@servery/contract';
import { changedSince } from '../authorize/repeats.ts';
import { wireState } from './lifecycle.ts';
import { amountOnWire } from './money.ts';
import type { PaymentRow } from './store.ts';

/** The setting `wire.paymentAmountShape` (PAY-6). */
export type AmountShape = 'number' | 'object';

/**
 * Writes every field (API-10), from stored values only, so the same state gives the same bytes
 * (PAY-I6). Throws ApiError `conflict` for a state that no answer shows.
 */
export function paymentStatus(payment: PaymentRow, shape: AmountShape): PaymentStatus {
  const paymentState = wireState(payment);
  if (paymentState === null) throw changedSince();
  const { currencyCode, authorizationCode } = payment;
  const amount = (minor: number) => {
    const value = amountOnWire(minor, currencyCode);
    return shape === 'number' ? value : { amount: value, currencyCode };
  };
  const isAuthorized = paymentState === 'AUTHORIZED' && authorizationCode !== null;
  return {
    paymentState,
    authorizationMetadata: isAuthorized
      ? {
          localTransactionDate: payment.localTransactionDate,
          cardBrand: payment.cardBrand,
          authorizationCode,
          last4: payment.cardLast4,
        }
      : null,
    amount: amount(payment.amountMinor),
    tipAmount: amount(payment.tipMinor),
    denialReason: paymentState === 'DENIED' ? payment.denialReason : null,
    error: payment.error,
  };
}
