import assert from 'node:assert/strict';
import {
  brandedHeaders,
  type Operation,
  operations,
  type Parameter,
  parametersOf,
} from '@servery/contract';
import { record } from './answers.ts';
import type { FilledPlatform } from './fillings.ts';

/** What a list is asked with. */
export type Query = Readonly<Record<string, string>>;

/** Who asks, and for what. */
export interface Asker {
  readonly platform: FilledPlatform;
  readonly headers: Readonly<Record<string, string>>;
  /** By the names of parameters. */
  readonly values: Readonly<Record<string, string>>;
}

const PAGING = ['pageSize', 'pageToken', 'page', 'after'];

/** Every list of the contract: what comes in pages, and what comes whole. */
export const lists: readonly Operation[] = operations.filter(
  ({ method, query, response, mediaType }) =>
    method === 'GET' &&
    mediaType === 'application/json' &&
    (response?.array || PAGING.some((name) => name in query)),
);

/** Lists that say nothing without one of these. */
const NEEDED: Readonly<Record<string, string>> = {
  'orders.list': 'businessDate',
  'orders.listBulk': 'businessDate',
  'orders.payments.list': 'paidBusinessDate',
};

/** The list by itself, in pages as large as they may be. */
export function queryOf(operation: Operation, { values }: Asker): Query {
  const parameters = parametersOf(operation.query);
  const pageSize = parameters.find(({ name }) => name === 'pageSize');
  const always = parameters.filter(
    ({ name, required }) => required || name === NEEDED[operation.id],
  );
  return Object.assign(
    pageSize ? { pageSize: String(pageSize.schema.maximum) } : {},
    ...always.map(({ name, example }) => ({ [name]: values[name] ?? String(example) })),
  );
}

export function filtersOf({ id, query }: Operation): Parameter[] {
  if (id in NEEDED) return [];
  return parametersOf(query).filter(({ name, required }) => !required && !PAGING.includes(name));
}

/** Values that match nothing. Most filters accept only some of these forms. */
const NOTHING = [
  '00000000-0000-4000-8000-000000000000',
  '2999-01-01T00:00:00.000Z',
  'zzqzz',
  '0000',
  '0.07',
];

/** Each choice of a filter, or a value that is known to match and some that match nothing. */
export function wordsFor({ name, schema, example }: Parameter, { values }: Asker): string[] {
  const { enum: choices, pattern, type } = schema;
  if (Array.isArray(choices)) return choices.map(String);
  if (type === 'boolean') return ['true', 'false'];
  const [, alternatives] = /^\^\(([A-Z_|]+)\)/.exec(String(pattern)) ?? [];
  if (alternatives !== undefined) return alternatives.split('|');
  return [values[name] ?? String(example), ...NOTHING];
}

export function pathOf({ path }: Operation, { values }: Asker, query: Query): string {
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nobody says what {${name}} of ${path} is`);
    return value;
  });
  const search = new URLSearchParams(query).toString();
  return search === '' ? named : `${named}?${search}`;
}

/** A list that goes on is left there: what follows one page by its key follows another. */
const PAGES_WALKED = 100;

/** The first page, and the last one that has as many results; the same one where there is no other. */
export async function endsOf(operation: Operation, asker: Asker, query: Query) {
  let last = query;
  let size: number | null = null;
  let pages = 0;
  for (let at: Query | null = query; at !== null && pages < PAGES_WALKED; pages += 1) {
    const page = await readPage(operation, asker, at);
    size ??= page.size;
    if (page.size === size) last = at;
    at = page.next && { ...query, ...page.next };
  }
  return { first: query, last, size: size ?? 0 };
}

/** How many results and bytes the first page has, and how long it took; null if the query is refused. */
export async function tryPage(operation: Operation, asker: Asker, query: Query) {
  const startedMs = performance.now();
  const { status, body } = await ask(operation, asker, query);
  const tookMs = performance.now() - startedMs;
  if (status >= 400 && status < 500) return null;
  const { length: size } = resultsOf(JSON.parse(body.toString()));
  return { size, bytes: body.length, tookMs };
}

const ask = (operation: Operation, asker: Asker, query: Query) =>
  record(asker.platform.url + pathOf(operation, asker, query), { headers: asker.headers });

const resultsOf = (body: { results: unknown[] } | unknown[]) =>
  Array.isArray(body) ? body : body.results;

async function readPage(
  operation: Operation,
  asker: Asker,
  query: Query,
): Promise<{ readonly size: number; readonly next: Query | null }> {
  const { platform } = asker;
  const answer = await ask(operation, asker, query);
  const text = answer.body.toString();
  assert.equal(answer.status, 200, `${pathOf(operation, asker, query)}: ${answer.status} ${text}`);
  const body = JSON.parse(text);
  const results = resultsOf(body);
  const header = brandedHeaders(platform.demo.brand).nextPageToken.toLowerCase();
  const pageToken = body.nextPageToken ?? answer.headers[header];
  if (pageToken) return { size: results.length, next: { pageToken } };
  return { size: results.length, next: cursorOf(operation, answer.headers.link, body) };
}

function cursorOf({ query }: Operation, link: string | undefined, body: Query): Query | null {
  const [, address] = /<([^>]*)>; rel="next"/.exec(link ?? '') ?? [];
  if (address !== undefined) return Object.fromEntries(new URL(address).searchParams);
  if (!('after' in query)) return null;
  const { hasMore, nextCursor, lastPosition, results } = body as Readonly<Record<string, unknown>>;
  if (hasMore) return { after: String(nextCursor) };
  const isMore = lastPosition !== undefined && (results as unknown[]).length > 0;
  return isMore ? { after: String(lastPosition) } : null;
}
