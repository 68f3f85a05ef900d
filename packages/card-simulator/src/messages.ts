export interface WireCard {
  readonly number: string;
  readonly securityCode: string | null;
  readonly expMonth: string;
  readonly expYear: string;
  readonly postalCode: string;
  /** ISO 3166-1 alpha-3. */
  readonly country: string;
}

export interface WireAuthorization {
  /** Makes the call idempotent at the far end; see `authorizationKey`. */
  readonly key: string;
  /** The same for all attempts. */
  readonly paymentId: string;
  readonly merchantGuid: string;
  /** Amount and tip together. */
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly card: WireCard;
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
  readonly willSaveCard: boolean;
}

export interface InquiryOrder {
  /** The key of the call in question. */
  readonly key: string;
}

export interface VoidOrder {
  readonly key: string;
  /** The key of the authorization that made the hold. */
  readonly authorizationKey: string;
}

export interface CaptureOrder extends VoidOrder {
  /** At most what was authorized (PAY-I4). */
  readonly amountMinor: number;
  readonly currencyCode: string;
}

export interface Orders {
  readonly authorize: WireAuthorization;
  readonly inquire: InquiryOrder;
  readonly capture: CaptureOrder;
  readonly void: VoidOrder;
}

export type Operation = keyof Orders;

/** Each is a path of the protocol. */
export const operations: readonly Operation[] = ['authorize', 'inquire', 'capture', 'void'];

/** The processor did it, for the amount that it names. */
export interface Approved {
  readonly outcome: 'approved';
  readonly authorizationCode: string;
  readonly amountMinor: number;
  readonly currencyCode: string;
  /** The processor's own identifier of the hold; null where it may not be kept (PAY-I7). */
  readonly reference: string | null;
}

/** Final. */
export interface Declined {
  readonly outcome: 'declined';
  /** ISO 8583, field 39. */
  readonly responseCode: string;
}

/** The call had no effect. */
export interface NotProcessed {
  readonly outcome: 'notProcessed';
  /** For operators, as in the other answers. */
  readonly explanation: string;
  /** Never on the wire. Set by a caller that sent nothing: then nobody's word is needed. */
  readonly isUnsent?: true;
}

/** To an inquiry: no such call is known. To a capture or a void: no such hold is. */
export interface NotFound {
  readonly outcome: 'notFound';
  readonly explanation: string;
}

/** The call may or may not have had an effect. */
export interface OutcomeUnknown {
  readonly outcome: 'unknown';
  readonly explanation: string;
}

export type ProcessorAnswer = Approved | Declined | NotProcessed | NotFound | OutcomeUnknown;

/** ISO 8583: no action taken, the earlier transaction can't be backed out. */
export const ALREADY_CAPTURED = '21';

/** The payment's own id keeps merchants apart. */
export function authorizationKey(paymentId: string, attempt: number): string {
  return `auth:${paymentId}:${attempt}`;
}

export function captureKey(paymentId: string): string {
  return `capture:${paymentId}`;
}

export function voidKey(paymentId: string): string {
  return `void:${paymentId}`;
}

/** Releases what an attempt with an unknown outcome may hold. */
export function reversalKey(paymentId: string, attempt: number): string {
  return `reversal:${paymentId}:${attempt}`;
}
