import type { BackOfficePayment } from '@servery/contract';
import { payments as texts } from '../../messages.ts';
import { Badge, type Tone } from '../../parts/told.tsx';
import { formatMoney } from '../../platform/format.ts';

const tones: Readonly<Record<BackOfficePayment['paymentState'], Tone>> = {
  PENDING: 'info',
  AUTHORIZED: 'warn',
  DENIED: 'plain',
  ABORTED: 'plain',
  UNKNOWN: 'bad',
  REVERSAL_PENDING: 'info',
  REVERSED: 'plain',
  APPLIED: 'info',
  CAPTURE_SCHEDULED: 'info',
  CAPTURE_PENDING: 'info',
  CAPTURED: 'good',
  VOID_PENDING: 'info',
  VOIDED: 'plain',
  REVIEW: 'bad',
};

export function StateBadge({ state }: { readonly state: BackOfficePayment['paymentState'] }) {
  return <Badge tone={tones[state]}>{texts.states[state]}</Badge>;
}

export function totalOf({ amount, tipAmount, currencyCode }: BackOfficePayment): string {
  return formatMoney(amount + tipAmount, currencyCode);
}

export function cardOf({ cardBrand, cardLast4 }: BackOfficePayment): string {
  return `${cardBrand ?? ''} •${cardLast4}`.trim();
}
