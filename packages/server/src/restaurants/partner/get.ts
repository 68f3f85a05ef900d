import { ApiError } from '../../http/errors.ts';
import { type Answers, cachedAnswer } from '../../http/fast/cached-answer.ts';
import type { Access, HandlerOf } from '../../http/operation.ts';
import { restaurantInfo } from '../restaurant-info.ts';
import { findRestaurant } from '../store.ts';

export interface GetRestaurantDeps {
  readonly answers: Answers;
  readonly access: Access;
}

export const getRestaurantHandler =
  ({ answers, access }: GetRestaurantDeps): HandlerOf<'restaurants.get'> =>
  async ({
    restaurant,
    params: { restaurantGUID: guid },
    query: { includeArchived },
    principal,
  }) => {
    if (guid !== restaurant.guid) {
      // RST-2: an archived restaurant in the header may only be the requested one.
      if (restaurant.archived) throw archivedHeader();
      if ((await access(principal, guid)).outcome !== 'granted') throw notThere();
    }
    const parts = ['restaurant', guid, String(includeArchived)];
    return await cachedAnswer(answers, parts, [`restaurant:${guid}`], async (sql, sight) => {
      const row = await findRestaurant(sql, guid, sight);
      if (row === null || (row.archived && !includeArchived)) throw notThere();
      return { json: restaurantInfo(row) };
    });
  };

/** RST-1: the same for unknown, unreachable and archived restaurants. */
function notThere(): ApiError {
  return new ApiError(
    'notFound',
    'The path names no restaurant that this client has access to: check the GUID and the ' +
      'connection (for an archived restaurant send includeArchived=true).',
  );
}

function archivedHeader(): ApiError {
  return new ApiError(
    'restaurantArchived',
    'The restaurant in the header is archived and can only be used to read itself: name another' +
      ' one in the header.',
  );
}
