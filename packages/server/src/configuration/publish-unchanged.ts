import type { ChangeOrigin } from '../audit/entry-store.ts';
import { everywhere } from '../support/due-work.ts';
import { examine } from './examine.ts';
import { findRestaurantLocked, type RestaurantHead } from './publication-store.ts';
import type { PublishDeps } from './publish.ts';
import { recordPublication } from './record-publication.ts';

/** A publication that changes no object. It raises the publish number like any other. */
export async function publishUnchanged(
  deps: PublishDeps,
  { guid, managementGroupGuid }: Pick<RestaurantHead, 'guid' | 'managementGroupGuid'>,
  origin: ChangeOrigin,
  note: string,
): Promise<void> {
  const { database, clock } = deps;
  const asked = { reachNow: async () => everywhere };
  await examine(deps, asked, [{ guid, managementGroupGuid }], (examination) =>
    database.transaction(async (sql) => {
      const restaurant = await findRestaurantLocked(sql, guid);
      // Without objects, there are no changes to find.
      await examination.ask('begin');
      const recording = { sql, clock, examination, restaurant, origin };
      return await recordPublication(recording, { cause: 'PUBLISHED', note });
    }),
  );
}
