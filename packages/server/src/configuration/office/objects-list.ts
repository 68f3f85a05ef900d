import type { RequestOf } from '@servery/contract';
import type { HandlerOf } from '../../http/operation.ts';
import { type ListDeps, type ListPosition, openPage, readListPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { listObjectGuids } from '../draft-store.ts';
import { findViews } from '../edit-drafts.ts';
import { collectionIn } from './object-in-path.ts';
import { objectOnWire } from './on-wire.ts';

type Query = RequestOf<'backOffice.configuration.objects.list'>['query'];

export const listObjectsHandler =
  ({ database: { sql }, vault }: ListDeps): HandlerOf<'backOffice.configuration.objects.list'> =>
  async ({ restaurant: { guid: restaurantGuid }, params, query: sent }) => {
    const collection = collectionIn(params);
    const list = `configuration.objects ${restaurantGuid}/${collection}`;
    const tokens = pageTokens<ListPosition<Query, string>>(vault, list);
    const { results: guids, nextPageToken } = await readListPage(openPage(sent, tokens), {
      tokens,
      list: (query, afterGuid, limit) =>
        listObjectGuids(sql, restaurantGuid, collection, query, afterGuid, limit),
      placeOf: (guid) => guid,
      onWire: (guid) => guid,
    });
    // An object can disappear after the GUIDs were listed.
    const views = await findViews(sql, restaurantGuid, collection, guids);
    return { json: { results: views.map(objectOnWire), nextPageToken } };
  };
