import { type Reach, reachOf } from '../../reach/reach.ts';
import { ApiError } from '../errors.ts';
import { grantsOf, type IdentifyCaller, type Unauthenticated } from '../operation.ts';
import { isOfKind } from './admit.ts';

/** What says that somebody is let in no more. */
const refusals: readonly string[] = ['unauthorized', 'forbidden'];

/**
 * Where the caller of a request holds its operation's scope at this moment, for an answer that goes
 * on (AUTH-9): nowhere once the session, the token, the account or the role has ended. `nowMs` is the
 * environment's time in epoch milliseconds. Throws what is no refusal.
 */
export async function findReachNow(
  authenticate: IdentifyCaller,
  request: Unauthenticated,
  nowMs: number,
): Promise<Reach> {
  const { operation } = request;
  const caller = await authenticate(request, nowMs).catch((error: unknown) => {
    if (error instanceof ApiError && refusals.includes(error.errorClass)) return null;
    throw error;
  });
  if (!operation || !caller || !isOfKind(caller, operation)) return reachOf([], null);
  return reachOf(grantsOf(caller), operation.scope);
}
