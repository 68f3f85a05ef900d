import type { Database } from '../database/database.ts';
import type { Cache } from '../freshness/cache.ts';
import type { Answers } from '../http/fast/cached-answer.ts';
import { type Access, type Caller, grantsOf } from '../http/operation.ts';
import { reachesRestaurant, reachOf } from '../reach/reach.ts';
import { type AccessRow, findAccess } from './store.ts';

export interface AccessDeps {
  readonly database: Database;
  readonly accesses: Cache<AccessRow>;
  readonly answers: Answers;
}

/**
 * A partner needs a live connection; others need a grant for the restaurant, its group (AUTH-7) or
 * the platform. AUTH-9: cached rows are read again after any change, so no right outlives its end.
 * Archived restaurants are included: each operation decides (RST-2).
 */
export function restaurantAccess({ database, accesses, answers }: AccessDeps): Access {
  return async (caller, restaurantGuid, chooseAlong) => {
    const partnerGuid = caller.type === 'PARTNER' ? caller.partnerGuid : null;
    const key = `${restaurantGuid} ${partnerGuid ?? ''}`;
    // With a replica, the page is a read of its own, which the replica can answer.
    const readsAlong = partnerGuid !== null && !answers.hasReplica && accesses.lacks(key);
    const chosen = readsAlong ? chooseAlong?.() : null;
    const along = chosen && answers.lacks(chosen.answerKey) ? chosen : null;
    let text = null as string | null;
    const cached = await accesses.get(
      key,
      [`restaurant:${restaurantGuid}`, ...(along?.subjects ?? [])],
      async (sight) => {
        // On a cluster (no `sight`), the access is on other nodes than the restaurant's rows.
        const found = await findAccess(
          database.sql,
          restaurantGuid,
          partnerGuid,
          sight,
          sight && along,
        );
        text = found?.along ?? null;
        return found?.access ?? null;
      },
    );
    const row = cached?.value;
    if (!row) return { outcome: 'unknown' };
    const { connected, ...restaurant } = row;
    if (!isReached(caller, row)) return { outcome: 'notGranted' };
    if (!along || text === null) return { outcome: 'granted', restaurant };
    const { answerKey } = along;
    return { outcome: 'granted', restaurant, along: { answerKey, text, stamp: cached.stamp } };
  };
}

function isReached(caller: Caller, row: AccessRow): boolean {
  if (caller.type === 'PARTNER') return row.connected;
  return reachesRestaurant(reachOf(grantsOf(caller), null), row);
}
