import assert from 'node:assert/strict';
import {
  type OperationId,
  operationById,
  partnerScopes,
  type Scope,
  validateResponse,
} from '@servery/contract';
import type {
  Answer,
  Principal,
  RestaurantContext,
  RestaurantRequest,
} from '../src/http/operation.ts';
import { asApiError, renderError } from '../src/http/render-error.ts';
import { newGuid, newRandomId } from '../src/support/ids.ts';

/** The instant of requests that name no other. */
export const NOW_MS = Date.UTC(2026, 2, 1, 12, 0, 0);

/** What a test says of its request; the rest is filled in. */
export interface RequestParts {
  readonly principal?: Principal;
  readonly restaurant?: RestaurantContext;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly nowMs?: number;
}

/** An answer as a client sees it. */
export interface TestAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies that the contract checked.
  readonly body: any;
  readonly headers: Readonly<Record<string, string>>;
}

type Handler = (request: RestaurantRequest) => Promise<Answer>;

/**
 * Calls the handler of an operation as the pipeline does once it has let a request in, and gives
 * what the client gets, errors rendered. Fails when the answer is not what the contract says.
 */
export async function callOperation(
  handlers: Readonly<Record<string, unknown>>,
  id: OperationId,
  parts: RequestParts = {},
): Promise<TestAnswer> {
  const handler = handlers[id] as Handler;
  const requestId = newRandomId();
  const { status = 200, headers = {}, bytes, json } = await answerOf(handler, id, requestId, parts);
  const body = JSON.parse(bytes === undefined ? JSON.stringify(json) : bytes.toString());
  assert.deepEqual(validateResponse(id, status, body), [], `${id} ${status} fits the contract`);
  return { status, headers, body };
}

/** A client as the pipeline hands it on; a PARTNER with all its scopes unless told else. */
export function principal(parts: Partial<Principal> = {}): Principal {
  return {
    clientId: newRandomId(),
    name: 'Test client',
    type: 'PARTNER',
    partnerGuid: null,
    managementGroupGuid: null,
    scopes: new Set<Scope>(partnerScopes),
    holdsLegacyCardKey: false,
    ...parts,
  };
}

async function answerOf(
  handler: Handler,
  id: OperationId,
  requestId: string,
  parts: RequestParts,
): Promise<Answer> {
  const baseUrl = 'http://127.0.0.1:4400';
  const request: RestaurantRequest = {
    operation: operationById(id),
    requestId,
    nowMs: parts.nowMs ?? NOW_MS,
    baseUrl,
    params: parts.params ?? {},
    query: parts.query ?? {},
    headers: {},
    remoteAddress: '127.0.0.1',
    body: parts.body,
    principal: parts.principal ?? principal(),
    restaurant: parts.restaurant ?? noRestaurant(),
  };
  try {
    return await handler(request);
  } catch (error) {
    const apiError = asApiError(error, requestId);
    // A defect must show as itself, not as a 500 that a test compares with something.
    if (apiError.errorClass === 'internal') throw error;
    const { operation } = request;
    const context = { operation, path: operation.path, requestId, baseUrl, explains: true };
    return renderError(apiError, context);
  }
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
