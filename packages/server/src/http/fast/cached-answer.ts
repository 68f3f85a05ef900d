import type { Cache, Cached } from '../../freshness/cache.ts';
import type { Subject } from '../../freshness/freshness.ts';
import type { Answer } from '../operation.ts';
import { bytesOf } from '../pipeline/send.ts';
import { ReadyBody } from './ready-body.ts';

export type Answers = Cache<ReadyBody>;

/** `subjects` must be all that the answer depends on. What `make` throws is not remembered. */
export async function cachedAnswer<Json>(
  answers: Answers,
  parts: readonly (string | null | undefined)[],
  subjects: readonly Subject[],
  make: () => Promise<Answer<Json>>,
): Promise<Answer<Json>> {
  const key = JSON.stringify(parts);
  return { ready: { ...(await findBody(answers, key, subjects, make)), key, renew: null } };
}

/**
 * For handlers that decide only by the request line, with a `make` that uses nothing else of the
 * request. After a change, only the body is made again.
 */
export async function renewableAnswer<Json>(
  answers: Answers,
  parts: readonly (string | null | undefined)[],
  subjects: readonly Subject[],
  make: () => Promise<Answer<Json>>,
): Promise<Answer<Json>> {
  const key = JSON.stringify(parts);
  const renew = () => findBody(answers, key, subjects, make);
  return { ready: { ...(await renew()), key, renew } };
}

async function findBody(
  answers: Answers,
  key: string,
  subjects: readonly Subject[],
  make: () => Promise<Answer>,
): Promise<Cached<ReadyBody>> {
  const ready = await answers.get(key, subjects, async () => {
    const answer = await make();
    return new ReadyBody(bytesOf(answer), answer.headers);
  });
  if (!ready) throw new Error('a read had no answer');
  return ready;
}
