import type {
  CaptureOrder,
  InquiryOrder,
  ProcessorAnswer,
  VoidOrder,
  WireAuthorization,
} from '@servery/card-simulator/messages.ts';
import type { CardData } from '../cards/card-data.ts';

/** Asks the processor to hold an amount on a card, which can't be printed or logged. */
export interface AuthorizationOrder extends Omit<WireAuthorization, 'card'> {
  readonly card: CardData;
}

/**
 * Authorizes, captures and voids at the card network. Each call carries a key: a second call with
 * the same key has no second effect and gets the first one's answer. `signal` ends a call whose
 * deadline has passed; what it did by then is unknown. An adapter that throws has, for its caller,
 * an unknown outcome too. `notFound` may change later: a slow call can still have its effect. A void
 * of a captured hold is `declined` with the response code ALREADY_CAPTURED.
 */
export interface Processor {
  /** True where the platform has none: it is asked nothing, and nothing is recorded. */
  readonly isAbsent?: true;
  authorize(order: AuthorizationOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
  inquire(order: InquiryOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
  capture(order: CaptureOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
  void(order: VoidOrder, signal: AbortSignal): Promise<ProcessorAnswer>;
}
