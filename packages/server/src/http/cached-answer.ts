import type { Cache } from '../db/cache.ts';
import type { Subject } from '../db/freshness.ts';
import type { Answer } from './operation.ts';
import { ReadyBody } from './ready-body.ts';
import { bytesOf } from './send.ts';

/** Answers to reads, as bytes that are ready to be sent. */
export type Answers = Cache<ReadyBody>;

/**
 * The answer to a read, remembered for who asks the same: `parts` tell one read from another, and
 * `subjects` are all that the answer depends on. What `make` throws is not remembered.
 */
export async function cachedAnswer(
  answers: Answers,
  parts: readonly (string | null | undefined)[],
  subjects: readonly Subject[],
  make: () => Promise<Answer>,
): Promise<Answer> {
  const key = JSON.stringify(parts);
  const ready = await answers.get(key, subjects, async () => {
    const answer = await make();
    return new ReadyBody(bytesOf(answer), answer.headers);
  });
  if (!ready) throw new Error('a read had no answer');
  return { ready: { ...ready, key } };
}
