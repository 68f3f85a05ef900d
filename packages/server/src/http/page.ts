import { backOfficePageSizeByDefault } from '@servery/contract';
import { ApiError } from './errors.ts';
import type { Answer } from './operation.ts';
import type { PageTokens } from './paging.ts';

/** The query of a list that is answered by pages. */
export interface PageQuery {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

/** What a list is asked for: its query without the page token. */
export type ListQuery<Query extends PageQuery> = Omit<Query, 'pageToken'>;

/** What a page token names: the list as asked for, and the last row of the page before. */
export interface ListPosition<Query extends PageQuery, Place> {
  readonly query: ListQuery<Query>;
  readonly after: Place;
}

/** Which page of a list is asked for. */
export interface OpenPage<Query extends PageQuery, Place> {
  readonly query: ListQuery<Query>;
  /** Null for the first page. */
  readonly after: Place | null;
  readonly pageSize: number;
}

/**
 * Finds out which page is asked for. A page token stands for the whole query: what is sent beside
 * it must be the same. Throws ApiError `badRequest`.
 */
export function openPage<Query extends PageQuery, Place>(
  { pageToken, ...sent }: Query,
  tokens: PageTokens<ListPosition<Query, Place>>,
): OpenPage<Query, Place> {
  const { query, after } =
    pageToken === undefined ? { query: sent, after: null } : tokens.open(pageToken);
  const asked = new Map(Object.entries(query));
  for (const [name, value] of Object.entries(sent)) {
    if (JSON.stringify(value) === JSON.stringify(asked.get(name))) continue;
    throw new ApiError(
      'badRequest',
      `${name} is not what the pageToken was given for: leave it out, or send it unchanged.`,
    );
  }
  const pageSize = (query as PageQuery).pageSize ?? backOfficePageSizeByDefault;
  return { query, after, pageSize };
}

/** How a list is read and shown. */
export interface ListReading<Query extends PageQuery, Place, Row, Result> {
  readonly tokens: PageTokens<ListPosition<Query, Place>>;
  /** Reads at most `limit` rows behind a place, or from the first one. */
  readonly list: (
    query: ListQuery<Query>,
    after: Place | null,
    limit: number,
  ) => Promise<readonly Row[]>;
  /** The place of a row in the order of the list. */
  readonly placeOf: (row: Row) => Place;
  readonly onWire: (row: Row) => Result;
}

/** One page of a list, as it is answered. */
export interface Page<Result> {
  readonly results: Result[];
  readonly nextPageToken: string | null;
}

/** Answers one page of a list. Throws ApiError `badRequest` for a page token of another one. */
export async function answerPage<Query extends PageQuery, Place, Row, Result>(
  sent: Query,
  reading: ListReading<Query, Place, Row, Result>,
): Promise<Answer<Page<Result>>> {
  const page = openPage(sent, reading.tokens);
  return { json: await readListPage(page, reading) };
}

/** Reads the page that is asked for. */
export async function readListPage<Query extends PageQuery, Place, Row, Result>(
  { query, after, pageSize }: OpenPage<Query, Place>,
  { tokens, list, placeOf, onWire }: ListReading<Query, Place, Row, Result>,
): Promise<Page<Result>> {
  // One more than the page holds tells whether there is a next page.
  const rows = await list(query, after, pageSize + 1);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const nextPageToken = last ? tokens.seal({ query, after: placeOf(last) }) : null;
  return { results: shown.map(onWire), nextPageToken };
}
