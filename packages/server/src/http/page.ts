import { type ListPosition, type ListQuery, readListQuery, readPageSize } from './list-query.ts';
import type { Answer } from './operation.ts';
import type { PageTokens } from './paging.ts';

/** How one list of the back office is read and shown. */
export interface PageReading<Name extends string, Place, Row> {
  /** The query parameters that say what the list holds, `pageSize` among them. */
  readonly names: readonly Name[];
  readonly tokens: PageTokens<ListPosition<Name, Place>>;
  /** Reads at most `limit` rows behind a place, or from the first one. */
  readonly list: (query: ListQuery<Name>, after: Place | null, limit: number) => Promise<Row[]>;
  /** The place of a row in the order of the list. */
  readonly placeOf: (row: Row) => Place;
  readonly onWire: (row: Row) => unknown;
}

/** Answers one page of a list: `results` and `nextPageToken`. Throws ApiError `badRequest`. */
export async function answerPage<Name extends string, Place, Row>(
  sent: Readonly<Record<string, string | undefined>>,
  { names, tokens, list, placeOf, onWire }: PageReading<Name | 'pageSize', Place, Row>,
): Promise<Answer> {
  const { query, after } = readListQuery(names, sent, tokens);
  const pageSize = readPageSize(query.pageSize);
  // One more than the page holds tells whether there is a next page.
  const rows = await list(query, after, pageSize + 1);
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const nextPageToken = last ? tokens.seal({ query, after: placeOf(last) }) : null;
  return { json: { results: shown.map(onWire), nextPageToken } };
}
