import { ApiError } from '../../http/errors.ts';
import type { HandlerOf, RequestFor } from '../../http/operation.ts';
import { insertCardKey } from '../cards/card-key-store.ts';
import { type CardKeyRequest, type IssueCardKeyDeps, makeCardKey } from '../cards/card-keys.ts';
import {
  cardKeyOnWire,
  logCardKey,
  type MoveCardKeyHandlerDeps,
  recordCardKey,
  requireKeyHolder,
} from './card-keys.ts';

export type IssueCardKeyHandlerDeps = MoveCardKeyHandlerDeps & Pick<IssueCardKeyDeps, 'vault'>;

export const issueCardKeyHandler =
  (deps: IssueCardKeyHandlerDeps): HandlerOf<'backOffice.cardKeys.issue'> =>
  async (request) => {
    const { params, reach } = request;
    const nowMs = deps.clock.nowMs();
    const asked = askedKey(request, nowMs);
    const holder = await requireKeyHolder(deps.database.sql, params.clientId, reach);
    if (holder.isRevoked) {
      throw new ApiError('unprocessable', 'The client was revoked: it cannot use a new card key.');
    }
    const made = await makeCardKey(deps.vault, asked);
    const now = new Date(nowMs);
    const issued = { ...made, createdAt: now, stateChangedAt: now };
    await deps.database.transaction(async (sql) => {
      await insertCardKey(sql, made, now);
      await recordCardKey(request, deps.realClock, holder)(sql, null, issued);
    });
    logCardKey(deps, request, issued);
    return { json: cardKeyOnWire(issued) };
  };

function askedKey(
  { params: { clientId }, body, faults }: RequestFor<'backOffice.cardKeys.issue'>,
  nowMs: number,
): CardKeyRequest {
  const { algorithm, legacy, state, notAfter = null } = body;
  if (algorithm === 'RSA-OAEP-SHA1' && !legacy) {
    faults.add(
      ['algorithm'],
      'RSA-OAEP-SHA1 is deprecated: only a key with legacy true may use it',
    );
  }
  const notAfterMs = notAfter === null ? null : Date.parse(notAfter);
  if (notAfterMs !== null && notAfterMs <= nowMs) faults.add(['notAfter'], 'must be in the future');
  faults.refuse();
  return { clientId, algorithm, legacy, state, notAfterMs };
}
