import { brandedHeaders, type PartnerCollectionName } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import {
  type Answers,
  answerAlong,
  answerKey,
  cachedAnswer,
} from '../../http/fast/cached-answer.ts';
import type { Answer, HandlerOf } from '../../http/operation.ts';
import { readingAlong } from '../../http/read-along.ts';
import type { Render } from '../render.ts';
import { readSnapshot, snapshotContent } from '../store.ts';
import {
  addressOf,
  firstPage,
  makePage,
  PAGE_SIZE,
  type Page,
  positionTokens,
  readPage,
} from './read-page.ts';

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
  const onWire = ({ objects, nextPageToken }: Page): Answer<never> => ({
    bytes: JSON.stringify(objects),
    ...(nextPageToken !== null && { headers: { [nextPageHeader]: nextPageToken } }),
  });
  const partsOf = (restaurantGuid: string, pageToken?: string, lastModified?: string) =>
    ['page', collection, restaurantGuid, pageToken, lastModified] as const;
  const subjectsOf = (restaurantGuid: string) => [`configuration:${restaurantGuid}`] as const;
  return readingAlong(
    ({ restaurantGuid, sentQuery }) => {
      if (Object.keys(sentQuery).length > 0) return null;
      return {
        answerKey: answerKey(partsOf(restaurantGuid)),
        subjects: subjectsOf(restaurantGuid),
        column: (sql) =>
          snapshotContent(sql, addressOf({ restaurantGuid, collection }), firstPage(PAGE_SIZE)),
      };
    },
    async ({ restaurant, along, query: { pageToken, lastModified } }) => {
      const { guid: restaurantGuid, publishNumber } = restaurant;
      const first = answerAlong(answers, along, (content) => {
        const place = { restaurantGuid, collection, modifiedAfter: null };
        return onWire(makePage(deps, place, readSnapshot({ publishNumber, content })));
      });
      if (first) return first;
      const parts = partsOf(restaurantGuid, pageToken, lastModified);
      return await cachedAnswer(answers, parts, subjectsOf(restaurantGuid), async (sql, sight) => {
        const request = { restaurantGuid, collection, pageToken, lastModified };
        return onWire(await readPage({ ...deps, sql }, request, sight));
      });
    },
  );
}
