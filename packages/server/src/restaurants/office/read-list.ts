import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import {
  type ListPosition,
  type ListQuery,
  readListQuery,
  readPageSize,
} from '../../http/list-query.ts';
import type { BackOfficeRequest } from '../../http/operation.ts';
import type { PageTokens } from '../../http/paging.ts';
import type { RestaurantFilter } from '../admin-store.ts';
import type { NamePlace, Placed } from '../group-store.ts';

/** The query parameters that say what a list of management groups holds. */
export const groupParameters = ['archived', 'search', 'pageSize'] as const;
/** The query parameters that say what a list of restaurants holds. */
export const restaurantParameters = ['managementGroupGuid', ...groupParameters] as const;
type Name = (typeof restaurantParameters)[number];

/** What a page token of a list of groups or restaurants names. */
export type OrganizationPosition = ListPosition<Name, NamePlace>;

/** A list that was asked for. */
export interface OrganizationList {
  readonly query: ListQuery<Name>;
  readonly filter: RestaurantFilter;
  readonly pageSize: number;
  readonly after: NamePlace | null;
}

const SEARCH_LENGTH = 100;

/** Reads the query of a list. Throws ApiError `badRequest` that names the parameter. */
export function readOrganizationList(
  parameters: readonly Name[],
  { query: sent, reach }: BackOfficeRequest,
  tokens: PageTokens<OrganizationPosition>,
): OrganizationList {
  const { query, after } = readListQuery(parameters, sent, tokens);
  const filter = {
    reach,
    managementGroupGuid: readGroup(query.managementGroupGuid),
    archived: readArchived(query.archived),
    search: readSearch(query.search),
  };
  return { query, filter, pageSize: readPageSize(query.pageSize), after };
}

/** One page of rows, of which there is one more than the page holds when there is a next page. */
export function pageOf<Row extends Placed & { readonly guid: string }>(
  rows: readonly Row[],
  { query, pageSize }: OrganizationList,
  tokens: PageTokens<OrganizationPosition>,
): { readonly shown: readonly Row[]; readonly nextPageToken: string | null } {
  const shown = rows.slice(0, pageSize);
  const last = rows.length > pageSize ? shown.at(-1) : undefined;
  const after = last && { name: last.orderName, guid: last.guid };
  return { shown, nextPageToken: after ? tokens.seal({ query, after }) : null };
}

function readGroup(text: string | undefined): string | null {
  if (text === undefined) return null;
  const guid = parseGuid(text);
  if (guid !== null) return guid;
  throw new ApiError(
    'badRequest',
    'managementGroupGuid is not a GUID: send the GUID of a management group.',
  );
}

function readArchived(text: string | undefined): boolean | null {
  if (text === undefined) return null;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ApiError('badRequest', 'archived must be true or false.');
}

function readSearch(text: string | undefined): string | null {
  if (text === undefined) return null;
  const isSound = text.isWellFormed() && !text.includes('\0');
  if (text.trim() !== '' && text.length <= SEARCH_LENGTH && isSound) return text;
  throw new ApiError('badRequest', `search must have 1 to ${SEARCH_LENGTH} characters.`);
}
