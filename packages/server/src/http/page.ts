import { backOfficePageSizeByDefault } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from './errors.ts';
import type { Answer } from './operation.ts';
import type { PageTokens } from './paging.ts';

export interface ListDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Vault;
}

export interface PageQuery {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

type ListQuery<Query extends PageQuery> = Omit<Query, 'pageToken'>;

export interface ListPosition<Query extends PageQuery, Place> {
  readonly query: ListQuery<Query>;
  readonly after: Place;
}

/** Where nothing else names the place, the tokens' type does. */
type ListTokens<Query extends PageQuery, Place> =
  | PageTokens<ListPosition<Query, Place>>
  | PageTokens<unknown>;

export interface OpenPage<Query extends PageQuery, Place> {
  readonly query: ListQuery<Query>;
  readonly after: Place | null;
  readonly pageSize: number;
}

/**
 * A page token stands for the whole query; a different query beside it is refused. Throws ApiError
 * `badRequest`.
 */
export function openPage<Query extends PageQuery, Place>(
  { pageToken, ...sent }: Query,
  tokens: ListTokens<Query, Place>,
): OpenPage<Query, Place> {
  const { query, after } =
    pageToken === undefined
      ? { query: sent, after: null }
      : (tokens.open(pageToken) as ListPosition<Query, Place>);
  const asked = new Map(Object.entries(query));
  for (const [name, value] of Object.entries(sent)) {
    if (JSON.stringify(value) === JSON.stringify(asked.get(name))) continue;
    throw new ApiError(
      'badRequest',
      `${name} is not what the pageToken was issued for: leave it out, or send it unchanged.`,
    );
  }
  const pageSize = (query as PageQuery).pageSize ?? backOfficePageSizeByDefault;
  return { query, after, pageSize };
}

export interface ListReading<Query extends PageQuery, Place, Row, Result> {
  readonly tokens: ListTokens<Query, Place>;
  readonly list: (
    query: ListQuery<Query>,
    after: Place | null,
    limit: number,
  ) => Promise<readonly Row[]>;
  readonly placeOf: (row: Row) => Place;
  readonly onWire: (row: Row) => Result;
}

export interface Page<Result> {
  readonly results: Result[];
  readonly nextPageToken: string | null;
}

/** Throws ApiError `badRequest` for a page token of another list. */
export async function answerPage<Query extends PageQuery, Place, Row, Result>(
  sent: Query,
  reading: ListReading<Query, Place, Row, Result>,
): Promise<Answer<Page<Result>>> {
  const page = openPage(sent, reading.tokens);
  return { json: await readListPage(page, reading) };
}

export async function readListPage<Query extends PageQuery, Place, Row, Result>(
  { query, after, pageSize }: OpenPage<Query, Place>,
  { tokens, list, placeOf, onWire }: ListReading<Query, Place, Row, Result>,
): Promise<Page<Result>> {
  // One extra row tells whether there is a next page.
  const rows = await list(query, after, pageSize + 1);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const nextPageToken = last ? tokens.seal({ query, after: placeOf(last) }) : null;
  return { results: shown.map(onWire), nextPageToken };
}
