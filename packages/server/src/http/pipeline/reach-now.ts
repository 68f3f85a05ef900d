import { type Reach, reachOf } from '../../reach/reach.ts';
import { ApiError } from '../errors.ts';
import { grantsOf, type IdentifyCaller, type Unauthenticated } from '../operation.ts';
import { isOfKind } from './admit.ts';

const refusals: readonly string[] = ['unauthorized', 'forbidden'];

/**
 * For an answer that goes on (AUTH-9): nowhere once the session, token, account or role has ended.
 * Throws what is no refusal.
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
