import type { Sql } from '../../database/database.ts';
import type { ReadAnywhere } from '../../database/read-anywhere.ts';
import { Cache, type CacheOptions, type Sight } from '../../freshness/cache.ts';
import type { Subject } from '../../freshness/freshness.ts';
import type { Answer } from '../operation.ts';
import { bytesOf } from '../pipeline/send.ts';
import type { ReadAlong } from '../read-along.ts';
import { type ReadyAnswer, ReadyBody } from './ready-body.ts';

/** The bodies of reads, and where they are read. */
export class Answers extends Cache<ReadyBody> {
  readonly readAnywhere: ReadAnywhere;
  readonly hasReplica: boolean;

  constructor(
    options: Omit<CacheOptions<ReadyBody>, 'bytesOf'> & {
      readonly readAnywhere: ReadAnywhere;
      readonly hasReplica?: boolean;
    },
  ) {
    super({ ...options, bytesOf: ({ sizeBytes }) => sizeBytes });
    this.readAnywhere = options.readAnywhere;
    this.hasReplica = options.hasReplica ?? false;
  }
}

/**
 * `subjects` must be all that the answer depends on. What `make` throws is not remembered. `make`
 * reads with the `sql` that it gets, which may be a replica's.
 */
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
  make: (sql: Sql, sight: Sight | null) => Promise<Answer<Json>>,
): Promise<{ readonly ready: ReadyAnswer }> {
  const key = answerKey(parts);
  const renew = async () => {
    const body = await answers.get(key, subjects, (seen) =>
      answers.readAnywhere(seen, async (sql, sight) => {
        const answer = await make(sql, sight);
        return new ReadyBody(bytesOf(answer), answer.headers);
      }),
    );
    if (!body) throw new Error('a read had no answer');
    return body;
  };
  return { ready: { ...(await renew()), key, renew } };
}

export const answerKey = (parts: readonly (string | null | undefined)[]): string =>
  JSON.stringify(parts);

/** `cachedAnswer` of what was read along with the access. Null if that may have changed since. */
export function answerAlong<Json>(
  answers: Answers,
  along: ReadAlong | null | undefined,
  make: (text: string) => Answer<Json>,
): Answer<Json> | null {
  if (!along || !answers.isGood(along.stamp)) return null;
  const answer = make(along.text);
  const value = new ReadyBody(bytesOf(answer), answer.headers);
  const { answerKey: key, stamp } = along;
  answers.bring(key, { value, stamp });
  return { ready: { value, stamp, key, renew: null } };
}
