import assert from 'node:assert/strict';
import { type Answer, header } from './answer.ts';
import { inspect, UUID } from './fields.ts';
import type { ExpectedOperation } from './operations.ts';
import type { Platform } from './platform.ts';
import { publishedFaults } from './published.ts';

/** The statuses for which a credit card answer is a ServiceError (API-1). */
const SERVICE_ERROR_STATUSES = new Set([400, 404, 409, 422, 500]);
const STRONG_ETAG = /^"[\x21\x23-\x7e]+"$/;
const QUARTER_HOUR_SECONDS = 900;
/**
 * The longest that an answer takes: its window may have passed since the request was counted. Nor
 * is its Date to the second, where the process was held while it was written.
 */
const LONGEST_ANSWER_SECONDS = 26;
/** The same of a move of the clock, which does all that falls due on its way. */
const LONGEST_MOVE_SECONDS = 250;
const INTERNALS = /node_modules|\.ts:\d+|\bat .+ \(.+:\d+:\d+\)|postgres(ql)?:\/\//;

function requestIdFaults(platform: Platform, answer: Answer): string[] {
  const name = `${platform.brand}-Request-ID`;
  const requestId = header(answer, name);
  if (requestId === undefined) return [`the header ${name} is missing (API-3)`];
  return UUID.test(requestId) ? [] : [`${name} is ${requestId}, not a UUID (API-3)`];
}

function rateLimitFaults(
  platform: Platform,
  operation: ExpectedOperation,
  answer: Answer,
): string[] {
  // Login has none by API-7; operations outside the interfaces have those that the contract promises.
  if (!operation.token) return [];
  const prefix = `X-${platform.brand}-RateLimit-`;
  const faults: string[] = [];
  if (!header(answer, `${prefix}By`)) faults.push(`the header ${prefix}By is missing (API-7)`);
  const remaining = header(answer, `${prefix}Remaining`);
  if (!/^\d+$/.test(remaining ?? '')) faults.push(`${prefix}Remaining is ${remaining} (API-7)`);
  const reset = header(answer, `${prefix}Reset`);
  // The platform's clock is compared by its own Date header, never by this machine's.
  const now = Date.parse(header(answer, 'date') ?? '') / 1000;
  const ahead = Number(reset) - now;
  const isMove = operation.id.startsWith('backOffice.clock.');
  const longest = isMove ? LONGEST_MOVE_SECONDS : LONGEST_ANSWER_SECONDS;
  if (!/^\d+$/.test(reset ?? '') || ahead < -longest || ahead > QUARTER_HOUR_SECONDS + longest) {
    faults.push(`${prefix}Reset is ${reset} at ${now}, not an epoch second of a window (API-7)`);
  }
  return faults;
}

function cachingFaults(operation: ExpectedOperation, answer: Answer): string[] {
  const faults: string[] = [];
  const control = header(answer, 'cache-control');
  if (!control) faults.push('the header Cache-Control is missing');
  if (answer.method !== 'GET' || !operation.revalidated) return faults;
  if (answer.status === 200 || answer.status === 304) {
    const etag = header(answer, 'etag') ?? '';
    if (!STRONG_ETAG.test(etag)) faults.push(`ETag is "${etag}", not a strong one (API-11)`);
  }
  if (answer.status === 304 && answer.bytes.length > 0) faults.push('a 304 has a body (API-11)');
  return faults;
}

function statusHeaderFaults(operation: ExpectedOperation, answer: Answer): string[] {
  const needed: Readonly<Record<number, string>> = { 405: 'allow', 429: 'retry-after' };
  const faults: string[] = [];
  const name = needed[answer.status];
  if (name && header(answer, name) === undefined) faults.push(`${answer.status} lacks ${name}`);
  if (answer.status === 429 && !/^[1-9]\d*$/.test(header(answer, 'retry-after') ?? '')) {
    faults.push(`Retry-After is ${header(answer, 'retry-after')}, not seconds (API-7)`);
  }
  const challenge = header(answer, 'www-authenticate');
  if (answer.status === 401 && operation.token && !/^Bearer/.test(challenge ?? '')) {
    faults.push(`401 carries WWW-Authenticate "${challenge}", not a Bearer challenge (AUTH-5)`);
  }
  return faults;
}

/** The shape that an error answer of this status must have. */
function errorShape(operation: ExpectedOperation, status: number): string {
  if (operation.errors === 'ServiceError') {
    return SERVICE_ERROR_STATUSES.has(status) ? 'ServiceError' : 'ErrorMessage';
  }
  return operation.errors;
}

function errorMessageFaults(platform: Platform, answer: Answer): string[] {
  const body = answer.json as Record<string, unknown>;
  const faults: string[] = [];
  if (body.status !== answer.status) faults.push(`status in the body is ${body.status} (API-1)`);
  if (body.code === 0) faults.push('code is 0 (API-1)');
  if (body.requestId !== header(answer, `${platform.brand}-Request-ID`)) {
    faults.push(`requestId is ${body.requestId}, not that of the header (API-3)`);
  }
  if (typeof body.message !== 'string' || body.message.length < 10) {
    faults.push(`the message "${body.message}" says too little (API-4)`);
  }
  const publicUrl = platform.demo.baseUrl.replace(/\/$/, '');
  if (!String(body.link).startsWith(`${publicUrl}/`)) {
    faults.push(`link is ${body.link}, not a page of ${publicUrl} (API-2)`);
  }
  return faults;
}

function errorFaults(platform: Platform, operation: ExpectedOperation, answer: Answer): string[] {
  const shape = errorShape(operation, answer.status);
  const faults = INTERNALS.test(answer.text) ? ['the answer shows internals of the server'] : [];
  const body = answer.json;
  if (typeof body !== 'object' || body === null) return [...faults, 'the error body is not JSON'];
  if (shape === 'OAuthError') {
    if (typeof (body as { error?: unknown }).error !== 'string') {
      faults.push('the error body lacks "error" (RFC 6749, 5.2)');
    }
    return faults;
  }
  faults.push(...inspect(shape, body).faults);
  if (shape === 'ErrorMessage') faults.push(...errorMessageFaults(platform, answer));
  return faults;
}

function bodyFaults(platform: Platform, operation: ExpectedOperation, answer: Answer): string[] {
  if (header(answer, 'content-encoding') !== undefined || answer.method === 'HEAD') return [];
  if (answer.status === 304) return [];
  if (answer.status >= 400) return errorFaults(platform, operation, answer);
  const type = platform.answers?.[operation.id] ?? operation.answer;
  if (type === null) return [];
  if (answer.json === undefined) return ['the answer is not JSON'];
  return inspect(type, answer.json).faults;
}

/** Everything by which an answer breaks the contract, as sentences; empty when it keeps it. */
function answerFaults(platform: Platform, operation: ExpectedOperation, answer: Answer): string[] {
  return [
    ...requestIdFaults(platform, answer),
    ...rateLimitFaults(platform, operation, answer),
    ...cachingFaults(operation, answer),
    ...statusHeaderFaults(operation, answer),
    ...bodyFaults(platform, operation, answer),
    // A switch leaves the published document behind: its shape is judged above alone.
    ...(platform.answers?.[operation.id] ? [] : publishedFaults(platform.brand, operation, answer)),
  ];
}

/** Fails the running test with every fault of the answer. */
export function checkAnswer(
  platform: Platform,
  operation: ExpectedOperation,
  answer: Answer,
): void {
  const faults = answerFaults(platform, operation, answer);
  if (faults.length === 0) return;
  const shown = [...new Set(faults)].slice(0, 12).join('\n  ');
  assert.fail(
    `${operation.id}: ${answer.method} ${answer.path} answered ${answer.status} against the ` +
      `contract:\n  ${shown}\n  body: ${answer.text.slice(0, 400)}`,
  );
}
