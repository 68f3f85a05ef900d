import type {
  AuthorizationMetadata,
  PartnerPayment,
  PaymentAuthorization,
  PaymentStatus,
} from '@servery/contract';
import { type Card, type CardKey, type EncryptedCard, encryptCard } from './cards.ts';
import { Conflict, ErrorAnswer, InvalidInput, NotFound, PlatformFailed } from './errors.ts';
import { checkAmount } from './money.ts';
import { mayBeDone, type RetryingTransport } from './retries.ts';
import type { CallOptions } from './tree.ts';

/** A card payment to authorize. */
export interface PaymentRequest {
  /** A new UUID for each payment. If you leave it out, the client makes one. */
  readonly paymentUuid?: string;
  /** The price without the tip, in currency units. */
  readonly amount: number;
  readonly tipAmount?: number;
  /** A card to encrypt with your keys, or one that a browser has encrypted. */
  readonly card: Card | EncryptedCard;
  readonly guest: {
    /** Your identifier of the guest. */
    readonly identifier: string;
    /** The public IP address of the guest. */
    readonly ipAddress: string;
    readonly email?: string;
    readonly userAgent?: string;
  };
  readonly cardNumberOrigin?: 'END_USER' | 'PARTNER_VAULT';
  readonly willSaveCard?: boolean;
  /** Other fields of the platform's request. */
  readonly requestMetadata?: Partial<PaymentAuthorization['requestMetadata']>;
}

/**
 * A payment that is ready to send. Its bytes no longer change. It is plain data: store it before
 * you send it, so that you can find out its outcome even after a crash. The card is encrypted.
 */
export interface PreparedPayment {
  readonly paymentUuid: string;
  readonly restaurant: string;
  readonly amount: number;
  readonly tipAmount: number;
  readonly body: string;
}

/** The outcome of a payment. */
export type PaymentAnswer = PaymentApproved | PaymentDeclined | PaymentUnknown;

interface PaymentOutcome {
  readonly payment: PreparedPayment;
  /** The platform's state of the payment. New states can be added. */
  readonly state: string | null;
}

/** The money is on hold. Place the order within five minutes, or the hold is released. */
export interface PaymentApproved extends PaymentOutcome {
  readonly outcome: 'approved';
  /** For the receipt. */
  readonly receipt: AuthorizationMetadata | null;
}

/** Nothing is on hold. Ask the guest for another card, and use a new payment for it. */
export interface PaymentDeclined extends PaymentOutcome {
  readonly outcome: 'declined';
  /** Show it to the guest. Null if the payment was approved and then voided. */
  readonly reason: string | null;
}

/**
 * Money may be on hold. Don't start another payment before you know: pass `payment` to
 * `payments.resolve` until the outcome is no longer `unknown`.
 */
export interface PaymentUnknown extends PaymentOutcome {
  readonly outcome: 'unknown';
  /** What to do, for your log. */
  readonly whatToDo: string;
  readonly cause: unknown;
}

export interface PaymentOptions extends CallOptions {
  /** How long to wait while the platform doesn't know the outcome yet. Default: 15 seconds. */
  readonly waitMs?: number;
}

const APPROVED = ['AUTHORIZED', 'APPLIED', 'CAPTURE_SCHEDULED', 'CAPTURE_PENDING', 'CAPTURED'];
const RELEASED = ['DENIED', 'VOID_PENDING', 'VOIDED', 'REVERSAL_PENDING', 'REVERSED'];
const NOTHING_DONE = 500;
const BUSY = 503;
/** Statuses that mean that these bytes never charge a card. */
const REFUSED_BYTES = [400, 404, 413, 415, 422];
const ATTEMPTS_AT_MOST = 3;
/** Card keys are rotated, so a copy of them gets old. */
const KEYS_FRESH_MS = 600_000;
const WAIT_MS = 15_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

interface PaymentSettings {
  readonly restaurant: string | undefined;
  readonly currency: string | undefined;
  readonly instanceId: string;
}

/** Card payments. Their result is always an outcome. */
export class Payments {
  readonly #transport: RetryingTransport;
  readonly #settings: PaymentSettings;
  #keys: Promise<readonly CardKey[]> | null = null;
  #keysUntilMs = 0;

  constructor(transport: RetryingTransport, settings: PaymentSettings) {
    this.#transport = transport;
    this.#settings = settings;
  }

  /**
   * Authorizes a payment. If a response is lost, the client sends the same bytes again, so that
   * there is at most one hold. Throws only if the card was certainly not charged.
   */
  async authorize(
    request: PaymentRequest | PreparedPayment,
    options: PaymentOptions = {},
  ): Promise<PaymentAnswer> {
    const payment = isPrepared(request) ? request : await this.prepare(request, options);
    return await this.#put(payment, options, false);
  }

  /** Checks and encrypts a payment without sending it. Throws InvalidInput. */
  async prepare(request: PaymentRequest, options: CallOptions = {}): Promise<PreparedPayment> {
    const { amount, tipAmount = 0, card, guest, requestMetadata = {} } = request;
    const { currency, instanceId } = this.#settings;
    const restaurant = options.restaurant ?? this.#settings.restaurant;
    if (!restaurant) throw new InvalidInput('restaurant', 'is missing: who gets the money?');
    checkAmount(amount, 'amount', currency);
    checkAmount(tipAmount, 'tipAmount', currency);
    if (amount + tipAmount <= 0) throw new InvalidInput('amount', 'and tipAmount are both 0.');
    const paymentUuid = request.paymentUuid ?? crypto.randomUUID();
    if (!UUID.test(paymentUuid)) throw new InvalidInput('paymentUuid', 'must be a UUID.');
    if (!guest?.identifier) throw new InvalidInput('guest.identifier', 'is missing.');
    if (!guest.ipAddress) throw new InvalidInput('guest.ipAddress', 'is missing.');
    if (!card) throw new InvalidInput('card', 'is missing.');
    if (
      !isEncrypted(card) &&
      card.cvv === undefined &&
      request.cardNumberOrigin !== 'PARTNER_VAULT'
    ) {
      throw new InvalidInput('card.cvv', 'is missing: only a PARTNER_VAULT card may have none.');
    }
    const encrypted = isEncrypted(card) ? card : await this.#encrypt(card, options);
    const { keyId, encryptedCardData, cardFirst6, cardLast4, postalCode, country } = encrypted;
    const body: PaymentAuthorization = {
      cardNumberOrigin: request.cardNumberOrigin ?? 'END_USER',
      willSaveCard: request.willSaveCard ?? false,
      ...{ keyId, encryptedCardData, amount, tipAmount },
      requestMetadata: {
        partnerServiceInfo: { instanceId },
        localTransactionDate: new Date(this.#transport.nowMs()).toISOString(),
        originIPAddr: guest.ipAddress,
        ...{ cardFirst6, cardLast4, billingAddress: { postalCode, country } },
        guestIdentifier: guest.identifier,
        ...(guest.email === undefined ? {} : { guestEmail: guest.email }),
        ...(guest.userAgent === undefined ? {} : { userAgent: guest.userAgent }),
        ...requestMetadata,
      },
    };
    return { paymentUuid, restaurant, amount, tipAmount, body: JSON.stringify(body) };
  }

  /** Finds out the outcome of a payment that may have been sent. Sends it again if necessary. */
  async resolve(payment: PreparedPayment, options: PaymentOptions = {}): Promise<PaymentAnswer> {
    const found = await this.#follow(payment, options);
    return found ?? (await this.#put(payment, options, true));
  }

  /** Sends the payment, and sends it again as long as the platform says that it did nothing. */
  async #put(
    payment: PreparedPayment,
    options: PaymentOptions,
    wasSent: boolean,
  ): Promise<PaymentAnswer> {
    let isMaybeSent = wasSent;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const status = await this.#transport.call('creditCards.authorize', {
          ...requestOf(payment, options),
          text: payment.body,
          onRetry: (error) => {
            isMaybeSent ||= mayBeDone(error);
          },
        });
        const answer = answerOf(payment, status);
        return answer.outcome === 'unknown'
          ? ((await this.#follow(payment, options)) ?? answer)
          : answer;
      } catch (error) {
        // A 503 means that nothing was done.
        const isFailed = error instanceof PlatformFailed && error.status !== BUSY;
        isMaybeSent ||= mayBeDone(error) || isFailed;
        const isRefused = error instanceof ErrorAnswer && REFUSED_BYTES.includes(error.status);
        if (!isMaybeSent || isRefused) throw error;
        // A 409 after a lost response means that the payment exists, but not what its outcome is.
        const isOther = error instanceof ErrorAnswer && !isFailed && !(error instanceof Conflict);
        const found = isOther
          ? unknown(payment, error)
          : await this.#follow(payment, options, error);
        if (found) return found;
        if (attempt >= ATTEMPTS_AT_MOST || !isFailed) return unknown(payment, error);
      }
    }
  }

  /**
   * Reads the payment until the platform knows the outcome. Null if nothing was done: the same bytes
   * can be sent again.
   */
  async #follow(
    payment: PreparedPayment,
    options: PaymentOptions,
    cause: unknown = null,
  ): Promise<PaymentAnswer | null> {
    const endMs = this.#transport.nowMs() + (options.waitMs ?? WAIT_MS);
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      try {
        const request = requestOf(payment, options);
        const found = await this.#transport.call('platform.payments.get', request);
        if (found.state === 'ABORTED' || found.answer.status === NOTHING_DONE) return null;
        const answer = settled(payment, found);
        if (answer) return answer;
      } catch (error) {
        if (error instanceof NotFound) return null;
        const isFinal = error instanceof ErrorAnswer && !(error instanceof PlatformFailed);
        if (isFinal || options.signal?.aborted) return unknown(payment, error);
      }
      if (this.#transport.nowMs() + pauseMs > endMs) return unknown(payment, cause);
      try {
        await this.#transport.pause(pauseMs, options.signal);
      } catch (error) {
        return unknown(payment, error);
      }
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  }

  async #encrypt(card: Card, options: CallOptions): Promise<EncryptedCard> {
    const nowMs = this.#transport.nowMs();
    if (nowMs >= this.#keysUntilMs) this.#keys = null;
    this.#keysUntilMs = this.#keys ? this.#keysUntilMs : nowMs + KEYS_FRESH_MS;
    this.#keys ??= this.#transport
      .call('platform.cardEncryptionKeys.list', options.signal ? { signal: options.signal } : {})
      .catch((error) => {
        this.#keys = null;
        throw error;
      });
    return await encryptCard(card, await this.#keys, nowMs);
  }
}

function isPrepared(request: PaymentRequest | PreparedPayment): request is PreparedPayment {
  return 'body' in request;
}

function isEncrypted(card: Card | EncryptedCard): card is EncryptedCard {
  return 'encryptedCardData' in card;
}

function requestOf({ paymentUuid, restaurant }: PreparedPayment, options: PaymentOptions) {
  const { waitMs: _, ...rest } = options;
  return { ...rest, restaurant, params: { merchantUuid: restaurant, paymentUuid } };
}

function answerOf(payment: PreparedPayment, status: PaymentStatus): PaymentAnswer {
  const { paymentState: state, authorizationMetadata, denialReason } = status;
  if (state === 'AUTHORIZED') {
    return { outcome: 'approved', payment, state, receipt: authorizationMetadata };
  }
  if (state === 'DENIED') return { outcome: 'declined', payment, state, reason: denialReason };
  return unknown(payment, null, state);
}

/** The outcome of a payment; null while it is not known. */
function settled(payment: PreparedPayment, found: PartnerPayment): PaymentAnswer | null {
  const { state, answer } = found;
  if (APPROVED.includes(state)) {
    const receipt = answer.body?.authorizationMetadata ?? null;
    return { outcome: 'approved', payment, state, receipt };
  }
  if (!RELEASED.includes(state)) return null;
  return { outcome: 'declined', payment, state, reason: answer.body?.denialReason ?? null };
}

function unknown(
  payment: PreparedPayment,
  cause: unknown,
  state: string | null = null,
): PaymentUnknown {
  const whatToDo =
    `It is not known yet whether the card is charged. Call payments.resolve with this payment ` +
    `(${payment.paymentUuid}) until it is approved or declined. Do not start another one.`;
  return { outcome: 'unknown', payment, state, whatToDo, cause };
}
