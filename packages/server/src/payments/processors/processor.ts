import type { Fault } from '@servery/card-simulator/faults.ts';
import type {
  CaptureOrder,
  InquiryOrder,
  ProcessorAnswer,
  VoidOrder,
  WireAuthorization,
} from '@servery/card-simulator/messages.ts';
import type { CardData } from '../cards/card-data.ts';

export interface AuthorizationOrder extends Omit<WireAuthorization, 'card'> {
  readonly card: CardData;
}

/**
 * A second call with the same key has no second effect and gets the first answer. After `signal`
 * aborts or an adapter throws, the outcome is unknown. `notFound` can change later: a slow call may
 * still take effect. Voiding a captured hold is `declined` with the response code ALREADY_CAPTURED.
 * Only the simulator can do a `fault` that was ordered.
 */
export interface Processor {
  /** Without a processor, nothing is asked or recorded. */
  readonly isAbsent?: true;
  authorize(
    order: AuthorizationOrder,
    signal: AbortSignal,
    fault?: Fault,
  ): Promise<ProcessorAnswer>;
  inquire(order: InquiryOrder, signal: AbortSignal, fault?: Fault): Promise<ProcessorAnswer>;
  capture(order: CaptureOrder, signal: AbortSignal, fault?: Fault): Promise<ProcessorAnswer>;
  void(order: VoidOrder, signal: AbortSignal, fault?: Fault): Promise<ProcessorAnswer>;
}

/** Reveals the card: only for the call to the processor. */
export function wireAuthorizationOf({ card, ...order }: AuthorizationOrder): WireAuthorization {
  const { cardNumber, zipCode, cvv = null, expMonth, expYear, country } = card.reveal();
  const wireCard = { number: cardNumber, securityCode: cvv, expMonth, expYear, country };
  return { ...order, card: { ...wireCard, postalCode: zipCode } };
}
