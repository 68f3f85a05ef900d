import type { ExportOptions } from './examination/document.ts';
import { feed, isLarge } from './examination/feed.ts';
import { findRestaurantHead } from './publication-store.ts';
import type { PublishDeps } from './publish.ts';

export async function exportFile(
  { database, examiner }: Pick<PublishDeps, 'database' | 'examiner'>,
  restaurantGuid: string,
  options: ExportOptions,
): Promise<string> {
  const large = await isLarge(database.sql, [restaurantGuid]);
  return await examiner.examine(large, (examination) =>
    database.transaction(
      async (sql) => {
        const head = await findRestaurantHead(sql, restaurantGuid);
        if (!head) throw new Error('the restaurant of an export does not exist');
        await feed(sql, examination, restaurantGuid);
        return await examination.ask('export', head, options);
      },
      { isolation: 'repeatable read', readOnly: true },
    ),
  );
}
