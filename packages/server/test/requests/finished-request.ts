import { type OperationId, operationById } from '@servery/contract';
import { newRandomId } from '@servery/support/ids.ts';
import type { FinishedRequest } from '../../src/http/pipeline/observe.ts';
import type { QueuedRequest } from '../../src/requests/redact.ts';
import { NOW_MS, principal } from '../request.ts';

/** A request that a partner sent and that was answered, with changes. */
export function finishedRequest(
  id: OperationId | null,
  parts: Partial<FinishedRequest> = {},
): FinishedRequest {
  const operation = id === null ? null : operationById(id);
  return {
    requestId: newRandomId(),
    operation,
    method: operation?.method ?? 'GET',
    url: operation?.path ?? '/nowhere',
    params: {},
    atMs: NOW_MS,
    realAtMs: NOW_MS,
    durationMs: 1.25,
    status: 200,
    caller: principal(),
    restaurantGuid: null,
    remoteAddress: '127.0.0.1',
    requestHeaders: { 'content-type': 'application/json' },
    requestBytes: null,
    answerHeaders: { 'content-type': 'application/json' },
    answerBytes: Buffer.from('{}'),
    refusal: null,
    fault: null,
    alike: null,
    explained: null,
    ...parts,
  };
}

/** The same as the queue keeps it. */
export function queuedRequest(
  id: OperationId | null,
  parts: Partial<FinishedRequest> = {},
): QueuedRequest {
  const { requestBytes, answerBytes, alike: _, ...request } = finishedRequest(id, parts);
  return { ...request, requestBody: requestBytes, answerBody: answerBytes };
}

/** A refusal of a scope. */
export const refusal = {
  check: 'scope',
  errorClass: 'forbidden',
  message: 'This client lacks the scope stock:write.',
  faults: [],
  scope: 'stock:write',
  reach: { isPlatform: false, groupGuids: [], restaurantGuids: [], partnerGuids: [] },
} as const;
