import { type ClientType, type Scope, scopesFor } from '@servery/contract';
import { ApiError, type Fault } from '../http/errors.ts';
import { type Grant, type Place, type Reach, reachOf } from '../http/reach.ts';

/** Where an account stands: with its partner, its group, or on the whole platform. */
export function placeOfClient(client: {
  readonly partnerGuid: string | null;
  readonly managementGroupGuid: string | null;
}): Place {
  const { partnerGuid, managementGroupGuid } = client;
  if (partnerGuid !== null) return { kind: 'partner', guid: partnerGuid };
  if (managementGroupGuid !== null) return { kind: 'group', guid: managementGroupGuid };
  return { kind: 'platform' };
}

/** Whether a place lies within a reach. */
export function reachesPlace(reach: Reach, place: Place): boolean {
  if (reach.isPlatform || place.kind === 'platform') return reach.isPlatform;
  const guids = {
    group: reach.groupGuids,
    restaurant: reach.restaurantGuids,
    partner: reach.partnerGuids,
  }[place.kind];
  return guids.includes(place.guid);
}

/** What is wrong with scopes for an account, whoever asks: a list of faults, none when sound. */
export function scopeFaults(
  { type, place }: { readonly type: ClientType; readonly place: Place },
  scopes: readonly string[],
): Fault[] {
  const allowed: readonly string[] = scopesFor(type);
  return scopes.flatMap((scope, index) => {
    const where = `scopes[${index}]`;
    if (!allowed.includes(scope)) {
      return [{ where, message: `must be a scope of a ${type} account: ${allowed.join(', ')}` }];
    }
    // Metrics count what happens in all groups.
    const isAlien = scope === 'metrics:read' && place.kind !== 'platform';
    return isAlien
      ? [{ where, message: 'must not be metrics:read in an account of one group' }]
      : [];
  });
}

/**
 * Refuses to hand out what the caller does not have himself: a back office scope that he does not
 * hold at the account's place. Scopes of partner interfaces, which nobody in the back office holds,
 * come with the place. Throws ApiError `forbidden`.
 */
export function requireHeld(
  grants: readonly Grant[],
  { type, place }: { readonly type: ClientType; readonly place: Place },
  scopes: readonly Scope[],
): void {
  if (type !== 'BACK_OFFICE') return;
  const lacking = scopes.filter((scope) => !reachesPlace(reachOf(grants, scope), place));
  if (lacking.length === 0) return;
  throw new ApiError(
    'forbidden',
    `You do not hold ${lacking.join(', ')} ${whereText(place)} yourself, so you cannot hand it ` +
      'to an account: leave it out, or ask somebody who holds it.',
  );
}

function whereText({ kind }: Place): string {
  return kind === 'platform' ? 'on the whole platform' : `in that ${kind}`;
}
