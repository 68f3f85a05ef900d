import type { Database } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { BackOfficeRequest, BackOfficeRestaurantRequest } from '../../http/operation.ts';
import { type Reach, reachesRestaurant } from '../../reach/reach.ts';
import type { Examiner } from '../examination/examiner.ts';

export interface ExaminingDeps {
  readonly database: Database;
  readonly examiner: Examiner;
}

/** Checks again, after the wait, whether the request may reach its restaurant. */
export function examiningFor<Deps extends ExaminingDeps>(
  deps: Deps,
  request: Pick<BackOfficeRestaurantRequest, 'reachNow' | 'restaurant'>,
): Deps {
  const isReached = (reach: Reach) => reachesRestaurant(reach, request.restaurant);
  return { ...deps, examiner: lettingInAgain(deps.examiner, request, isReached) };
}

/**
 * A request can wait a minute for the examiner, so this checks the caller's rights again (AUTH-9).
 * Throws ApiError `forbidden` when they no longer suffice.
 */
export function lettingInAgain(
  examiner: Examiner,
  { reachNow }: Pick<BackOfficeRequest, 'reachNow'>,
  isReached: (reach: Reach) => boolean,
): Examiner {
  return {
    ...examiner,
    examine: (isLarge, work) =>
      examiner.examine(isLarge, async (examination) => {
        if (isLarge && !isReached(await reachNow())) throw rightEnded();
        return await work(examination);
      }),
  };
}

function rightEnded(): ApiError {
  return new ApiError(
    'forbidden',
    'The right to do this ended while the request waited for its turn: nothing was done.',
  );
}
