import type { CollectionName, RequestOf } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type ListPosition, openPage, readListPage } from '../../http/page.ts';
import { pageTokens } from '../../http/paging.ts';
import { listDraftsOf, listObjectGuids } from '../draft-store.ts';
import type { ObjectView } from '../edit-drafts.ts';
import { contentsOf } from '../object-state.ts';
import { listSelectedObjects } from '../write-store.ts';
import { collectionIn } from './object-in-path.ts';
import { objectOnWire } from './on-wire.ts';

type Query = RequestOf<'backOffice.configuration.objects.list'>['query'];

export interface ListObjectsDeps {
  readonly database: Database;
  readonly vault: Vault;
}

export const listObjectsHandler =
  ({
    database: { sql },
    vault,
  }: ListObjectsDeps): HandlerOf<'backOffice.configuration.objects.list'> =>
  async ({ restaurant: { guid: restaurantGuid }, params, query: sent }) => {
    const collection = collectionIn(params);
    const list = `configuration.objects ${restaurantGuid}/${collection}`;
    const tokens = pageTokens<ListPosition<Query, string>>(vault, list);
    const page = await readListPage(openPage(sent, tokens), {
      tokens,
      list: async (query, afterGuid, limit) => {
        const place = { restaurantGuid, collection };
        const guids = await listObjectGuids(sql, place, query, { afterGuid, limit });
        const views = await readViews(sql, restaurantGuid, collection, guids);
        return guids.map((guid) => ({ guid, view: views.get(guid) ?? null }));
      },
      placeOf: ({ guid }) => guid,
      onWire: ({ view }) => view && objectOnWire(view),
    });
    // An object can disappear after the GUIDs were listed.
    return { json: { ...page, results: page.results.filter((object) => object !== null) } };
  };

async function readViews(
  sql: Sql,
  restaurantGuid: string,
  collection: CollectionName,
  guids: readonly string[],
): Promise<ReadonlyMap<string, ObjectView>> {
  const selection = { collections: [collection], guids };
  const stored = await listSelectedObjects(sql, restaurantGuid, selection);
  const rows = await listDraftsOf(sql, restaurantGuid, collection, guids);
  const drafts = new Map(rows.map((row) => [row.object.guid, row]));
  const views = new Map<string, ObjectView>();
  for (const object of stored) {
    const draft = drafts.get(object.guid) ?? null;
    views.set(object.guid, { published: contentsOf(object), draft });
  }
  for (const [guid, draft] of drafts) {
    if (!views.has(guid)) views.set(guid, { published: null, draft });
  }
  return views;
}
