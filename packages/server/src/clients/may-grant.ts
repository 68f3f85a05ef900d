import { type ClientType, type Scope, scopesFor } from '@servery/contract';
import { ApiError } from '../http/errors.ts';
import type { Faults } from '../http/faults.ts';
import { type Grant, isWithin, type KnownPlace, reachOf } from '../reach/reach.ts';

export type ClientPlace = Exclude<KnownPlace, { readonly kind: 'restaurant' }>;

export interface ClientOwner {
  readonly partnerGuid: string | null;
  readonly managementGroupGuid: string | null;
}

export function placeOfClient({ partnerGuid, managementGroupGuid }: ClientOwner): ClientPlace {
  if (partnerGuid !== null) return { kind: 'partner', guid: partnerGuid };
  if (managementGroupGuid !== null) return { kind: 'group', guid: managementGroupGuid };
  return { kind: 'platform' };
}

interface Holder {
  readonly type: ClientType;
  readonly place: ClientPlace;
}

/** Things that no caller can give. */
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
      // Metrics cover all groups.
      faults.add(['scopes', index], 'must not be metrics:read in an account of one group');
    }
  }
  if (type === 'BACK_OFFICE' && given.holdsLegacyCardKey) {
    // Back office accounts make no payments.
    faults.add(['holdsLegacyCardKey'], 'must not be true for a BACK_OFFICE account');
  }
}

export interface Given {
  readonly scopes: readonly Scope[];
  readonly legacyCardKey: boolean;
}

/**
 * The back office scope that allows the same as a partner scope (ACC-2). None allows card payments.
 */
const sameInBackOffice: Readonly<Partial<Record<Scope, Scope>>> = {
  'stock:read': 'stock.admin:read',
  'stock:write': 'stock.admin:write',
  'config:read': 'configuration:read',
  'restaurants:read': 'restaurants.admin:read',
  'menus:read': 'configuration:read',
  'orders:read': 'orders.admin:read',
  'orders.channel:read': 'orders.admin:read',
  'guest.pi:read': 'orders.admin:read',
  'delivery_info.address:read': 'orders.admin:read',
  'orders.orders:write': 'orders.admin:write',
  'orders.items:write': 'orders.admin:write',
  'orders.discounts:write': 'orders.admin:write',
  'orders.payments:write': 'orders.admin:write',
  'orders.delivery_info:write': 'orders.admin:write',
  'orders.channel:void': 'orders.admin:write',
  'orders:void': 'orders.admin:write',
};

/**
 * ACC-1 to ACC-5. An operator, who may change accounts on the whole platform, gives partner scopes
 * and the legacy card key. Others give a scope that they hold at the account's place, or that a
 * live account of the same owner holds (`heldByOwner`). Throws ApiError `forbidden`.
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
  if (given.legacyCardKey) {
    throw new ApiError(
      'forbidden',
      'You cannot set holdsLegacyCardKey: only an operator can. Ask an operator, or leave it out.',
    );
  }
  const isHeld = (scope: Scope) => isWithin(reachOf(grants, scope), holder.place);
  const lacking = given.scopes.filter((scope) => {
    const same = sameInBackOffice[scope];
    return same === undefined || !isHeld(same);
  });
  if (lacking.length === 0) return;
  const held = await heldByOwner();
  const refused = lacking.filter((scope) => !held.has(scope));
  if (refused.length === 0) return;
  throw new ApiError(
    'forbidden',
    `You cannot give ${refused.join(', ')} to this account: no live account of its ` +
      `${holder.place.kind} holds it. Ask an operator to give it, or leave it out.`,
  );
}

/**
 * Refuses back office scopes that the caller doesn't hold at the account's place: acting as the
 * account, the caller would gain them (ACC-5). Throws ApiError `forbidden`.
 */
export function requireHeld(
  grants: readonly Grant[],
  { type, place }: Holder,
  scopes: readonly Scope[],
): void {
  if (type !== 'BACK_OFFICE') return;
  const lacking = scopes.filter((scope) => !isWithin(reachOf(grants, scope), place));
  if (lacking.length === 0) return;
  const where = place.kind === 'platform' ? 'on the whole platform' : `in that ${place.kind}`;
  throw new ApiError(
    'forbidden',
    `You do not hold ${lacking.join(', ')} ${where} yourself, so you cannot give ` +
      'it to an account: leave it out, or ask somebody who holds it.',
  );
}
