/** The card of an authorization. */
export interface WireCard {
  readonly number: string;
  readonly securityCode: string | null;
  readonly expMonth: string;
  readonly expYear: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
}

/** Asks the processor to hold an amount on a card. */
export interface WireAuthorization {
  /** Makes the call idempotent at the far end; see `authorizationKey`. */
  readonly key: string;
  /** The payment, the same over all attempts. */
  readonly paymentId: string;
  readonly merchantGuid: string;
  /** Amount and tip together, in minor units of the currency. */
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly card: WireCard;
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
  readonly willSaveCard: boolean;
}

/** Asks what became of a call. */
export interface InquiryOrder {
  /** The key of the call in question. */
  readonly key: string;
}

/** Asks the processor to take an amount from a hold. */
export interface CaptureOrder {
  readonly key: string;
  /** The key of the authorization that made the hold. */
  readonly authorizationKey: string;
  /** In minor units; at most what was authorized (PAY-I4). */
  readonly amountMinor: number;
  readonly currencyCode: string;
}

/** Asks the processor to release a hold. */
export interface VoidOrder {
  readonly key: string;
  /** The key of the authorization that made the hold. */
  readonly authorizationKey: string;
}

/** What each operation is called with. */
export interface Orders {
  readonly authorize: WireAuthorization;
  readonly inquire: InquiryOrder;
  readonly capture: CaptureOrder;
  readonly void: VoidOrder;
}

/** What a processor can be asked to do. */
export type Operation = keyof Orders;

/** Every operation; each is a path of the protocol. */
export const operations: readonly Operation[] = ['authorize', 'inquire', 'capture', 'void'];

/** The processor did it, for the amount that it names, in minor units. */
export interface Approved {
  readonly outcome: 'approved';
  readonly authorizationCode: string;
  readonly amountMinor: number;
  readonly currencyCode: string;
  /** The processor's own identifier of the hold; null where it may not be kept (PAY-I7). */
  readonly reference: string | null;
}

/** The issuer or the processor refused; final. */
export interface Declined {
  readonly outcome: 'declined';
  /** ISO 8583, field 39. */
  readonly responseCode: string;
}

/** The call had no effect; the text says why, for operators. */
export interface NotProcessed {
  readonly outcome: 'notProcessed';
  readonly explanation: string;
  /** Never on the wire. Set by a caller that sent nothing: then nobody's word is needed. */
  readonly isUnsent?: true;
}

/** To an inquiry: no such call is known. To a capture or a void: no such hold is. */
export interface NotFound {
  readonly outcome: 'notFound';
  readonly explanation: string;
}

/** The call may or may not have had an effect; the text says why, for operators. */
export interface OutcomeUnknown {
  readonly outcome: 'unknown';
  readonly explanation: string;
}

/** Every answer that a call can come back with. */
export type ProcessorAnswer = Approved | Declined | NotProcessed | NotFound | OutcomeUnknown;

/** ISO 8583: no action taken, the earlier transaction can't be backed out. */
export const ALREADY_CAPTURED = '21';

/** The key of an authorization attempt; the payment's own id keeps merchants apart. */
export function authorizationKey(paymentId: string, attempt: number): string {
  return `auth:${paymentId}:${attempt}`;
}

/** The key of a payment's capture: there is one at most. */
export function captureKey(paymentId: string): string {
  return `capture:${paymentId}`;
}

/** The key of a payment's void. */
export function voidKey(paymentId: string): string {
  return `void:${paymentId}`;
}

/** The key that releases what an attempt with an unknown outcome may hold. */
export function reversalKey(paymentId: string, attempt: number): string {
  return `reversal:${paymentId}:${attempt}`;
}
