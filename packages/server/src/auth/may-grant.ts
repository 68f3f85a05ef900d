import { type ClientType, type Scope, scopesFor } from '@servery/contract';
import { ApiError, type Fault } from '../http/errors.ts';
import { type Grant, isWithin, type KnownPlace, reachOf } from '../http/reach.ts';

/** A place where an account can stand. */
export type ClientPlace = Exclude<KnownPlace, { readonly kind: 'restaurant' }>;

/** Where an account stands: with its partner, its group, or on the whole platform. */
export function placeOfClient(client: {
  readonly partnerGuid: string | null;
  readonly managementGroupGuid: string | null;
}): ClientPlace {
  const { partnerGuid, managementGroupGuid } = client;
  if (partnerGuid !== null) return { kind: 'partner', guid: partnerGuid };
  if (managementGroupGuid !== null) return { kind: 'group', guid: managementGroupGuid };
  return { kind: 'platform' };
}

/** What is wrong with scopes for an account, whoever asks: a list of faults, none when sound. */
export function scopeFaults(
  { type, place }: { readonly type: ClientType; readonly place: ClientPlace },
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
  { type, place }: { readonly type: ClientType; readonly place: ClientPlace },
  scopes: readonly Scope[],
): void {
  if (type !== 'BACK_OFFICE') return;
  const lacking = scopes.filter((scope) => !isWithin(reachOf(grants, scope), place));
  if (lacking.length === 0) return;
  throw new ApiError(
    'forbidden',
    `You do not hold ${lacking.join(', ')} ${whereText(place)} yourself, so you cannot hand it ` +
      'to an account: leave it out, or ask somebody who holds it.',
  );
}

function whereText({ kind }: ClientPlace): string {
  return kind === 'platform' ? 'on the whole platform' : `in that ${kind}`;
}
