import type { BackOfficePayment } from '@servery/contract';
import { payments as texts } from '../../messages.ts';
import { Badge, Countdown, type Tone } from '../../parts/told.tsx';
import { nowMs } from '../../platform/clock.ts';
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

/** Brands are long in capitals. */
const SHOUTED = /(?<=^[A-Z])[A-Z]{4,}$/;

export function cardOf({ cardBrand, cardLast4 }: BackOfficePayment): string {
  const brand = cardBrand?.replace(SHOUTED, (rest) => rest.toLowerCase());
  return `${brand ?? ''} •${cardLast4}`.trim();
}

export interface DeadlineProps {
  readonly deadline: NonNullable<BackOfficePayment['nextDeadline']>;
  readonly timeZone: string | undefined;
}

/** What the platform does next by itself, and how soon. */
export function Deadline({ deadline: { action, at }, timeZone }: DeadlineProps) {
  const what = texts.deadlines[action];
  const isDue = Date.parse(at) <= nowMs.value;
  return (
    <>
      {isDue ? `${what}:` : texts.deadlineIn(what)} <Countdown to={at} timeZone={timeZone} />
    </>
  );
}
