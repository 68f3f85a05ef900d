import type { ConfigurationDraft } from '@servery/contract';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { listDrafts } from '../draft-store.ts';
import type { EditDeps } from '../edit-drafts.ts';
import { byPlaceKey } from '../object-state.ts';
import { findRestaurantHead } from '../publication-store.ts';
import { listObjects } from '../write-store.ts';
import { draftOnWire } from './on-wire.ts';

export const getDraftHandler =
  ({ database }: Pick<EditDeps, 'database'>): HandlerOf<'backOffice.configuration.draft.get'> =>
  async ({ restaurant }) => ({ json: await readDraftOnWire(database, restaurant.guid) });

export async function readDraftOnWire(
  database: Database,
  restaurantGuid: string,
): Promise<ConfigurationDraft> {
  return await database.transaction(
    async (sql) => {
      const drafts = await listDrafts(sql, restaurantGuid);
      const published = await listObjects(sql, restaurantGuid, { places: drafts });
      const head = await findRestaurantHead(sql, restaurantGuid);
      return draftOnWire(head, { published: byPlaceKey(published), drafts });
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}
