import {
  brandedHeaders,
  type CollectionName,
  collectionReferences,
  collections,
} from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { type Answers, cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { Answer, HandlersOf, RestaurantRequest } from '../../http/operation.ts';
import { pageTokens } from '../../http/paging.ts';
import { type Render, renderer } from '../render.ts';
import { findSnapshot } from '../store.ts';
import { readTipWithholding } from '../tip-withholding.ts';
import { type CollectionPosition, PAGE_SIZE, readPage } from './read-page.ts';

/** What the configuration interface needs from outside. */
export interface ConfigurationDeps {
  readonly database: Database;
  /** Authenticates page tokens. */
  readonly vault: Vault;
  readonly answers: Answers;
  /** Stands in the name of the next-page header and in destinations of service charges. */
  readonly brand: string;
}

type Handler = (request: RestaurantRequest) => Promise<Answer>;

/** The operations of the 23 collections and of tipWithholding (decisions CFG-1–CFG-11). */
export function configurationHandlers(deps: ConfigurationDeps): HandlersOf<'configuration.'> {
  const handlers: Record<string, Handler> = {
    'configuration.tipWithholding.get': ({ restaurant: { guid } }) =>
      cachedAnswer(deps.answers, ['tipWithholding', guid], [`configuration:${guid}`], async () => ({
        json: await readTipWithholding(deps.database, guid),
      })),
  };
  for (const { name } of collections) {
    const render = renderer(name, deps.brand);
    handlers[`configuration.${name}.list`] = listHandler(deps, name, render);
    handlers[`configuration.${name}.get`] = getHandler(deps, name, render);
  }
  // The ids are made of the same list of collections as the contract's.
  return handlers as HandlersOf<'configuration.'>;
}

function listHandler(deps: ConfigurationDeps, collection: CollectionName, render: Render): Handler {
  const tokens = pageTokens<CollectionPosition>(deps.vault, 'configuration');
  const nextPageHeader = brandedHeaders(deps.brand).nextPageToken;
  const pageDeps = { database: deps.database, tokens, render, pageSize: PAGE_SIZE };
  return ({ restaurant, query: { pageToken, lastModified } }) => {
    const restaurantGuid = restaurant.guid;
    const parts = ['page', collection, restaurantGuid, pageToken, lastModified];
    return cachedAnswer(deps.answers, parts, [`configuration:${restaurantGuid}`], async () => {
      const request = { restaurantGuid, collection, pageToken, lastModified };
      const { objects, nextPageToken } = await readPage(pageDeps, request);
      return {
        bytes: JSON.stringify(objects),
        ...(nextPageToken !== null && { headers: { [nextPageHeader]: nextPageToken } }),
      };
    });
  };
}

function getHandler(deps: ConfigurationDeps, collection: CollectionName, render: Render): Handler {
  const references = collectionReferences[collection];
  return async ({ restaurant, params }) => {
    const guid = parseGuid(params.guid ?? '');
    if (guid === null) throw notThere(collection);
    const restaurantGuid = restaurant.guid;
    const parts = ['object', collection, restaurantGuid, guid];
    return cachedAnswer(deps.answers, parts, [`configuration:${restaurantGuid}`], async () => {
      const address = { restaurantGuid, collection, references };
      const [object] = render(await findSnapshot(deps.database.sql, address, { guid }));
      if (object === undefined) throw notThere(collection);
      return { bytes: JSON.stringify(object) };
    });
  };
}

/** The 404 of CFG-10, the same for unknown, archived, malformed and another restaurant's guids. */
function notThere(collection: CollectionName): ApiError {
  return new ApiError(
    'notFound',
    `The guid in the path names no object of ${collection} at this restaurant: take one from ` +
      'the collection (archived objects are not there).',
  );
}
