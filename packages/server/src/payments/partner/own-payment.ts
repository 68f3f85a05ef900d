import type { PartnerPayment, PaymentAnswer } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../../database/database.ts';
import type { RequestFor, Sent } from '../../http/operation.ts';
import { wireState } from '../life/lifecycle.ts';
import { type EventRow, listEvents } from '../life/list-store.ts';
import { amountOnWire } from '../life/money.ts';
import { noSuchPayment } from '../life/orders.ts';
import { type AmountShape, paymentStatus } from '../life/status.ts';
import { findOwnPayment, type PaymentRow } from '../life/store.ts';
import { authorizedMinor, currentTipMinor } from '../life/tip.ts';
import { isVoidableByPartner } from '../life/void-by-partner.ts';

export interface OwnPaymentDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly clock: Clock;
  readonly amountShape: AmountShape;
}

/** Throws the same ApiError `notFound` for a payment of others and for none. */
export async function requireOwnPayment(
  { database: { sql } }: Pick<OwnPaymentDeps, 'database'>,
  request: Pick<RequestFor<'platform.payments.get'>, 'principal' | 'restaurant' | 'params'>,
): Promise<PaymentRow> {
  const { principal, restaurant, params } = request;
  const key = { merchantGuid: restaurant.guid, paymentUuid: params.paymentUuid };
  const payment = await findOwnPayment(sql, key, principal.clientId);
  if (!payment) throw noSuchPayment();
  return payment;
}

export async function ownPaymentOnWire(
  { database: { sql }, clock, amountShape }: OwnPaymentDeps,
  payment: PaymentRow,
): Promise<Sent<PartnerPayment>> {
  // The payment may have moved on since it was read.
  const events = (await listEvents(sql, payment)).filter(
    ({ version }) => version <= payment.version,
  );
  const { currencyCode, capturedMinor } = payment;
  const amount = (minor: number) => amountOnWire(minor, currencyCode);
  return {
    merchantGuid: payment.merchantGuid,
    paymentUuid: payment.paymentUuid,
    state: payment.state,
    attempt: shownAttempt(payment),
    answer: lastAnswer(payment, events, amountShape),
    currencyCode,
    amount: amount(payment.amountMinor),
    tipAmount: amount(currentTipMinor(payment)),
    authorizedAmount: payment.authorizedAt ? amount(authorizedMinor(payment)) : null,
    capturedAmount: capturedMinor === null ? null : amount(capturedMinor),
    createdAt: payment.createdAt,
    modifiedAt: payment.modifiedAt,
    authorizedAt: payment.authorizedAt,
    applyDeadline: payment.applyDeadline,
    captureDeadline: payment.captureDeadline,
    captureAt: payment.captureAt,
    isVoidable: isVoidableByPartner(payment, clock.nowMs()),
    changes: events.filter(({ toState }) => toState !== 'PENDING').map(changeOnWire),
  };
}

/** A state that a repeat of the PUT doesn't show leaves the answer before it. */
function lastAnswer(
  payment: PaymentRow,
  events: readonly EventRow[],
  shape: AmountShape,
): PaymentAnswer {
  for (const { toState } of events.toReversed()) {
    if (toState === 'ABORTED') return { status: 500, body: null };
    const answered = { ...payment, state: toState };
    if (wireState(answered)) return { status: 200, body: paymentStatus(answered, shape) };
  }
  throw new Error(`payment ${payment.paymentUuid} has no event with an answer`);
}

/** A denial looks the same for the issuer and for a risk rule, so that card testers learn nothing. */
function changeOnWire({ toState, cause, attempt, occurredAt }: EventRow) {
  return {
    state: toState,
    cause: cause === 'riskRefused' ? 'declined' : cause,
    attempt: shownAttempt({ attempt }),
    at: occurredAt,
  };
}

function shownAttempt({ attempt }: Pick<PaymentRow, 'attempt'>): number {
  return Math.max(attempt, 1);
}
