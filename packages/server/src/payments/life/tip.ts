import { type AmountReading, amountOnWire, readAmount } from './money.ts';
import type { PaymentRow } from './store.ts';

type Sums = Pick<PaymentRow, 'amountMinor' | 'tipMinor'>;
type SumsNow = Sums & Pick<PaymentRow, 'changedTipMinor'>;

export function authorizedMinor({ amountMinor, tipMinor }: Sums): number {
  return amountMinor + tipMinor;
}

export function currentTipMinor({ tipMinor, changedTipMinor }: SumsNow): number {
  return changedTipMinor ?? tipMinor;
}

/** Never more than was authorized (PAY-I4). The processor releases the rest with the capture. */
export function toCaptureMinor(payment: SumsNow): number {
  return payment.amountMinor + currentTipMinor(payment);
}

/** A fault is worded without its subject. It depends on nothing that can change. */
export function readTip(
  { amountMinor, tipMinor, currencyCode }: Sums & Pick<PaymentRow, 'currencyCode'>,
  tipAmount: number,
): AmountReading {
  const reading = readAmount(tipAmount, currencyCode);
  if ('fault' in reading) return reading;
  if (reading.amountMinor > tipMinor) {
    const most = amountOnWire(tipMinor, currencyCode);
    return { fault: `must be at most ${most}: no more was authorized` };
  }
  if (amountMinor + reading.amountMinor === 0) {
    return { fault: 'must be greater than 0, because the amount is 0: void the payment instead' };
  }
  return reading;
}
