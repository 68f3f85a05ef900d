import type { BackOfficeRequest } from '../http/operation.ts';
import type { Clock } from '../support/clock.ts';
import type { ChangeOrigin } from './entry-store.ts';

/** Who changes something by a request to the back office. */
export function originOf(
  { by, requestId, operation, nowMs }: BackOfficeRequest,
  realClock: Clock,
): ChangeOrigin {
  return {
    by,
    requestId,
    operation: operation.id,
    at: new Date(nowMs),
    realAt: new Date(realClock.nowMs()),
  };
}
