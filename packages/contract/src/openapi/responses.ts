import { errorSchemaName } from '../error-bodies.ts';
import { type ErrorClassDescription, errorClasses } from '../errors.ts';
import { exampleGuid } from '../examples/example.ts';
import { exampleOf } from '../examples.ts';
import type { JsonSchema } from '../json-schema.ts';
import { type Body, isSuccess, type MediaType } from '../operations/operation.ts';
import type { Operation } from '../operations.ts';
import { responseHeaders } from './headers.ts';

export const schemaBase = '#/components/schemas/';

export function bodySchema({ schema, array, maxItems }: Body): JsonSchema {
  const item = { $ref: `${schemaBase}${schema}` };
  if (!array) return item;
  return { type: 'array', items: item, ...(maxItems !== undefined && { maxItems }) };
}

export function responsesOf(operation: Operation, brand: string): JsonSchema {
  const entries = operation.statuses.map((status) => {
    const name = sharedName(operation, status);
    const response = name
      ? { $ref: `#/components/responses/${name}` }
      : responseOf(operation, status, brand);
    return [String(status), response];
  });
  return Object.fromEntries(entries);
}

export function responseComponents(operations: readonly Operation[], brand: string): JsonSchema {
  const components: Record<string, JsonSchema> = {};
  for (const operation of operations) {
    for (const status of operation.statuses) {
      const name = sharedName(operation, status);
      if (name) components[name] ??= responseOf(operation, status, brand);
    }
  }
  return components;
}

/** Refusals are alike wherever the rate limit headers are. */
function sharedName(operation: Operation, status: number): string | null {
  if (isSuccess(status) || !operation.responseHeaders.includes('rateLimitBy')) return null;
  if (status === 304) return 'NotModified';
  return `${errorSchemaName(operation, status)}${status}`;
}

const descriptions: Readonly<Record<MediaType, string>> = {
  'application/json': 'A JSON document.',
  'text/html': 'An HTML page.',
  'text/plain': 'Plain text.',
  'text/event-stream': 'Server-sent events, until the connection ends.',
  'application/x-ndjson': 'One JSON document per line.',
};

function responseOf(operation: Operation, status: number, brand: string): JsonSchema {
  const headers = responseHeaders(operation, status, brand);
  if (status === 304) return { description: 'Not changed since the ETag in the request.', headers };
  if (status >= 400) return { headers, ...refusal(operation, status) };
  const { response } = operation;
  if (!response) {
    const type = operation.mediaType === 'application/json' ? 'object' : 'string';
    const content = { [operation.mediaType]: { schema: { type } } };
    return { description: descriptions[operation.mediaType], headers, content };
  }
  const article = /^[AEIO]/.test(response.schema) ? 'An' : 'A';
  const description = `${response.array ? 'A list of' : article} ${response.schema}.`;
  return { description, headers, content: json(response, exampleOf(response, brand)) };
}

function refusal(operation: Operation, status: number): JsonSchema {
  const refused = errorClassOf(status);
  const schema = errorSchemaName(operation, status);
  const example = {
    ErrorMessage: errorMessageExample(refused),
    ServiceError: { description: refused.explanation },
    OAuthError: {
      error: status === 401 ? 'invalid_client' : status < 500 ? 'invalid_request' : 'server_error',
      error_description: refused.explanation,
    },
    HealthReport: { status: 'unavailable', reason: 'The database does not answer.' },
  }[schema];
  return {
    description: `${refused.title}. ${refused.explanation}`,
    content: json({ schema, array: false }, example),
  };
}

function errorMessageExample({ status, code, explanation }: ErrorClassDescription): JsonSchema {
  return {
    status,
    code,
    message: explanation,
    messageKey: null,
    fieldName: null,
    link: `https://localhost/errors/${code}`,
    requestId: exampleGuid(90),
    developerMessage: null,
    errors: [],
  };
}

function errorClassOf(status: number): ErrorClassDescription {
  const found = Object.values(errorClasses).find((entry) => entry.status === status);
  if (!found) throw new Error(`There is no class of error for the status ${status}.`);
  return found;
}

function json(body: Body, example: unknown): JsonSchema {
  return { 'application/json': { schema: bodySchema(body), example } };
}
