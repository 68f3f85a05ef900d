import type { ConfigurationDraft } from '@servery/contract';
import type { Database } from '../../database/database.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { readDrafts } from '../effective.ts';
import { findRestaurantHead } from '../publication-store.ts';
import { draftOnWire } from './on-wire.ts';

export const getDraftHandler =
  ({
    database,
  }: {
    readonly database: Database;
  }): HandlerOf<'backOffice.configuration.draft.get'> =>
  async ({ restaurant }) => ({ json: await readDraftOnWire(database, restaurant.guid) });

export async function readDraftOnWire(
  database: Database,
  restaurantGuid: string,
): Promise<ConfigurationDraft> {
  const { head, drafted } = await database.transaction(
    async (sql) => ({
      head: await findRestaurantHead(sql, restaurantGuid),
      drafted: await readDrafts(sql, restaurantGuid),
    }),
    { isolation: 'repeatable read', readOnly: true },
  );
  if (!head) throw new Error('the restaurant of drafts does not exist');
  return draftOnWire(head, drafted);
}
