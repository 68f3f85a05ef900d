import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { ListDeps } from '../../http/page.ts';
import { foreignToken, pageTokens } from '../../http/paging.ts';
import { findPublication } from '../publication-store.ts';
import {
  listPublishedChanges,
  type PublishedChangePlace,
  type PublishedChangeRow,
} from '../published-change-store.ts';

interface LastChange extends PublishedChangePlace {
  readonly publishedAtMs: number;
}

/** `last` is null until the first change. */
interface ChangePosition {
  readonly restaurantGuid: string;
  readonly last: LastChange | null;
}

export const listChangesHandler = ({
  database: { sql },
  vault,
}: ListDeps): HandlerOf<'platform.changes.list'> => {
  const cursors = pageTokens<ChangePosition>(vault, 'configuration.changes', 'after');
  return async ({ restaurant: { guid: restaurantGuid }, query: { after, pageSize } }) => {
    const position = after === undefined ? null : cursors.open(after);
    if (position && position.restaurantGuid !== restaurantGuid) throw foreignToken('after');
    const last = position?.last ?? null;
    if (last) {
      const publication = await findPublication(sql, restaurantGuid, last.publishNumber);
      // After a restore from a backup, the number may belong to another publication.
      if (publication?.publishedAt.getTime() !== last.publishedAtMs) throw unknownPublication();
    }
    // One extra change shows whether there are more.
    const rows = await listPublishedChanges(sql, restaurantGuid, last, pageSize + 1);
    const results = rows.slice(0, pageSize);
    const newest = results.at(-1);
    return {
      json: {
        results,
        nextCursor: cursors.seal({ restaurantGuid, last: newest ? placeOf(newest) : last }),
        hasMore: rows.length > results.length,
      },
    };
  };
};

function placeOf({ publishedAt, kind: _kind, ...place }: PublishedChangeRow): LastChange {
  return { ...place, publishedAtMs: publishedAt.getTime() };
}

function unknownPublication(): ApiError {
  return new ApiError(
    'badRequest',
    'after is from a publication that this restaurant does not have: the platform was restored or ' +
      'reset since. Read the whole configuration again, and leave after out.',
  );
}
