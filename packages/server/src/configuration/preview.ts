import type { ConfigurationPreview } from '@servery/contract';
import { readNamedDrafts } from './effective.ts';
import { feed, isLarge } from './examination/feed.ts';
import type { ObjectPlace } from './object-state.ts';
import { findRestaurantHead } from './publication-store.ts';
import type { PublishDeps } from './publish.ts';
import { withoutDrafts } from './refusals.ts';

/** Throws ApiError `unprocessable` for named objects without a draft. */
export async function previewDrafts(
  { database, examiner }: Pick<PublishDeps, 'database' | 'examiner'>,
  restaurantGuid: string,
  named: readonly ObjectPlace[] | null,
): Promise<ConfigurationPreview> {
  const large = await isLarge(database.sql, [restaurantGuid]);
  return await examiner.examine(large, (examination) =>
    database.transaction(
      async (sql) => {
        const head = await findRestaurantHead(sql, restaurantGuid);
        if (!head) throw new Error('the restaurant of a preview does not exist');
        const { drafts, missing } = await readNamedDrafts(sql, restaurantGuid, named);
        if (missing.length > 0) throw withoutDrafts('unprocessable', missing);
        await feed(sql, examination, restaurantGuid);
        return await examination.ask('preview', head, drafts);
      },
      { isolation: 'repeatable read', readOnly: true },
    ),
  );
}
