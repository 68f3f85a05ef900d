import type { IncomingMessage } from 'node:http';
import type { Operation } from '@servery/contract';
import type { Answer, Caller, RestaurantContext } from '../operation.ts';

export interface FaultedRequest {
  readonly requestId: string;
  readonly raw: Pick<IncomingMessage, 'headers'>;
  readonly operation: Operation | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly caller: Caller | null;
  readonly restaurant: RestaurantContext | null;
}

/** What happens to an answer on its way. */
export type SpoiltDelivery =
  /** Nothing arrives, and the connection stays open. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'slow'; readonly durationMs: number };

/** What may go wrong with one request. */
export interface RequestFault {
  /** The faults that have touched it so far. */
  readonly happened: ReadonlySet<string>;
  readonly delivery: SpoiltDelivery | null;
  /** Stands between the checks and the handler, which it calls once, twice, or not at all. */
  serve(handle: () => Promise<Answer>): Promise<Answer>;
}

/** For the response header and the log of requests; null if no fault touched the request. */
export function faultsText(fault: RequestFault | null): string | null {
  return fault && fault.happened.size > 0 ? [...fault.happened].join(', ') : null;
}

/** Faults that somebody ordered in a sandbox. */
export interface OrderedFaults {
  /** If true, the request goes the whole way. */
  mayTouch(raw: FaultedRequest['raw']): boolean;
  /** After the checks of the caller. Throws ApiError `badRequest` for a header that names no fault. */
  take(request: FaultedRequest): Promise<RequestFault | null>;
}
