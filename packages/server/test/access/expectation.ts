import { type Operation, roles, type Scope } from '@servery/contract';
import type { AccessCaller, AccessPlace } from './callers.ts';
import type { Sample, Side } from './samples.ts';

/** What a caller gets: in, or one of the refusals that come before an operation begins. */
export type Outcome = 'in' | 401 | 403 | 404;

/** What a role that was given for a part of the platform never allows: it is about the whole. */
const ofWholePlatform: readonly Scope[] = [
  'metrics:read',
  'clock:write',
  'sandboxes:read',
  'sandboxes:write',
  'faults:read',
  'faults:write',
  'requests:write',
];
/** What a role at a group or a restaurant never allows: it is about a partner. */
const ofPartners: readonly Scope[] = ['webhooks:read', 'webhooks:write'];

/**
 * What the rules of the back office give a caller, from the contract's scopes and roles and from
 * who reaches where: nothing of the platform's own code is asked.
 */
export function expectedOutcome(
  caller: AccessCaller,
  operation: Operation,
  { at, isPartEnough = false, needs }: Sample,
  side: Side,
): Outcome {
  const { security, scope, restaurant } = operation;
  if (security === 'none') return 'in';
  if (caller.kind === 'nobody') return 401;
  if (caller.kind === 'partner' || caller.kind === 'customer') return 403;
  if (security === 'session') return caller.kind === 'person' ? 'in' : 403;
  const isHeld = scope === null || scopesOf(caller).includes(scope);
  if (restaurant !== 'none' && !reaches(caller, side.restaurant, side)) return 404;
  if (!isHeld || (scope !== null && caller.place === null)) return 403;
  if (needs && !(caller.place && needs.includes(caller.place.kind))) return 403;
  const isInside = isPartEnough && isAtRestaurantOf(caller, side);
  return at && !isInside && !reaches(caller, at(side), side) ? 404 : 'in';
}

/** What a caller may do at his place. */
function scopesOf({ role, place, scopes }: AccessCaller): readonly Scope[] {
  if (role === null) return scopes;
  const held: readonly Scope[] = roles[role].scopes;
  if (place?.kind === 'platform') return held;
  const never = place?.kind === 'partner' ? ofWholePlatform : [...ofWholePlatform, ...ofPartners];
  return held.filter((one) => !never.includes(one));
}

function isAtRestaurantOf({ place }: AccessCaller, { restaurantsOfGroup }: Side): boolean {
  return place?.kind === 'restaurant' && restaurantsOfGroup.includes(place.guid ?? '');
}

/** Whether a caller reaches a place: his own, and the restaurants of his group. */
function reaches({ place }: AccessCaller, target: AccessPlace, side: Side): boolean {
  if (!place) return false;
  if (place.kind === 'platform') return true;
  if (place.kind === target.kind && place.guid === target.guid) return true;
  const isOfGroup = target.kind === 'restaurant' && place.kind === 'group';
  return isOfGroup && place.guid === side.group.guid;
}
