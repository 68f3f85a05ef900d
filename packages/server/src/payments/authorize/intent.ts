import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { REMOVED, removeCardNumbers } from '../../text/card-number-removal.ts';
import { mayHoldNumber } from '../../text/sent-number.ts';
import type { CardData } from '../cards/card-data.ts';
import { riskDenialText } from '../life/denials.ts';
import type { Lease } from '../life/lease.ts';
import { nextState } from '../life/lifecycle.ts';
import type { PaymentKey, PaymentRow } from '../life/store.ts';
import type { AuthorizationRequest, Guest } from './authorization-request.ts';
import type { RiskRefusal } from './risk.ts';

export interface NewPayment
  extends PaymentRow,
    Pick<AuthorizationRequest, 'cardNumberOrigin' | 'willSaveCard'> {
  readonly cardDigest: Buffer;
}

export interface Intent {
  readonly payment: NewPayment;
  readonly guest: Guest;
  /** Of the first event. */
  readonly eventGuid: string;
  readonly refusal: RiskRefusal | null;
}

export interface IntentInput {
  readonly key: PaymentKey;
  readonly clientId: string;
  readonly request: AuthorizationRequest;
  readonly card: CardData;
  readonly nowMs: number;
  readonly lease: Lease;
}

export function makeIntent(vault: Vault, input: IntentInput): Intent {
  const { request, card } = input;
  const now = new Date(input.nowMs);
  const payment: NewPayment = {
    ...input.key,
    paymentId: newGuid(),
    clientId: input.clientId,
    state: nextState('NEW', 'submitted'),
    version: 1,
    attempt: 1,
    contentDigest: contentDigest(vault, request, card),
    currencyCode: request.currencyCode,
    amountMinor: request.amountMinor,
    tipMinor: request.tipMinor,
    cardNumberOrigin: request.cardNumberOrigin,
    willSaveCard: request.willSaveCard,
    cardBrand: card.brand,
    cardFirst6: card.first6,
    cardLast4: card.last4,
    changedTipMinor: null,
    capturedMinor: null,
    cardDigest: vault.digest('payment.card-number', card.reveal().cardNumber),
    localTransactionDate: request.localTransactionDate,
    authorizationCode: null,
    responseCode: null,
    denialReason: null,
    error: null,
    authorizedAt: null,
    applyDeadline: null,
    captureDeadline: null,
    captureAt: null,
    checkGuid: null,
    orderGuid: null,
    voidReason: null,
    // Due at once after the lease expires: by then this process has died.
    dueAt: now,
    tries: 0,
    ...input.lease,
    createdAt: now,
    modifiedAt: now,
  };
  const guest = withoutCardNumbers(request.guest, card);
  return { payment, guest, eventGuid: newGuid(), refusal: null };
}

export function refuseIntent(intent: Intent, refusal: RiskRefusal): Intent {
  const payment = {
    ...intent.payment,
    state: nextState('NEW', 'riskRefused'),
    attempt: 0,
    denialReason: riskDenialText,
    ...{ dueAt: null, leaseHolder: null, leaseExpiresAt: null },
  };
  return { ...intent, payment, refusal };
}

/**
 * The keyed digest that distinguishes a repeat from another payment (PAY-7). It omits what may
 * differ between honest repeats: ciphertext, key, and the description of the sending program. It
 * also omits the security code: if the master key leaked, its three digits could be guessed.
 */
function contentDigest(vault: Vault, request: AuthorizationRequest, card: CardData): Buffer {
  const { cardNumber, zipCode, expMonth, expYear, country } = card.reveal();
  const { guest } = request;
  const content = [
    [request.cardNumberOrigin, request.willSaveCard],
    [request.currencyCode, request.amountMinor, request.tipMinor],
    [cardNumber, zipCode, expMonth, expYear, country],
    [request.localTransactionDate, guest.originIpAddress],
    [guest.guestIdentifier, guest.guestEmail],
    [guest.billingAddress, guest.deliveryAddress],
  ];
  return vault.digest('payment.content', JSON.stringify(content));
}

/** Removes card numbers that the client wrote into texts (PAY-I7). */
function withoutCardNumbers(guest: Guest, card: CardData): Guest {
  const { cardNumber } = card.reveal();
  const kept = changeTexts(guest, (text) => removeCardNumbers(text, cardNumber));
  // The number may be spread over several texts.
  return mayHoldNumber(Object.values(kept), cardNumber) ? changeTexts(kept, () => REMOVED) : kept;
}

function changeTexts<T>(value: T, change: (text: string) => string): T;
function changeTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const name of Object.keys(copy)) copy[name] = changeTexts(copy[name], change);
  return copy;
}
