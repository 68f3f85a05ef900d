import assert from 'node:assert/strict';
import {
  type Operation,
  type OperationId,
  operationById,
  type Scope,
  scopesFor,
  validateResponse,
} from '@servery/contract';
import { newGuid, newRandomId } from '@servery/support/ids.ts';
import { createVault } from '@servery/support/secret.ts';
import { attestEntries } from '../src/audit/origin.ts';
import { asApiError, renderError } from '../src/http/edge/render-error.ts';
import {
  type Answer,
  actorOf,
  type BackOfficeRestaurantRequest,
  type Caller,
  grantsOf,
  type Principal,
  type RestaurantContext,
  type RestaurantRequest,
} from '../src/http/operation.ts';
import { requireConditions } from '../src/http/pipeline/admit.ts';
import { readRequest } from '../src/http/pipeline/read-request.ts';
import { bytesOf } from '../src/http/pipeline/send.ts';
import type { ReadAlong } from '../src/http/read-along.ts';
import { type Reach, reachOf } from '../src/reach/reach.ts';

/** Proves texts as the platform does whose master key tests take: 32 times 7. */
export const attest = attestEntries(createVault(Buffer.alloc(32, 7)));

/** The instant of requests that name no other. */
export const NOW_MS = Date.UTC(2026, 2, 1, 12, 0, 0);

/** What a test says of its request; the rest is filled in. */
export interface RequestParts {
  readonly principal?: Principal;
  /** Whoever calls the back office, where that is a person. */
  readonly caller?: Caller;
  readonly restaurant?: RestaurantContext;
  readonly along?: ReadAlong;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where the request comes from; 127.0.0.1 when absent. */
  readonly address?: string;
  readonly nowMs?: number;
  /** Where the caller may do this later on; where he may now when absent. */
  readonly reachNow?: () => Promise<Reach>;
}

/** An answer as a client sees it. */
export interface TestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies that the contract checked.
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
}

type AnyRequest = RestaurantRequest & BackOfficeRestaurantRequest;
type Handler = (request: AnyRequest) => Promise<Answer>;

/**
 * Calls the handler of an operation as the pipeline does once it has let a request in, and gives
 * what the client gets, errors rendered. Fails when the answer is not what the contract says.
 */
export async function callOperation(
  handlers: Readonly<Record<string, unknown>>,
  id: OperationId,
  parts: RequestParts = {},
): Promise<TestAnswer> {
  const answer = await answerOf(handlers, id, parts);
  const { status = 200, headers = answer.ready?.value.headers ?? {} } = answer;
  const body = JSON.parse(bytesOf(answer).toString());
  assert.deepEqual(validateResponse(id, status, body), [], `${id} ${status} fits the contract`);
  return { status, headers, body };
}

/** A client as the pipeline hands it on; a PARTNER unless told else, with all it may do. */
export function principal(parts: Partial<Principal> = {}): Principal {
  return {
    clientId: newRandomId(),
    name: 'Test client',
    type: 'PARTNER',
    partnerGuid: null,
    managementGroupGuid: null,
    scopes: new Set<Scope>(scopesFor(parts.type ?? 'PARTNER')),
    holdsLegacyCardKey: false,
    tokenIssuedAtMs: 0,
    tokenExpiresAtMs: Number.POSITIVE_INFINITY,
    ...parts,
  };
}

/** The same as the handler gives it, such as a stream; of an error, what it is rendered to. */
export async function answerOf(
  handlers: Readonly<Record<string, unknown>>,
  id: OperationId,
  parts: RequestParts,
): Promise<Answer> {
  const handler = handlers[id] as Handler;
  const requestId = newRandomId();
  const baseUrl = 'http://127.0.0.1:4400';
  const operation = operationById(id);
  const caller = parts.caller ?? parts.principal ?? principal();
  const requestOf = async () => ({
    ...(await readParts(operation, parts, handler)),
    operation,
    requestId,
    nowMs: parts.nowMs ?? NOW_MS,
    baseUrl,
    headers: parts.headers ?? {},
    remoteAddress: parts.address ?? '127.0.0.1',
    waitedMs: 0,
    sentQuery: parts.query ?? {},
    restaurant: parts.restaurant ?? noRestaurant(),
    along: parts.along ?? null,
    principal: caller as Principal,
    caller,
    by: actorOf(caller),
    reach: reachOf(grantsOf(caller), operation.scope),
    reachNow: parts.reachNow ?? (async () => reachOf(grantsOf(caller), operation.scope)),
    attest,
    keep: () => {},
    note: () => {},
  });
  try {
    const restaurant = parts.restaurant ?? null;
    // Of an operation with a restaurant that the test does not name, nothing can be said.
    if (restaurant || operation.restaurant === 'none') {
      requireConditions({ isSandbox: true }, caller, operation, restaurant);
    }
    return await handler((await requestOf()) as unknown as AnyRequest);
  } catch (error) {
    const apiError = asApiError(error, requestId);
    // A defect must show as itself, not as a 500 that a test compares with something.
    if (apiError.errorClass === 'internal') throw error;
    const context = { operation, path: operation.path, requestId, baseUrl, isSandbox: true };
    return renderError(apiError, context);
  }
}

/** Path, query and body as a handler gets them. */
async function readParts(operation: Operation, parts: RequestParts, handler: Handler) {
  const { params = {}, query = {} } = parts;
  const sent = { params, query, body: bodyOf(operation, parts) };
  return await readRequest(operation, sent, handler);
}

/** The body as the pipeline parses it: a copy, because reading it changes it. */
function bodyOf({ requestBody }: Operation, { body }: RequestParts): unknown {
  if (requestBody?.isParsedLater) return JSON.stringify(body);
  return body === undefined ? body : JSON.parse(JSON.stringify(body));
}

function noRestaurant(): RestaurantContext {
  return {
    guid: newGuid(),
    managementGroupGuid: newGuid(),
    timeZone: 'UTC',
    currencyCode: 'USD',
    archived: false,
    publishNumber: 0,
  };
}
