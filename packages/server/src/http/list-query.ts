import { backOfficePageSizeAtMost } from '@servery/contract';
import { parseInstant } from '../text/instant.ts';
import { ApiError } from './errors.ts';
import type { PageTokens } from './paging.ts';

/** The query parameters of a list that were sent, as text. */
export type ListQuery<Name extends string> = Readonly<Partial<Record<Name, string>>>;

/** What a page token names: the list as asked for, and the last row of the page before. */
export interface ListPosition<Name extends string, Place> {
  readonly query: ListQuery<Name>;
  readonly after: Place;
}

const DEFAULT_PAGE_SIZE = 100;

/**
 * Reads the parameters that say what a list holds, and where its page begins. A page token stands
 * for all of them: what is sent beside it must be the same. Throws ApiError `badRequest`.
 */
export function readListQuery<Name extends string, Place>(
  names: readonly Name[],
  sent: Readonly<Record<string, string | undefined>>,
  tokens: PageTokens<ListPosition<Name, Place>>,
): { readonly query: ListQuery<Name>; readonly after: Place | null } {
  const given = Object.fromEntries(
    names.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]]])),
  ) as ListQuery<Name>;
  if (!sent.pageToken) return { query: given, after: null };
  const position = tokens.open(sent.pageToken);
  for (const name of names) {
    if (given[name] !== undefined && given[name] !== position.query[name]) {
      throw new ApiError(
        'badRequest',
        `${name} is not what the pageToken was given for: leave it out, or send it unchanged.`,
      );
    }
  }
  return position;
}

/** How many a page of the back office holds; throws ApiError `badRequest` for what is no size. */
export function readPageSize(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PAGE_SIZE;
  const pageSize = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (pageSize >= 1 && pageSize <= backOfficePageSizeAtMost) return pageSize;
  throw new ApiError(
    'badRequest',
    `pageSize must be a whole number from 1 to ${backOfficePageSizeAtMost}.`,
  );
}

/**
 * The instant of a query parameter as ISO 8601 in UTC; null when it was not sent. Throws ApiError
 * `badRequest` for what is none.
 */
export function readInstantParameter(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  // A "+" that was not percent-encoded reaches us as the blank that it means in a query string.
  const instantMs = parseInstant(text.replace(' ', '+'));
  if (instantMs !== null) return Temporal.Instant.fromEpochMilliseconds(instantMs).toString();
  throw new ApiError(
    'badRequest',
    `${name} is not an instant: send one such as 2026-01-31T18:30:00.000Z.`,
  );
}
