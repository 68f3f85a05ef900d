import type { CardData } from '../cards/card-data.ts';

/** What the processor is asked to hold. */
export interface AuthorizationOrder {
  /** Makes the call idempotent at the far end: `auth:<payment id>:<attempt>`. */
  readonly key: string;
  /** The payment, the same over all attempts. */
  readonly paymentId: string;
  readonly merchantGuid: string;
  /** Amount and tip together, in minor units of the currency. */
  readonly amountMinor: number;
  readonly currencyCode: string;
  readonly card: CardData;
  readonly cardNumberOrigin: 'END_USER' | 'PARTNER_VAULT';
  readonly willSaveCard: boolean;
}

/** A question for what became of a call. */
export interface InquiryOrder {
  /** The key of the call that is asked about. */
  readonly key: string;
}

/** What the processor is asked to take of a hold. */
export interface CaptureOrder {
  /** `capture:<payment id>`. */
  readonly key: string;
  /** The key of the authorization that made the hold. */
  readonly authorizationKey: string;
  /** In minor units; at most what was authorized (PAY-I4). */
  readonly amountMinor: number;
  readonly currencyCode: string;
}

/** Which hold the processor is asked to give up. */
export interface VoidOrder {
  /** `void:<payment id>`. */
  readonly key: string;
  /** The key of the authorization that made the hold. */
  readonly authorizationKey: string;
}

/** The processor did it; the amount is what it says it did it for, in minor units. */
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
  /** True when nothing left this process: then it is sure, and no far end's word. */
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

/**
 * Whoever authorizes, captures and voids at the card network. Each call carries a key: a second
 * call with the same key has no second effect and gets the first one's answer. `signal` ends a call
 * whose deadline has passed; what it did by then is unknown. An adapter that throws has, for its
 * caller, an unknown outcome too. `notFound` may change later: a call that was long under way can
 * still have its effect. A void of a hold that was captured is `declined` with the response code
 * ALREADY_CAPTURED.
 */
export interface Processor {
  /** True where the platform has none: nothing is asked of it then, and nothing is recorded. */
  readonly isAbsent?: true;
  authorize(order: AuthorizationOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
  inquire(order: InquiryOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
  capture(order: CaptureOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
  void(order: VoidOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
}

/** ISO 8583: no action taken, the earlier transaction cannot be backed out. */
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

/** The key under which what an attempt may hold is given up. */
export function reversalKey(paymentId: string, attempt: number): string {
  return `reversal:${paymentId}:${attempt}`;
}
