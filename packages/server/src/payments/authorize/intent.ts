import { newGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import { REMOVED, removeCardNumbers } from '../../text/card-number-removal.ts';
import { mayHoldNumber } from '../../text/sent-number.ts';
import type { CardData } from '../cards/card-data.ts';
import type { Lease } from '../life/lease.ts';
import { nextState } from '../life/lifecycle.ts';
import type { GuestRow, NewEvent, NewPayment, PaymentKey } from '../life/store.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import type { RiskRefusal } from './risk.ts';

export interface Intent {
  readonly payment: NewPayment;
  readonly event: NewEvent;
  readonly guest: GuestRow;
  readonly refusal: RiskRefusal | null;
}

export interface IntentInput {
  readonly key: PaymentKey;
  readonly paymentId: string;
  readonly clientId: string;
  readonly request: AuthorizationRequest;
  readonly card: CardData;
  readonly nowMs: number;
  readonly lease: Lease;
}

export function makeIntent(vault: Vault, input: IntentInput): Intent {
  const { request, card, nowMs, lease } = input;
  const cause = 'submitted';
  const state = nextState('NEW', cause);
  const attempt = 1;
  const now = new Date(nowMs);
  const payment: NewPayment = {
    ...input.key,
    paymentId: input.paymentId,
    clientId: input.clientId,
    state,
    version: 1,
    attempt,
    contentDigest: contentDigest(vault, request, card),
    currencyCode: request.currencyCode,
    amountMinor: request.amountMinor,
    tipMinor: request.tipMinor,
    cardNumberOrigin: request.cardNumberOrigin,
    willSaveCard: request.willSaveCard,
    cardBrand: card.brand,
    cardFirst6: card.first6,
    cardLast4: card.last4,
    capturedMinor: null,
    cardDigest: vault.digest('payment.card-number', card.reveal().cardNumber),
    localTransactionDate: request.metadata.localTransactionDate,
    authorizationCode: null,
    responseCode: null,
    denialReason: null,
    error: null,
    authorizedAt: null,
    applyDeadline: null,
    captureDeadline: null,
    captureAt: null,
    checkGuid: null,
    voidReason: null,
    // Due at once after the lease expires: by then this process has died.
    dueAt: now,
    tries: 0,
    leaseHolder: lease.holder,
    leaseExpiresAt: lease.expiresAt,
    createdAt: now,
    modifiedAt: now,
  };
  const event: NewEvent = {
    guid: newGuid(),
    version: 1,
    from: 'NEW',
    cause,
    to: state,
    attempt,
    details: null,
    occurredAt: now,
  };
  return { payment, event, guest: guestOf(request, card), refusal: null };
}

export function refuseIntent(intent: Intent, refusal: RiskRefusal): Intent {
  const cause = 'riskRefused';
  const state = nextState('NEW', cause);
  const denied = { state, attempt: 0, denialReason: refusal.guestText };
  const unattended = { dueAt: null, leaseHolder: null, leaseExpiresAt: null };
  const { rule } = refusal;
  return {
    ...intent,
    payment: { ...intent.payment, ...denied, ...unattended },
    event: { ...intent.event, guid: newGuid(), cause, to: state, attempt: 0, details: { rule } },
    refusal,
  };
}

/**
 * The keyed digest that distinguishes a repeat from another payment (PAY-7). It omits what may
 * differ between honest repeats: ciphertext, key, and the description of the sending program. It
 * also omits the security code: if the master key leaked, its three digits could be guessed.
 */
function contentDigest(vault: Vault, request: AuthorizationRequest, card: CardData): Buffer {
  const { cardNumber, zipCode, expMonth, expYear, country } = card.reveal();
  const { metadata } = request;
  const content = [
    [request.cardNumberOrigin, request.willSaveCard],
    [request.currencyCode, request.amountMinor, request.tipMinor],
    [cardNumber, zipCode, expMonth, expYear, country],
    [metadata.localTransactionDate, metadata.originIpAddress],
    [metadata.guestIdentifier, metadata.guestEmail],
    [metadata.billingAddress, metadata.deliveryAddress],
  ];
  return vault.digest('payment.content', JSON.stringify(content));
}

/** Removes card numbers that the client wrote into texts (PAY-I7). */
function guestOf(request: AuthorizationRequest, card: CardData): GuestRow {
  const { metadata } = request;
  const guest: GuestRow = {
    guestIdentifier: metadata.guestIdentifier,
    guestEmail: metadata.guestEmail,
    originIpAddress: metadata.originIpAddress,
    userAgent: metadata.userAgent,
    appName: metadata.appName,
    appVersion: metadata.appVersion,
    instanceId: metadata.instanceId,
    additionalInfo: metadata.additionalInfo,
    billingAddress: metadata.billingAddress,
    deliveryAddress: metadata.deliveryAddress,
  };
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
