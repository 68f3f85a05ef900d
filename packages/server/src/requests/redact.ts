import { brandedHeaders, knownFields, type Operation, withheldFields } from '@servery/contract';
import type { FinishedRequest, UnkeptBody } from '../http/pipeline/observe.ts';
import { type Clean, cleanText, cut } from '../text/clean-text.ts';
import { isClientId } from '../text/client-id.ts';
import type { NewLogRow } from './log-store.ts';
import { type BodyRules, leftOut, redactBody, type Writing, writingOf } from './redact-body.ts';
import {
  redactAnswerHeaders,
  redactPath,
  redactQuery,
  redactRequestHeaders,
} from './redact-parts.ts';
import { factsOf } from './request-facts.ts';

export interface QueuedRequest
  extends Omit<FinishedRequest, 'requestBytes' | 'answerBytes' | 'alike'> {
  readonly requestBody: Buffer | UnkeptBody | null;
  readonly answerBody: Buffer | UnkeptBody | null;
}

const MESSAGE_CHARACTERS = 1_000;
/** In a list of thousands, every element may be wrong; the first faults say enough. */
const FAULTS = 20;
const FAULT_CHARACTERS = 300;
const fields = new Map<Operation | null, Pick<BodyRules, 'withheld' | 'known'>>();
const noBodies = { requestBody: null, response: null };

/**
 * Removes every secret, token, password and cookie, card data and guest data, wherever they were
 * sent. This takes time, so it runs after the answer.
 */
export function redactRequest(brand: string, request: QueuedRequest): Omit<NewLogRow, 'loggedAt'> {
  const { operation, params, caller, refusal } = request;
  const [rawPath = '', ...search] = request.url.split('?');
  const path = redactPath(rawPath, operation, params);
  const clean = cleaner(rawPath, path);
  const rules = { ...fieldsOf(operation), clean };
  const contentType = request.requestHeaders['content-type'];
  const requestBody = bodyOf(request.requestBody, requestWriting(request, contentType), {
    ...rules,
    isForeign: true,
  });
  const restaurantHeader = brandedHeaders(brand).restaurantExternalId.toLowerCase();
  const answerWriting = writingOf(request.answerHeaders['content-type']);
  const person = caller?.type === 'PERSON' ? caller : null;
  const client = caller?.type === 'PERSON' ? null : caller;
  return {
    requestId: request.requestId,
    at: new Date(request.atMs).toISOString(),
    realAt: new Date(request.realAtMs).toISOString(),
    operation: operation?.id ?? null,
    method: cut(cleanText(request.method), MESSAGE_CHARACTERS),
    path,
    status: request.status,
    durationMs: request.durationMs,
    clientId: client?.clientId ?? claimedClient(request, requestBody),
    personGuid: person?.personGuid ?? null,
    partnerGuid: client?.partnerGuid ?? null,
    managementGroupGuid: client?.managementGroupGuid ?? null,
    restaurantGuid: request.restaurantGuid,
    remoteAddress: request.remoteAddress,
    refusal: refusal && {
      check: refusal.check,
      scope: refusal.scope,
      reach: refusal.reach,
      message: cut(clean(refusal.message), MESSAGE_CHARACTERS),
      faults: refusal.faults.slice(0, FAULTS).map(({ where, message }) => ({
        field: cut(clean(where), FAULT_CHARACTERS),
        rule: cut(clean(message), FAULT_CHARACTERS),
      })),
    },
    fault: request.fault,
    query: redactQuery(search.join('?'), operation),
    requestHeaders: redactRequestHeaders(request.requestHeaders, restaurantHeader),
    requestBody,
    answerHeaders: redactAnswerHeaders(request.answerHeaders, clean),
    answerBody: bodyOf(request.answerBody, answerWriting, { ...rules, isForeign: false }),
    facts: factsOf(request),
  };
}

/** An answer may repeat the path, so the same parts are removed from it. */
function cleaner(rawPath: string, path: string): Clean {
  if (rawPath === path || rawPath.length < 2) return cleanText;
  return (text) => cleanText(text.replaceAll(rawPath, path));
}

function fieldsOf(operation: Operation | null) {
  const found = fields.get(operation);
  if (found) return found;
  const bodies = operation ?? noBodies;
  const names = [...withheldFields(bodies)].map((name) => name.toLowerCase());
  const made = { withheld: new Set(names), known: knownFields(bodies) };
  fields.set(operation, made);
  return made;
}

/** AUTH-1: a login is JSON whatever its content type says. */
function requestWriting({ operation }: QueuedRequest, contentType: string | undefined): Writing {
  return operation?.id === 'auth.login' ? 'json' : writingOf(contentType);
}

function bodyOf(body: QueuedRequest['requestBody'], writing: Writing, rules: BodyRules) {
  if (body === null || body.length === 0) return null;
  return Buffer.isBuffer(body) ? redactBody(body, writing, rules) : leftOut(body);
}

/** A login has no caller yet, but a failed one must be found by its client. */
function claimedClient({ operation, caller }: QueuedRequest, body: string | null): string | null {
  if (caller || operation?.interface !== 'authentication' || !body?.startsWith('{')) return null;
  const [, claimed = ''] = /"client(?:Id|_id)":"([^"\\]*)"/.exec(body) ?? [];
  return isClientId(claimed) ? claimed : null;
}
