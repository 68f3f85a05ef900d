import { brandedHeaders, type Operation } from '@servery/contract';
import { nearestNames } from '@servery/support/nearest-names.ts';
import { type DocumentPath, pathText, readPath } from '../../document/faults.ts';
import { findInBody } from '../schema-path.ts';

/** Where a request can have a value, named as errors and explanations do. */
export type RequestPlace =
  | { readonly kind: 'query' | 'params' | 'header'; readonly name: string }
  | { readonly kind: 'body'; readonly path: DocumentPath };

export const WHOLE_BODY = 'The body';

/** Others are about one connection, or say who the caller is. */
export function headersSent(brand: string): string[] {
  const { restaurantExternalId, explain, sandboxFault } = brandedHeaders(brand);
  return [
    ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Content-Type', 'If-None-Match'],
    ...['User-Agent', restaurantExternalId, explain, sandboxFault],
  ];
}

interface Request {
  readonly brand: string;
  readonly operation: Operation | null;
  /** What it had, whatever the operation takes. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** A text says why there is no such place, and what there is. */
export function findPlace(request: Request, text: string): RequestPlace | string {
  const { brand, operation, query, body } = request;
  if (Object.hasOwn({ ...operation?.query, ...query }, text)) return { kind: 'query', name: text };
  if (operation && Object.hasOwn(operation.params, text)) return { kind: 'params', name: text };
  const header = text.toLowerCase();
  const isHeader = headersSent(brand).some((name) => name.toLowerCase() === header);
  if (isHeader) return { kind: 'header', name: header };
  const path = text === WHOLE_BODY ? [] : readPath(text);
  const found = operation && path && findInBody(operation, path);
  if (path && ((found && 'path' in found) || isIn(body, path))) return { kind: 'body', path };
  return `is not a place in this request. ${whatThereIs(request, text, path)}`;
}

function isIn(body: unknown, path: DocumentPath): boolean {
  if (path.length === 0) return body !== undefined;
  const [first = '', ...rest] = path;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, first)) return false;
  return isIn((body as Readonly<Record<string | number, unknown>>)[first], rest);
}

function whatThereIs(
  { brand, operation }: Pick<Request, 'brand' | 'operation'>,
  text: string,
  path: DocumentPath | null,
): string {
  const { params = {}, query = {} } = operation ?? {};
  const near = operation && path && nearestInBody(operation, path);
  const kinds = [
    ['path parameters', Object.keys(params)],
    ['query parameters', Object.keys(query)],
    ['headers', headersSent(brand)],
    ['fields of the body', operation?.requestBody ? [...(near ?? []), WHOLE_BODY] : []],
  ] as const;
  const meant = nearestNames(
    text,
    kinds.flatMap(([, names]) => names),
  );
  if (meant.length > 0) return `Did you mean ${meant.join(' or ')}?`;
  const there = kinds.filter(([, names]) => names.length > 0);
  return `There are: ${there.map(([kind, names]) => `${kind} ${names.join(', ')}`).join('; ')}`;
}

/** The places beside the first step that can't exist. */
function nearestInBody(operation: Operation, path: DocumentPath): string[] | null {
  for (let length = path.length; length > 0; length -= 1) {
    const found = findInBody(operation, path.slice(0, length));
    const before = path.slice(0, length - 1);
    const isLast = found && 'stepsThere' in found && isThere(operation, before);
    if (isLast) return found.stepsThere.map((step) => joined(before, step));
  }
  return null;
}

function isThere(operation: Operation, path: DocumentPath): boolean {
  const found = findInBody(operation, path);
  return found !== null && 'path' in found;
}

function joined(before: DocumentPath, step: string): string {
  return step.startsWith('[') ? `${pathText(before)}${step}` : pathText([...before, step]);
}
