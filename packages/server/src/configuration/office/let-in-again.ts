import { ApiError } from '../../http/errors.ts';
import type { BackOfficeRequest } from '../../http/operation.ts';
import type { Reach } from '../../reach/reach.ts';
import type { Examiner } from '../examination/examiner.ts';

/**
 * The examiner as a request may use it. Whoever had to wait for it, a minute perhaps, is let in
 * with the rights that he has then (AUTH-9): throws ApiError `forbidden` when `isReached` says that
 * they do not suffice any more.
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
    'The right to do this ended while the configuration waited to be examined: nothing was done.',
  );
}
