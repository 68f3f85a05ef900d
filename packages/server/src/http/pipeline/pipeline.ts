import type { IncomingMessage } from 'node:http';
import { bodyBytesAtMost, interfaces, type Operation, operations } from '@servery/contract';
import { type Clock, monotonicMs } from '@servery/support/clock.ts';
import { parseGuid } from '@servery/support/ids.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { StatementTimes } from '../../database/statement-times.ts';
import { reachOf } from '../../reach/reach.ts';
import { networkOf } from '../edge/network.ts';
import { isPathOf } from '../edge/request-target.ts';
import { ApiError } from '../errors.ts';
import type { HandlerNotes, RequestNotes } from '../notes.ts';
import {
  type Access,
  type Answer,
  type Attest,
  actorOf,
  type BackOfficeRestaurantRequest,
  type Caller,
  grantsOf,
  type IdentifyCaller,
  type KeptOfRequest,
  type PublicRequest,
  type RestaurantContext,
  type RestaurantRequest,
  type SessionRequest,
} from '../operation.ts';
import { alongOf, type ReadAlong } from '../read-along.ts';
import { admit, isOfKind, namedRestaurant } from './admit.ts';
import { type BodyForm, readBody } from './body.ts';
import type { Check } from './observe.ts';
import type { OrderedFaults, RequestFault } from './ordered-faults.ts';
import {
  type Budget,
  type RateCounter,
  type RateLimits,
  type RateVerdict,
  takeRequest,
} from './rate-limit.ts';
import { findReachNow } from './reach-now.ts';
import { type ReadRequest, readRequest } from './read-request.ts';

export interface PipelineDeps {
  readonly brand: string;
  readonly clock: Clock;
  /** Budgets use real time, which a sandbox cannot move. */
  readonly realClock: Clock;
  readonly rateLimits: RateLimits;
  readonly rateCounter: RateCounter;
  readonly authenticate: IdentifyCaller;
  readonly access: Access;
  readonly isSandbox: boolean;
  /** Null for an order that nobody placed. */
  readonly restaurantOfOrder?: (orderGuid: string) => Promise<string | null>;
  /** Known once the server listens. */
  readonly baseUrl: () => string;
  readonly attest: Attest;
  readonly statementTimes?: StatementTimes;
  /** Null or absent in production. */
  readonly faults?: OrderedFaults | null;
}

type AnyRequest = RestaurantRequest & BackOfficeRestaurantRequest & SessionRequest & ReadRequest;

export type Handler = (request: AnyRequest) => Promise<Answer>;

export interface Exchange {
  readonly requestId: string;
  /** Decisions use the environment's time. */
  readonly nowMs: number;
  /** Budgets use real time. */
  readonly realNowMs: number;
  readonly startedMs: number;
  readonly raw: IncomingMessage;
  readonly url: string;
  readonly path: string;
  readonly remoteAddress: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly operation: Operation | null;
  caller: Caller | null;
  rate: (RateVerdict & Budget) | null;
  restaurant: RestaurantContext | null;
  along: ReadAlong | null;
  /** The check that failed, if an error is thrown. */
  check: Check;
  requestBytes: Buffer | null;
  kept: KeptOfRequest;
  /** Null if nobody wants the request explained. */
  readonly notes: RequestNotes | null;
  /** Null for what no ordered fault can touch. */
  fault: RequestFault | null;
}

/** Checks in the order of API-5. Throws ApiError for the first check that fails. */
export async function runPipeline(
  deps: PipelineDeps,
  exchange: Exchange,
  handler: Handler | null,
): Promise<Answer> {
  const { notes } = exchange;
  const work = () => answerRequest(deps, exchange, handler);
  return await (notes && deps.statementTimes
    ? deps.statementTimes.during(notes.statements, work)
    : work());
}

async function answerRequest(
  deps: PipelineDeps,
  exchange: Exchange,
  handler: Handler | null,
): Promise<Answer> {
  const operation = await within(checkCaller(deps, exchange, handler), CHECK_LIMIT_MS);
  if (operation === LATE || !handler) {
    throw new ApiError(
      'unavailable',
      'The service could not authenticate the request in time, and nothing was done. Send it ' +
        'again in a few seconds.',
    );
  }
  if (deps.faults) exchange.check = 'fault';
  exchange.fault = (await deps.faults?.take(exchange)) ?? null;
  if (exchange.fault) {
    return await exchange.fault.serve(() => handle(deps, exchange, operation, handler));
  }
  return await handle(deps, exchange, operation, handler);
}

async function handle(
  deps: PipelineDeps,
  exchange: Exchange,
  operation: Operation,
  handler: Handler,
): Promise<Answer> {
  const waitedMs = monotonicMs() - exchange.startedMs;
  exchange.check = 'body';
  const form = operation.requestBody;
  const maxBytes = form?.maxBytes ?? bodyBytesAtMost;
  const body = form
    ? await readBody(exchange.raw, bodyForm(operation), exchange, maxBytes)
    : undefined;
  exchange.check = 'rules';
  const { params, query } = exchange;
  const read = await readRequest(operation, { params, query, body }, handler);
  return handler(
    requestFor(deps, exchange, operation, { ...read, waitedMs }) as unknown as AnyRequest,
  );
}

/**
 * These checks read a few rows. If they take longer, the database is in trouble, and a payment must
 * be answered within 25 seconds.
 */
const CHECK_LIMIT_MS = 10_000;

async function checkCaller(
  deps: PipelineDeps,
  exchange: Exchange,
  handler: Handler | null,
): Promise<Operation> {
  const { operation } = exchange;
  const isPublic = isPublicPath(exchange);
  if (!isPublic) await authenticate(deps, exchange);
  exchange.check = 'path';
  await takeFromBudget(deps, exchange);
  if (!operation || !handler) throw noSuchOperation(deps, exchange);
  refuseOverBudget(exchange);
  if (isPublic) return operation;
  const { caller, raw, params, query } = exchange;
  if (!caller) throw new Error('a request without a caller reached the restaurant check');
  const access: Access = async (caller, restaurantGuid) => {
    const chooseAlong = () => alongOf(handler, { restaurantGuid, sentQuery: query });
    const decision = await deps.access(caller, restaurantGuid, chooseAlong);
    if (decision.outcome === 'granted') exchange.along = decision.along ?? null;
    return decision;
  };
  const admitting = {
    ...deps,
    access,
    chargeAddress: () => chargeAddress(deps, exchange),
    onCheck: (check: Check) => {
      exchange.check = check;
    },
    onRestaurant: (outcome: RequestNotes['restaurant']) => {
      if (exchange.notes) exchange.notes.restaurant = outcome;
    },
  };
  exchange.restaurant = await admit(admitting, { raw, params, query, caller, operation });
  return operation;
}

async function authenticate(deps: PipelineDeps, exchange: Exchange): Promise<void> {
  const { raw, operation, nowMs } = exchange;
  const { headers, method = '' } = raw;
  try {
    exchange.caller = await deps.authenticate({ headers, method, operation }, nowMs);
  } catch (error) {
    // A refused token still counts for its address, and the answer shows the budget.
    await takeFromBudget(deps, exchange);
    throw error;
  }
}

async function takeFromBudget(deps: PipelineDeps, exchange: Exchange): Promise<void> {
  // The ready path has already taken it.
  if (exchange.rate || exchange.operation?.id.startsWith('health.')) return;
  const { rateCounter, rateLimits } = deps;
  const { realNowMs, operation } = exchange;
  const budget = budgetOf(deps, exchange);
  // Budgets use real time, like Retry-After.
  const taking = takeRequest(rateCounter, rateLimits, budget, realNowMs, operation?.id);
  exchange.rate = { ...(await taking), ...budget };
}

function budgetOf(deps: PipelineDeps, exchange: Exchange): Budget {
  const { operation, caller } = exchange;
  // A client of the wrong kind names no restaurant that could count.
  if (operation && caller && isOfKind(caller, operation)) {
    const named = namedRestaurant(deps.brand, { ...exchange, operation });
    const restaurant = named === undefined ? null : parseGuid(named);
    if (restaurant) {
      const key = `client:${actorOf(caller)}:${restaurant}`;
      return { key, by: 'CLIENT_AND_RESTAURANT' };
    }
  }
  return addressBudget(exchange.remoteAddress);
}

/** One IPv6 connection has more addresses than there are budgets, so its network counts. */
export function addressBudget(remoteAddress: string): Budget {
  return { key: `address:${networkOf(remoteAddress)}`, by: 'IP_ADDRESS' };
}

function refuseOverBudget(exchange: Exchange): void {
  const { rate } = exchange;
  if (!rate || rate.allowed) return;
  exchange.check = 'budget';
  const seconds = rate.retryAfterSeconds;
  const limited =
    rate.by === 'IP_ADDRESS'
      ? 'address'
      : `client and restaurant${rate.isOfOperation ? ' at this operation' : ''}`;
  throw new ApiError(
    'tooManyRequests',
    `Too many requests for this ${limited}: ` +
      `wait ${seconds} second${seconds === 1 ? '' : 's'} (see Retry-After) and try again.`,
    { headers: { 'retry-after': String(seconds) } },
  );
}

function noSuchOperation(deps: PipelineDeps, exchange: Exchange): ApiError {
  const allowed = methodsOf(deps, exchange.path);
  const { method } = exchange.raw;
  // A path that does not decode matches the form of an operation but is none of its paths.
  if (allowed.length > 0 && !allowed.includes(method ?? '')) {
    const allow = allowed.join(', ');
    return new ApiError(
      'methodNotAllowed',
      `${method} is not allowed on ${exchange.path}: use ${allow}.`,
      { headers: { allow } },
    );
  }
  const isKnown = Object.values(interfaces).some(
    ({ prefix }) => prefix !== '' && `${exchange.path}/`.startsWith(`${prefix}/`),
  );
  return isKnown
    ? new ApiError('notFound', `There is no ${method} ${exchange.path}: check the path.`)
    : new ApiError(
        'unknownPrefix',
        `No interface answers at ${exchange.path}: check the start of the path.`,
      );
}

/** If true, a wrong method is told to anybody. */
function isPublicPath({ operation, path }: Exchange): boolean {
  if (operation) return operation.security === 'none';
  const there = operations.filter((each) => isPathOf(each, path));
  return there.length > 0 && there.every(({ security }) => security === 'none');
}

/** In production, it is as if the operation weren't there. */
export function isHidden(
  { isSandbox }: Pick<PipelineDeps, 'isSandbox'>,
  { isHiddenInProduction }: Operation,
): boolean {
  return isHiddenInProduction && !isSandbox;
}

/** GET implies HEAD (RFC 9110, 9.3.2). */
function methodsOf(deps: PipelineDeps, path: string): string[] {
  const there = operations.filter((each) => isPathOf(each, path) && !isHidden(deps, each));
  const methods = there.map(({ method }) => method);
  return [...new Set(methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))];
}

/**
 * Also charges the address for a restaurant out of reach; otherwise each new GUID would be a new
 * budget.
 */
async function chargeAddress(deps: PipelineDeps, exchange: Exchange): Promise<void> {
  const { rateCounter, rateLimits } = deps;
  const budget = addressBudget(exchange.remoteAddress);
  const verdict = await takeRequest(rateCounter, rateLimits, budget, exchange.realNowMs);
  if (verdict.allowed) return;
  exchange.rate = { ...verdict, ...budget };
  refuseOverBudget(exchange);
}

function bodyForm(operation: Operation): BodyForm {
  if (operation.id === 'auth.login') return 'loginJson';
  if (operation.requestBody?.isParsedLater) return 'jsonText';
  return operation.requestBody?.contentTypes.includes('application/json') ? 'json' : 'form';
}

function requestFor(
  deps: PipelineDeps,
  exchange: Exchange,
  operation: Operation,
  read: ReadRequest & Pick<PublicRequest, 'waitedMs'>,
) {
  const { requestId, nowMs, remoteAddress, raw, caller, restaurant, along } = exchange;
  const request = {
    ...read,
    operation,
    requestId,
    nowMs,
    baseUrl: deps.baseUrl(),
    headers: raw.headers,
    remoteAddress,
    restaurant,
    along,
    sentQuery: exchange.query,
    attest: deps.attest,
    keep: (kept: KeptOfRequest) => {
      exchange.kept = kept;
    },
    note: (notes: HandlerNotes) => exchange.notes?.add(notes),
  };
  return caller ? { ...request, ...ofCaller(deps, exchange, caller, operation) } : request;
}

function ofCaller(
  { authenticate, clock }: PipelineDeps,
  { raw: { headers, method = '' } }: Exchange,
  caller: Caller,
  operation: Operation,
) {
  if (operation.interface !== 'backOffice') return { principal: caller };
  const reach = reachOf(grantsOf(caller), operation.scope);
  const reachNow = () => findReachNow(authenticate, { headers, method, operation }, clock.nowMs());
  return { caller, by: actorOf(caller), reach, reachNow };
}
