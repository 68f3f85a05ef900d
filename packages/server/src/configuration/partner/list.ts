import { brandedHeaders, type PartnerCollectionName } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { type Answers, cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { Render } from '../render.ts';
import { PAGE_SIZE, positionTokens, readPage } from './read-page.ts';

export interface ListObjectsDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly answers: Answers;
  /** Appears in the next-page header's name and in service charge destinations. */
  readonly brand: string;
}

export function listHandler(
  { database, vault, answers, brand }: ListObjectsDeps,
  collection: PartnerCollectionName,
  render: Render,
): HandlerOf<`configuration.${PartnerCollectionName}.list`> {
  const nextPageHeader = brandedHeaders(brand).nextPageToken;
  const deps = {
    freshness: database.freshness,
    tokens: positionTokens(vault),
    render,
    pageSize: PAGE_SIZE,
  };
  return ({ restaurant: { guid: restaurantGuid }, query: { pageToken, lastModified } }) => {
    const parts = ['page', collection, restaurantGuid, pageToken, lastModified];
    return cachedAnswer(answers, parts, [`configuration:${restaurantGuid}`], async (sql, sight) => {
      const request = { restaurantGuid, collection, pageToken, lastModified };
      const { objects, nextPageToken } = await readPage({ ...deps, sql }, request, sight);
      return {
        bytes: JSON.stringify(objects),
        ...(nextPageToken !== null && { headers: { [nextPageHeader]: nextPageToken } }),
      };
    });
  };
}
