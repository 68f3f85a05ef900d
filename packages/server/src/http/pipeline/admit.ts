import type { IncomingMessage } from 'node:http';
import {
  brandedHeaders,
  type ExplainedRestaurant,
  namesRestaurantInPath,
  type Operation,
  type Scope,
} from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { type Reach, reachesRestaurant, reachOf } from '../../reach/reach.ts';
import { ApiError } from '../errors.ts';
import { type Access, type Caller, grantsOf, type RestaurantContext } from '../operation.ts';
import type { Check } from './observe.ts';

export interface AdmitDeps {
  readonly brand: string;
  readonly access: Access;
  readonly isSandbox: boolean;
  /** Null for an order that nobody placed. */
  readonly restaurantOfOrder?: (orderGuid: string) => Promise<string | null>;
  /** Throws ApiError if the address has used its budget. */
  readonly chargeAddress: () => Promise<void>;
  readonly onCheck?: (check: Check) => void;
  readonly onRestaurant?: (outcome: NonNullable<ExplainedRestaurant['outcome']>) => void;
}

export interface Admission {
  readonly raw: Pick<IncomingMessage, 'headers'>;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly caller: Caller;
  readonly operation: Operation;
}

export function namedRestaurant(
  brand: string,
  { raw, params, operation }: Pick<Admission, 'raw' | 'params' | 'operation'>,
): string | undefined {
  if (operation.restaurant === 'none') return undefined;
  return namesRestaurantInPath(operation)
    ? params[parameterOf(operation)]
    : restaurantHeader(brand, raw);
}

/** Throws ApiError for the first check that fails (API-5, API-6). */
export async function admit(
  deps: AdmitDeps,
  request: Admission,
): Promise<RestaurantContext | null> {
  const { caller, operation } = request;
  deps.onCheck?.('kind');
  if (!isOfKind(caller, operation)) throw wrongKind(caller, operation);
  if (operation.security === 'session' && caller.type !== 'PERSON') {
    throw new ApiError(
      'forbidden',
      `${operation.id} is only for a person who is logged in: a client has no session.`,
    );
  }
  deps.onCheck?.('restaurant');
  const restaurant = operation.restaurant === 'none' ? null : await admitRestaurant(deps, request);
  deps.onCheck?.('scope');
  const { scope, orScope } = operation;
  const enough = [scope, orScope].filter((one) => one !== null);
  if (scope && !enough.some((one) => holdsScope(caller, one, restaurant))) {
    throw lacksScope(caller, operation, scope);
  }
  requireConditions(deps, caller, operation, restaurant);
  return restaurant;
}

/**
 * Handlers don't repeat these checks, so that `whoami` can predict them. Throws ApiError
 * `forbidden`.
 */
export function requireConditions(
  { isSandbox }: Pick<AdmitDeps, 'isSandbox'>,
  caller: Caller,
  operation: Operation,
  restaurant: RestaurantContext | null,
): void {
  const { id, isForPartners, isForSandbox, heldFor, scope } = operation;
  if (isForPartners && caller.type !== 'PARTNER') {
    throw new ApiError(
      'forbidden',
      `This client is the account of a management group, and ${id} is for partner accounts: the ` +
        'restaurants interface lists the restaurants of a group.',
    );
  }
  if (isForSandbox && !isSandbox) {
    throw new ApiError(
      'forbidden',
      `${id} is only for sandboxes: the production clock can't be moved.`,
    );
  }
  if (heldFor === null || isHeldFor(heldFor, reachOf(grantsOf(caller), scope), restaurant)) return;
  const [whole, helper] = wholes[heldFor];
  throw new ApiError(
    'forbidden',
    `${id} needs ${scope} for ${whole}, which you do not have: ask ${helper}.`,
  );
}

function isHeldFor(
  heldFor: NonNullable<Operation['heldFor']>,
  { isPlatform, groupGuids, partnerGuids }: Reach,
  restaurant: RestaurantContext | null,
): boolean {
  if (isPlatform) return true;
  switch (heldFor) {
    case 'platform':
      return false;
    case 'group':
      return restaurant
        ? groupGuids.includes(restaurant.managementGroupGuid)
        : groupGuids.length > 0;
    case 'partner':
      return partnerGuids.length > 0;
  }
}

const wholes = {
  platform: ['the whole platform', 'an operator'],
  group: ['the whole management group', 'an administrator of the group'],
  partner: ['the partner itself', 'the partner or an operator'],
} as const;

function holdsScope(caller: Caller, scope: Scope, restaurant: RestaurantContext | null): boolean {
  if (caller.type === 'PARTNER' || caller.type === 'CUSTOMER') return caller.scopes.has(scope);
  const reach = reachOf(grantsOf(caller), scope);
  return restaurant ? reachesRestaurant(reach, restaurant) : !isNowhere(reach);
}

export function isNowhere(reach: Reach): boolean {
  const { groupGuids, restaurantGuids, partnerGuids } = reach;
  return !reach.isPlatform && [...groupGuids, ...restaurantGuids, ...partnerGuids].length === 0;
}

function lacksScope({ type }: Caller, { id, restaurant }: Operation, scope: Scope): ApiError {
  if (type !== 'PERSON') {
    return new ApiError(
      'forbidden',
      `This client lacks the scope ${scope}, which ${id} needs: an operator can add it.`,
      // RFC 6750, for a sound token with too few rights.
      {
        headers: {
          'www-authenticate': `Bearer realm="api", error="insufficient_scope", scope="${scope}"`,
        },
      },
    );
  }
  const where = restaurant === 'none' ? '' : ' at this restaurant';
  return new ApiError(
    'forbidden',
    `None of your roles holds ${scope}${where}, which ${id} needs: ask an administrator for one ` +
      'that does.',
  );
}

export function isOfKind({ type }: Caller, operation: Operation): boolean {
  const isOfBackOffice = type === 'BACK_OFFICE' || type === 'PERSON';
  return isOfBackOffice === (operation.interface === 'backOffice');
}

function wrongKind({ type }: Caller, operation: Operation): ApiError {
  if (type === 'PERSON') {
    return new ApiError(
      'forbidden',
      `A session can use only the back office interface, not ${operation.id}: ` +
        'send the access token of a partner client.',
    );
  }
  return new ApiError(
    'forbidden',
    type === 'BACK_OFFICE'
      ? `This BACK_OFFICE client can use only the back office interface, not ${operation.id}: ` +
          'log in as a partner client, or use the operations of the back office.'
      : `The back office interface is for BACK_OFFICE clients, and this is a ${type} client: ` +
          'ask the operator for a back office client.',
  );
}

async function admitRestaurant(deps: AdmitDeps, request: Admission): Promise<RestaurantContext> {
  const { caller, operation } = request;
  if (namesRestaurantInPath(operation)) return admitInPath(deps, request);
  const isOfOrder =
    operation.restaurant === 'headerOrOrder' &&
    restaurantHeader(deps.brand, request.raw) === undefined;
  if (isOfOrder) return admitOfOrder(deps, request);
  const guid = headerGuid(deps.brand, request.raw);
  const isMerchant = operation.restaurant === 'merchant';
  if (isMerchant && request.params.merchantUuid?.toLowerCase() !== guid) {
    throw new ApiError(
      'badRequest',
      'merchantUuid in the path differs from the header ' +
        `${brandedHeaders(deps.brand).restaurantExternalId}: send the same restaurant in both.`,
    );
  }
  const decision = await decide(deps, caller, guid);
  if (decision.outcome === 'unknown' && isMerchant) {
    throw new ApiError('notFound', `There is no merchant ${guid}: check merchantUuid in the path.`);
  }
  if (decision.outcome !== 'granted') {
    await deps.chargeAddress();
    // Unknown and out of reach must look the same (API-4, API-6).
    throw new ApiError(
      'forbidden',
      `The restaurant ${guid} is not connected to this client: check the GUID, or ask the ` +
        'restaurant to connect your integration.',
    );
  }
  const { restaurant } = decision;
  if (!restaurant.archived || allowsArchived(request, guid)) return restaurant;
  await deps.chargeAddress();
  // The client already sees in its lists that it is archived (API-4). A separate code lets a sync
  // skip it.
  throw new ApiError(
    'restaurantArchived',
    `The restaurant ${guid} is archived and serves nothing: skip it. Partner lists mark it ` +
      '"deleted": true, and restaurants.get describes it with includeArchived=true.',
  );
}

async function decide({ access, onRestaurant }: AdmitDeps, caller: Caller, guid: string) {
  const decision = await access(caller, guid);
  const isArchived = decision.outcome === 'granted' && decision.restaurant.archived;
  onRestaurant?.(isArchived ? 'ARCHIVED' : outcomes[decision.outcome]);
  return decision;
}

const outcomes = { granted: 'REACHED', notGranted: 'OUT_OF_REACH', unknown: 'UNKNOWN' } as const;

/** ORD-3: the same 404 for an unknown order and one of a restaurant out of reach. */
async function admitOfOrder(
  deps: AdmitDeps,
  { params, caller }: Admission,
): Promise<RestaurantContext> {
  const orderGuid = parseGuid(params.orderGuid ?? '');
  const guid = orderGuid === null ? null : ((await deps.restaurantOfOrder?.(orderGuid)) ?? null);
  const decision = guid === null ? null : await decide(deps, caller, guid);
  if (decision?.outcome === 'granted' && !decision.restaurant.archived) return decision.restaurant;
  await deps.chargeAddress();
  throw new ApiError(
    'notFound',
    "There is no such order, or this client doesn't have access to it: check orderGuid in the " +
      'path.',
  );
}

/**
 * Admits archived restaurants, because their payments live on. Throws the same 404 for unknown, out
 * of reach and malformed.
 */
async function admitInPath(
  deps: AdmitDeps,
  { params, caller, operation }: Admission,
): Promise<RestaurantContext> {
  const name = parameterOf(operation);
  const guid = parseGuid(params[name] ?? '');
  const decision = guid === null ? null : await decide(deps, caller, guid);
  if (decision?.outcome === 'granted') return decision.restaurant;
  await deps.chargeAddress();
  const who = caller.type === 'PERSON' ? 'you have' : 'this client has';
  throw new ApiError(
    'notFound',
    `The path names no restaurant that ${who} access to: check ${name}.`,
  );
}

function parameterOf({ restaurant }: Operation): 'merchantUuid' | 'restaurantGuid' {
  return restaurant === 'merchantInPath' ? 'merchantUuid' : 'restaurantGuid';
}

function restaurantHeader(brand: string, raw: Admission['raw']): string | undefined {
  const value = raw.headers[brandedHeaders(brand).restaurantExternalId.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function headerGuid(brand: string, raw: Admission['raw']): string {
  const name = brandedHeaders(brand).restaurantExternalId;
  const value = restaurantHeader(brand, raw);
  const guid = parseGuid(value ?? '');
  if (guid !== null) return guid;
  const what = value ? 'is not a GUID' : 'is missing';
  throw new ApiError('badRequest', `The header ${name} ${what}: send a restaurant's GUID.`);
}

/**
 * Only descriptions may name an archived restaurant (RST-2). Without `includeArchived` the handler
 * answers 404.
 */
function allowsArchived({ params, query, operation }: Admission, guid: string): boolean {
  if (operation.restaurant !== 'headerArchivedAllowed') return false;
  const inPath = params.restaurantGUID?.toLowerCase();
  return query.includeArchived?.toLowerCase() === 'true' || inPath === guid;
}
