import { type PartnerCollectionName, partnerReferences } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Sql } from '../../database/database.ts';
import type { Sight } from '../../freshness/cache.ts';
import type { Freshness } from '../../freshness/freshness.ts';
import { bucketOf } from '../../freshness/subjects.ts';
import { ApiError } from '../../http/errors.ts';
import { foreignToken, type PageTokens, pageTokens } from '../../http/paging.ts';
import { type Instant, parseTimestamp } from '../../http/timestamps.ts';
import type { Render } from '../render.ts';
import { type CollectionAddress, findSnapshot, type Selection, type Snapshot } from '../store.ts';

export const PAGE_SIZE = 300;

export interface CollectionPosition {
  readonly restaurantGuid: string;
  readonly collection: PartnerCollectionName;
  readonly modifiedAfter: Instant | null;
  readonly afterGuid: string;
  readonly publishNumber: number;
}

export const positionTokens = (vault: Vault): PageTokens<CollectionPosition> =>
  pageTokens(vault, 'configuration');

export interface MakePageDeps {
  readonly tokens: PageTokens<CollectionPosition>;
  readonly render: Render;
  readonly pageSize: number;
}

export interface ReadPageDeps extends MakePageDeps {
  readonly sql: Sql;
  readonly freshness: Freshness;
}

export interface PageRequest {
  readonly restaurantGuid: string;
  readonly collection: PartnerCollectionName;
  readonly pageToken: string | undefined;
  readonly lastModified: string | undefined;
}

export interface Page {
  readonly objects: readonly unknown[];
  readonly nextPageToken: string | null;
}

/**
 * Throws 400 for a malformed `lastModified` (API-8), for a token from another collection or
 * restaurant, and for a `lastModified` that differs from the token's; 409 when the configuration
 * was published since the first page (CFG-9).
 */
export async function readPage(
  deps: ReadPageDeps,
  request: PageRequest,
  sight: Sight | null = null,
): Promise<Page> {
  const { restaurantGuid } = request;
  const position = openPosition(deps, request);
  const modifiedAfter = chosenInstant(request, position);
  const snapshot = await findSnapshot(
    deps.sql,
    addressOf(request),
    { ...firstPage(deps.pageSize), afterGuid: position?.afterGuid ?? null, modifiedAfter },
    sight,
  );
  if (position && position.publishNumber !== snapshot.publishNumber) {
    // Forget the cached first page: with it the client would end up here again.
    deps.freshness.changed([bucketOf(`configuration:${restaurantGuid}`)]);
    throw publishedSince();
  }
  return makePage(deps, { ...request, modifiedAfter }, snapshot);
}

type PagePlace = Pick<PageRequest, 'restaurantGuid' | 'collection'>;

export const addressOf = ({ restaurantGuid, collection }: PagePlace): CollectionAddress => ({
  restaurantGuid,
  collection,
  references: partnerReferences(collection),
});

/** One extra object shows whether there is a next page. */
export const firstPage = (pageSize: number) =>
  ({ afterGuid: null, modifiedAfter: null, limit: pageSize + 1 }) satisfies Selection;

export function makePage(
  deps: MakePageDeps,
  {
    restaurantGuid,
    collection,
    modifiedAfter,
  }: PagePlace & Pick<CollectionPosition, 'modifiedAfter'>,
  { objects: found, targets, publishNumber }: Snapshot,
): Page {
  const objects = found.slice(0, deps.pageSize);
  const last = found.length > objects.length ? objects.at(-1) : undefined;
  return {
    objects: deps.render({ objects, targets }),
    nextPageToken: last
      ? deps.tokens.seal({
          restaurantGuid,
          collection,
          modifiedAfter,
          afterGuid: last.guid,
          publishNumber,
        })
      : null,
  };
}

function openPosition(deps: ReadPageDeps, request: PageRequest): CollectionPosition | null {
  const { pageToken, restaurantGuid, collection } = request;
  if (pageToken === undefined) return null;
  const position = deps.tokens.open(pageToken);
  const isOurs = position.restaurantGuid === restaurantGuid && position.collection === collection;
  if (!isOurs) throw foreignToken();
  return position;
}

/** With a token, `lastModified` may be absent but must not differ. */
function chosenInstant(request: PageRequest, position: CollectionPosition | null): Instant | null {
  const { lastModified } = request;
  if (lastModified === undefined) return position?.modifiedAfter ?? null;
  const instant = parseTimestamp(lastModified, { name: 'lastModified', bareDate: false });
  if (!position || position.modifiedAfter === instant) return instant;
  throw new ApiError(
    'badRequest',
    'lastModified is not the one that pageToken was issued for: send the same one with every page,' +
      ' or leave pageToken out to start at the first page.',
    STALE,
  );
}

const STALE = { notes: { rule: 'CFG-9' } };

function publishedSince(): ApiError {
  return new ApiError(
    'conflict',
    'The configuration was published again since the first page, so the remaining pages would ' +
      'not match it: start again at the first page, without pageToken.',
    STALE,
  );
}
