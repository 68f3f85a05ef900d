import { type ClientType, type Scope, scopesFor } from '@servery/contract';
import { ApiError, type Fault } from '../http/errors.ts';
import { type Grant, isWithin, type KnownPlace, reachOf } from '../reach/reach.ts';

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

/** What is wrong with scopes for an account, for any caller: a list of faults, none when sound. */
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

/** An account: of which kind, and where it stands. */
interface Holder {
  readonly type: ClientType;
  readonly place: ClientPlace;
}

/** What is to be given to an account that it does not have. */
export interface Given {
  readonly scopes: readonly Scope[];
  readonly legacyCardKey: boolean;
}

/**
 * Which scope of the back office lets its holder do what a scope of the partner interfaces allows
 * (ACC-2). None lets anybody authorize payments by card.
 */
const sameInBackOffice: Readonly<Partial<Record<Scope, Scope>>> = {
  'stock:read': 'stock.admin:read',
  'stock:write': 'stock.admin:write',
  'config:read': 'configuration:read',
  'restaurants:read': 'restaurants.admin:read',
};

/**
 * Decides who gives what to accounts (ACC-1 to ACC-5). An operator, who may change accounts on the
 * whole platform, gives scopes of the partner interfaces and the legacy card key. All others give a
 * scope that they hold themselves at the account's place, or that a live account of the same owner
 * holds: `heldByOwner` reads those. Throws ApiError `forbidden`.
 */
export async function requireMayGive(
  grants: readonly Grant[],
  holder: Holder,
  given: Given,
  heldByOwner: () => Promise<ReadonlySet<Scope>>,
): Promise<void> {
  if (holder.type === 'BACK_OFFICE') {
    requireHeld(grants, holder, given.scopes);
    return;
  }
  if (reachOf(grants, 'clients:write').isPlatform) return;
  if (given.legacyCardKey) throw mayNotGiveLegacyKey();
  const isHeld = (scope: Scope) => isWithin(reachOf(grants, scope), holder.place);
  const lacking = given.scopes.filter((scope) => {
    const same = sameInBackOffice[scope];
    return same === undefined || !isHeld(same);
  });
  if (lacking.length === 0) return;
  const held = await heldByOwner();
  const refused = lacking.filter((scope) => !held.has(scope));
  if (refused.length > 0) throw mayNotGive(refused, holder.place);
}

/**
 * Refuses what somebody who acts as the account could do and the caller cannot: a back office scope
 * that the caller does not hold at the account's place (ACC-5). Throws ApiError `forbidden`.
 */
export function requireHeld(
  grants: readonly Grant[],
  { type, place }: Holder,
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

function mayNotGive(scopes: readonly Scope[], { kind }: ClientPlace): ApiError {
  return new ApiError(
    'forbidden',
    `You cannot give ${scopes.join(', ')} to this account: no live account of its ${kind} holds ` +
      'it. Ask an operator to give it, or leave it out.',
  );
}

function mayNotGiveLegacyKey(): ApiError {
  return new ApiError(
    'forbidden',
    'You cannot set holdsLegacyCardKey: only an operator can. Ask an operator, or leave it out.',
  );
}

function whereText({ kind }: ClientPlace): string {
  return kind === 'platform' ? 'on the whole platform' : `in that ${kind}`;
}
