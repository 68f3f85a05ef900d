import type { Cache, Sight } from '../../freshness/cache.ts';
import type { Subject } from '../../freshness/freshness.ts';
import type { Answer } from '../operation.ts';
import { bytesOf } from '../pipeline/send.ts';
import { type ReadyAnswer, ReadyBody } from './ready-body.ts';

export type Answers = Cache<ReadyBody>;

/** `subjects` must be all that the answer depends on. What `make` throws is not remembered. */
export async function cachedAnswer<Json>(
  ...values: Parameters<typeof renewableAnswer<Json>>
): Promise<Answer<Json>> {
  const { ready } = await renewableAnswer(...values);
  return { ready: { ...ready, renew: null } };
}

/**
 * For handlers that decide only by the request line, with a `make` that uses nothing else of the
 * request. After a change, only the body is made again.
 */
export async function renewableAnswer<Json>(
  answers: Answers,
  parts: readonly (string | null | undefined)[],
  subjects: readonly Subject[],
  make: (sight: Sight) => Promise<Answer<Json>>,
): Promise<{ readonly ready: ReadyAnswer }> {
  const key = JSON.stringify(parts);
  const renew = async () => {
    const body = await answers.get(key, subjects, async (sight) => {
      const answer = await make(sight);
      return new ReadyBody(bytesOf(answer), answer.headers);
    });
    if (!body) throw new Error('a read had no answer');
    return body;
  };
  return { ready: { ...(await renew()), key, renew } };
}
