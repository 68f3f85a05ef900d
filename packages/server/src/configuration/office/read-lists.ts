import { isCollectionName } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { type ListPosition, readListQuery, readPageSize } from '../../http/list-query.ts';
import type { BackOfficeRestaurantRequest } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { readText } from '../../http/query-values.ts';
import { readFlagFilter } from '../../http/read-query.ts';
import { SHOWN_CHANGES } from '../describe-changes.ts';
import type { ObjectKind } from '../document/contents.ts';
import { listDraftsOf, listObjectGuids } from '../draft-store.ts';
import type { ObjectView } from '../edit-drafts.ts';
import { contentsOf } from '../object-state.ts';
import {
  findPublication,
  listPublicationChanges,
  listPublications,
  type PublicationPlace,
} from '../publication-store.ts';
import { listSelectedObjects } from '../write-store.ts';
import { objectOnWire, publicationDetails, publicationOnWire } from './present.ts';
import { noSuchPublication, publicationNumber } from './publication-number.ts';

/** What lists of objects and publications lean on. */
export interface DraftListDeps {
  readonly database: Database;
  /** Authenticates page tokens. */
  readonly vault: Vault;
}

const objectParameters = ['name', 'archived', 'drafted', 'pageSize'] as const;
const publicationParameters = ['pageSize'] as const;

/** A page token is good at the restaurant, and for the collection, that it was given for. */
interface Within<Place> {
  readonly within: string;
  readonly place: Place;
}

type ObjectPosition = ListPosition<(typeof objectParameters)[number], Within<string>>;
type PublicationPosition = ListPosition<
  (typeof publicationParameters)[number],
  Within<PublicationPlace>
>;

/** The lists of objects and publications, and a publication with its list of changes. */
export function listHandlers(deps: DraftListDeps) {
  const { sql } = deps.database;
  const objectTokens = pageTokens<ObjectPosition>(deps.vault, 'configuration.objects');
  const tokens = pageTokens<PublicationPosition>(deps.vault, 'configuration.publications');
  return {
    'backOffice.configuration.objects.list': async (request: BackOfficeRestaurantRequest) => {
      const { guid: restaurantGuid } = request.restaurant;
      const { collection = '' } = request.params;
      if (!isCollectionName(collection)) throw noSuchCollection();
      const { query, after } = readListQuery(objectParameters, request.query, objectTokens);
      const within = `${restaurantGuid}/${collection}`;
      const afterGuid = placeWithin(within, after);
      const pageSize = readPageSize(query.pageSize);
      const filter = {
        name: readText('name', query.name),
        isArchived: readFlagFilter('archived', query.archived),
        isDrafted: readFlagFilter('drafted', query.drafted),
      };
      const page = { afterGuid, limit: pageSize + 1 };
      const guids = await listObjectGuids(sql, { restaurantGuid, collection }, filter, page);
      const shown = guids.slice(0, pageSize);
      const views = await readViews(sql, restaurantGuid, collection, shown);
      const last = guids.length > pageSize ? shown.at(-1) : undefined;
      const next = last && objectTokens.seal({ query, after: { within, place: last } });
      return { json: { results: views.map(objectOnWire), nextPageToken: next ?? null } };
    },
    'backOffice.configuration.publications.list': async (request: BackOfficeRestaurantRequest) => {
      const { guid } = request.restaurant;
      const { query, after } = readListQuery(publicationParameters, request.query, tokens);
      const pageSize = readPageSize(query.pageSize);
      const rows = await listPublications(sql, guid, placeWithin(guid, after), pageSize + 1);
      const shown = rows.slice(0, pageSize);
      const last = rows.length > pageSize ? shown.at(-1) : undefined;
      const place = last && { within: guid, place: { number: last.number } };
      return {
        json: {
          results: shown.map(publicationOnWire),
          nextPageToken: place ? tokens.seal({ query, after: place }) : null,
        },
      };
    },
    'backOffice.configuration.publications.get': async (request: BackOfficeRestaurantRequest) => {
      const { guid } = request.restaurant;
      const row = await findPublication(sql, guid, publicationNumber(request));
      if (!row) throw noSuchPublication();
      const changes = await listPublicationChanges(sql, guid, row.number, SHOWN_CHANGES);
      return { json: publicationDetails(row, changes) };
    },
  };
}

function placeWithin<Place>(within: string, after: Within<Place> | null): Place | null {
  if (after === null) return null;
  if (after.within === within) return after.place;
  throw new ApiError(
    'badRequest',
    'pageToken is that of another list: send it to the list that it came from, or leave it out.',
  );
}

/** Objects by their GUIDs; those that went since these were listed are left out. */
async function readViews(
  sql: Sql,
  restaurantGuid: string,
  collection: ObjectKind,
  guids: readonly string[],
): Promise<ObjectView[]> {
  const selection = { collections: [collection], guids };
  const stored = await listSelectedObjects(sql, restaurantGuid, selection);
  const rows = await listDraftsOf(sql, restaurantGuid, collection, guids);
  const published = new Map(stored.map((object) => [object.guid, contentsOf(object)]));
  const drafts = new Map(rows.map((row) => [row.object.guid, row]));
  return guids.flatMap((guid) => {
    const view = { published: published.get(guid) ?? null, draft: drafts.get(guid) ?? null };
    return view.published || view.draft ? [view] : [];
  });
}

function noSuchCollection(): ApiError {
  return new ApiError('notFound', 'There is no such collection: check the path.');
}
