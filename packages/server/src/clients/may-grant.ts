import { type ClientType, type Scope, scopesFor } from '@servery/contract';
import { ApiError } from '../http/errors.ts';
import type { Faults } from '../http/faults.ts';
import { type Grant, isWithin, type KnownPlace, reachOf } from '../reach/reach.ts';

/** A place where an account can stand. */
export type ClientPlace = Exclude<KnownPlace, { readonly kind: 'restaurant' }>;

/** Whose an account is; nobody's for one of the whole platform. */
export interface ClientOwner {
  readonly partnerGuid: string | null;
  readonly managementGroupGuid: string | null;
}

/** Where an account stands: with its partner, its group, or on the whole platform. */
export function placeOfClient({ partnerGuid, managementGroupGuid }: ClientOwner): ClientPlace {
  if (partnerGuid !== null) return { kind: 'partner', guid: partnerGuid };
  if (managementGroupGuid !== null) return { kind: 'group', guid: managementGroupGuid };
  return { kind: 'platform' };
}

/** An account: of which kind, and where it stands. */
interface Holder {
  readonly type: ClientType;
  readonly place: ClientPlace;
}

/** Notes what no caller can give to an account: scopes of another kind, and card keys. */
export function addGivenFaults(
  { type, place }: Holder,
  given: { readonly scopes: readonly Scope[]; readonly holdsLegacyCardKey: boolean },
  faults: Faults,
): void {
  const allowed: readonly Scope[] = scopesFor(type);
  for (const [index, scope] of given.scopes.entries()) {
    if (!allowed.includes(scope)) {
      faults.add(['scopes', index], `must be a scope of a ${type} account: ${allowed.join(', ')}`);
    } else if (scope === 'metrics:read' && place.kind !== 'platform') {
      // Metrics count what happens in all groups.
      faults.add(['scopes', index], 'must not be metrics:read in an account of one group');
    }
  }
  if (type === 'BACK_OFFICE' && given.holdsLegacyCardKey) {
    // Accounts of the back office make no payments.
    faults.add(['holdsLegacyCardKey'], 'must not be true for a BACK_OFFICE account');
  }
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
