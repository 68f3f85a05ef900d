import type { IncomingMessage } from 'node:http';
import { brandedHeaders, interfaces, type Operation, operations } from '@servery/contract';
import type { Clock } from '../support/clock.ts';
import { parseGuid } from '../support/ids.ts';
import { type BodyForm, readBody } from './body.ts';
import { ApiError } from './errors.ts';
import type {
  Access,
  Answer,
  ClientRequest,
  Principal,
  PublicRequest,
  RestaurantContext,
  RestaurantRequest,
} from './operation.ts';
import { type RateCounter, type RateLimits, type RateVerdict, takeRequest } from './rate-limit.ts';

/** What the pipeline leans on; server.ts hands it over, because `http` knows no feature. */
export interface PipelineDeps {
  readonly brand: string;
  readonly clock: Clock;
  /** Real time, which no move of a sandbox's clock touches: budgets run on it. */
  readonly realClock: Clock;
  readonly rateLimits: RateLimits;
  readonly rateCounter: RateCounter;
  /** Resolves an `Authorization` header; throws ApiError `unauthorized` (T5, T9). */
  readonly authenticate: (header: string | undefined, nowMs: number) => Promise<Principal>;
  readonly access: Access;
  /** The service's own base address, known once it listens. */
  readonly baseUrl: () => string;
}

/** An operation's handler, called with the kind of request that its contract entry promises. */
export type Handler = (request: RestaurantRequest) => Promise<Answer>;

/** One request on its way through the pipeline; what is learnt on the way stays for the answer. */
export interface Exchange {
  readonly requestId: string;
  /** The environment's time when the request came, in epoch milliseconds: decisions use it. */
  readonly nowMs: number;
  /** Real time when the request came, in epoch milliseconds: budgets use it. */
  readonly realNowMs: number;
  readonly raw: IncomingMessage;
  readonly path: string;
  readonly remoteAddress: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Null when no operation has this method and path. */
  readonly operation: Operation | null;
  principal: Principal | null;
  /** The budget that the request was taken from, for the headers of C7. */
  rate: (RateVerdict & { readonly by: string }) | null;
}

/**
 * Walks a request through the checks in the order of decisions C5 and calls the handler.
 * Throws ApiError for the first check that fails.
 */
export async function runPipeline(
  deps: PipelineDeps,
  exchange: Exchange,
  handler: Handler | null,
): Promise<Answer> {
  const { operation } = exchange;
  const isPublic = isPublicPath(exchange);
  if (!isPublic) await authenticate(deps, exchange);
  await takeFromBudget(deps, exchange);
  if (!operation || !handler) throw noSuchOperation(exchange);
  refuseOverBudget(exchange);
  const restaurant = isPublic ? null : await admit(deps, exchange, operation);
  const body = await bodyOf(exchange, operation);
  return handler(requestFor(deps, exchange, operation, restaurant, body) as RestaurantRequest);
}

async function authenticate(deps: PipelineDeps, exchange: Exchange): Promise<void> {
  try {
    exchange.principal = await deps.authenticate(
      exchange.raw.headers.authorization,
      exchange.nowMs,
    );
  } catch (error) {
    // A refused token still counts for its address, and its answer shows the budget like any other.
    await takeFromBudget(deps, exchange);
    throw error;
  }
}

async function takeFromBudget(deps: PipelineDeps, exchange: Exchange): Promise<void> {
  if (exchange.operation?.id.startsWith('health.')) return;
  const { key, by } = budgetOf(deps, exchange);
  // Budgets run on real time even where a sandbox's clock stands still, as Retry-After must.
  const verdict = await takeRequest(deps.rateCounter, deps.rateLimits, key, exchange.realNowMs);
  exchange.rate = { ...verdict, by };
}

function budgetOf(deps: PipelineDeps, exchange: Exchange): { key: string; by: string } {
  const { operation, principal } = exchange;
  // A client of another kind than the interface is for names no restaurant that could count.
  if (operation && principal && isOfKind(principal, operation)) {
    const named = namedRestaurant(deps.brand, exchange, operation);
    const restaurant = named === undefined ? null : parseGuid(named);
    if (restaurant) {
      const key = `client:${principal.clientId}:${restaurant}`;
      return { key, by: 'CLIENT_AND_RESTAURANT' };
    }
  }
  return { key: `address:${exchange.remoteAddress}`, by: 'IP_ADDRESS' };
}

/** The restaurant that the request names where its operation says, as it stands there. */
function namedRestaurant(
  brand: string,
  exchange: Exchange,
  { restaurant: rule }: Operation,
): string | undefined {
  if (rule === 'none') return undefined;
  return rule === 'merchantInPath'
    ? exchange.params.merchantUuid
    : restaurantHeader(brand, exchange.raw);
}

function refuseOverBudget(exchange: Exchange): void {
  const { rate } = exchange;
  if (!rate || rate.allowed) return;
  const seconds = rate.retryAfterSeconds;
  const limited = rate.by === 'IP_ADDRESS' ? 'address' : 'client and restaurant';
  throw new ApiError(
    'tooManyRequests',
    `Too many requests for this ${limited}: ` +
      `wait ${seconds} second${seconds === 1 ? '' : 's'} (see Retry-After) and try again.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

function noSuchOperation(exchange: Exchange): ApiError {
  const allowed = methodsOf(exchange.path);
  const { method } = exchange.raw;
  // A path that does not decode has its operation's form and method, yet is none of its paths.
  if (allowed.length > 0 && !allowed.includes(method ?? '')) {
    const allow = allowed.join(', ');
    return new ApiError(
      'methodNotAllowed',
      `${method} is not allowed on ${exchange.path}: use ${allow}.`,
      { headers: { allow } },
    );
  }
  const prefixes = Object.values(interfaces).map((entry) => entry.prefix);
  const known = prefixes.some((prefix) => prefix !== '' && isBelow(exchange.path, prefix));
  return known
    ? new ApiError('notFound', `There is no ${method} ${exchange.path}: check the path.`)
    : new ApiError(
        'unknownPrefix',
        `No interface answers at ${exchange.path}: check the start of the path.`,
      );
}

function isBelow(path: string, prefix: string): boolean {
  return path === prefix || path.startsWith(`${prefix}/`);
}

const matchers = operations.map((operation) => ({
  method: operation.method,
  security: operation.security,
  pattern: new RegExp(
    `^${operation.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`,
  ),
}));

/** Whether nothing at the path asks for a token: a wrong method there is told to anybody. */
function isPublicPath({ operation, path }: Exchange): boolean {
  if (operation) return operation.security === 'none';
  const there = matchers.filter(({ pattern }) => pattern.test(path));
  return there.length > 0 && there.every(({ security }) => security === 'none');
}

/** The methods that the contract has for a path; GET implies HEAD (RFC 9110, 9.3.2). */
function methodsOf(path: string): string[] {
  const methods = matchers.filter((entry) => entry.pattern.test(path)).map((entry) => entry.method);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/** Checks kind, restaurant and scope (C5, C6); gives the restaurant of operations with one. */
async function admit(
  deps: PipelineDeps,
  exchange: Exchange,
  operation: Operation,
): Promise<RestaurantContext | null> {
  const { principal } = exchange;
  if (!principal) throw new Error('a request without principal reached the restaurant check');
  if (!isOfKind(principal, operation)) throw wrongKind(principal, operation);
  const restaurant =
    operation.restaurant === 'none'
      ? null
      : await admitRestaurant(deps, exchange, operation, principal);
  if (operation.scope && !principal.scopes.has(operation.scope)) {
    throw new ApiError(
      'forbidden',
      `This client lacks the scope ${operation.scope}, which ${operation.id} needs: ` +
        'ask the operator to grant it.',
      { headers: { 'www-authenticate': insufficientScope(operation.scope) } },
    );
  }
  return restaurant;
}

/** The back office interface is for BACK_OFFICE clients, and they for nothing else. */
function isOfKind({ type }: Principal, operation: Operation): boolean {
  return (type === 'BACK_OFFICE') === (operation.interface === 'backOffice');
}

function wrongKind({ type }: Principal, operation: Operation): ApiError {
  return new ApiError(
    'forbidden',
    type === 'BACK_OFFICE'
      ? `This BACK_OFFICE client reaches the back office interface only, not ${operation.id}: ` +
          'log in as a partner client, or use the operations of the back office.'
      : `The back office interface is for BACK_OFFICE clients, and this is a ${type} client: ` +
          'ask the operator for a back office client.',
  );
}

/**
 * A restaurant out of reach is charged to the caller's address too: otherwise a new GUID in every
 * request would be a new budget in every request.
 */
async function chargeAddress(deps: PipelineDeps, exchange: Exchange): Promise<void> {
  const { rateCounter, rateLimits } = deps;
  const key = `address:${exchange.remoteAddress}`;
  const verdict = await takeRequest(rateCounter, rateLimits, key, exchange.realNowMs);
  if (verdict.allowed) return;
  exchange.rate = { ...verdict, by: 'IP_ADDRESS' };
  refuseOverBudget(exchange);
}

/** The challenge of RFC 6750 for a token that is sound but may too little. */
function insufficientScope(scope: string): string {
  return `Bearer realm="api", error="insufficient_scope", scope="${scope}"`;
}

async function admitRestaurant(
  deps: PipelineDeps,
  exchange: Exchange,
  operation: Operation,
  principal: Principal,
): Promise<RestaurantContext> {
  if (operation.restaurant === 'merchantInPath') return admitMerchant(deps, exchange, principal);
  const guid = headerGuid(deps.brand, exchange.raw);
  const isMerchant = operation.restaurant === 'merchant';
  if (isMerchant) requireSameMerchant(deps.brand, exchange, guid);
  const decision = await deps.access(principal, guid);
  if (decision.outcome === 'unknown' && isMerchant) {
    throw new ApiError('notFound', `There is no merchant ${guid}: check merchantUuid in the path.`);
  }
  const isGranted =
    decision.outcome === 'granted' &&
    (!decision.restaurant.archived || allowsArchived(exchange, operation, guid));
  if (!isGranted) {
    await chargeAddress(deps, exchange);
    throw notConnected(guid);
  }
  return decision.restaurant;
}

/**
 * The restaurant in the path alone. An archived one is admitted: its payments live on. Throws the
 * same 404 for one that does not exist, one out of reach, and text that is no GUID.
 */
async function admitMerchant(
  deps: PipelineDeps,
  exchange: Exchange,
  principal: Principal,
): Promise<RestaurantContext> {
  const guid = parseGuid(exchange.params.merchantUuid ?? '');
  const decision = guid === null ? null : await deps.access(principal, guid);
  if (decision?.outcome === 'granted') return decision.restaurant;
  await chargeAddress(deps, exchange);
  throw new ApiError(
    'notFound',
    'The path names no restaurant that this client reaches: check merchantUuid.',
  );
}

function restaurantHeader(brand: string, raw: IncomingMessage): string | undefined {
  const value = raw.headers[brandedHeaders(brand).restaurantExternalId.toLowerCase()];
  return Array.isArray(value) ? value[0] : value;
}

function headerGuid(brand: string, raw: IncomingMessage): string {
  const name = brandedHeaders(brand).restaurantExternalId;
  const value = restaurantHeader(brand, raw);
  if (value === undefined || value === '') {
    throw new ApiError('badRequest', `The header ${name} is missing: send a restaurant's GUID.`);
  }
  const guid = parseGuid(value);
  if (guid === null) {
    throw new ApiError('badRequest', `The header ${name} is not a GUID: send a restaurant's GUID.`);
  }
  return guid;
}

function requireSameMerchant(brand: string, exchange: Exchange, headerValue: string): void {
  if (exchange.params.merchantUuid?.toLowerCase() === headerValue) return;
  throw new ApiError(
    'badRequest',
    'merchantUuid in the path differs from the header ' +
      `${brandedHeaders(brand).restaurantExternalId}: send the same restaurant in both.`,
  );
}

/** The same words for a restaurant that does not exist and for one out of reach (C4, C6). */
function notConnected(guid: string): ApiError {
  return new ApiError(
    'forbidden',
    `The restaurant ${guid} is not connected to this client: check the GUID, or ask the ` +
      'restaurant to connect your integration.',
  );
}

/**
 * An archived restaurant is named only where its description is asked for (I2). Without
 * `includeArchived` the contract's answer for it is 404, which the handler gives when the path
 * names the same restaurant.
 */
function allowsArchived(exchange: Exchange, operation: Operation, guid: string): boolean {
  if (operation.restaurant !== 'headerArchivedAllowed') return false;
  const inPath = exchange.params.restaurantGUID?.toLowerCase();
  return exchange.query.includeArchived?.toLowerCase() === 'true' || inPath === guid;
}

function bodyOf(exchange: Exchange, operation: Operation): Promise<unknown> {
  if (!operation.requestBody) return Promise.resolve(undefined);
  return readBody(exchange.raw, bodyForm(operation));
}

function bodyForm(operation: Operation): BodyForm {
  if (operation.id === 'auth.login') return 'loginJson';
  return operation.requestBody?.contentTypes.includes('application/json') ? 'json' : 'form';
}

function requestFor(
  deps: PipelineDeps,
  exchange: Exchange,
  operation: Operation,
  restaurant: RestaurantContext | null,
  body: unknown,
): PublicRequest & Partial<ClientRequest> & { restaurant: RestaurantContext | null } {
  const { requestId, nowMs, params, query, remoteAddress, raw, principal } = exchange;
  return {
    operation,
    requestId,
    nowMs,
    baseUrl: deps.baseUrl(),
    params,
    query,
    headers: raw.headers,
    remoteAddress,
    body,
    ...(principal ? { principal } : {}),
    restaurant,
  };
}
