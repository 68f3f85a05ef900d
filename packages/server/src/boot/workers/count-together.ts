import type { Count, RateCounter, WindowCounts } from '../../http/pipeline/rate-limit.ts';
import type { Counted, Counts, ToldCount } from './messages.ts';

/** How often a worker looks whether its counts are answered, in milliseconds. */
export const LOOK_MS = 250;

/** After so many looks without an answer, which is a second, a worker counts in the database. */
const LOOKS_AT_MOST = 4;

const SECOND_MS = 1_000;
const QUARTER_HOUR_MS = 900_000;

/** What counting together with other workers leans on. */
export interface SharedCounterDeps {
  /** Sends to the process that started the workers, which counts for all of them. */
  readonly send: (counts: Counts) => void;
  /** Does something once all that came in this turn of the event loop was begun. */
  readonly afterTurn: (job: () => void) => void;
  /** Counts while that process does not answer; it has to be shared by all workers too. */
  readonly fallback: RateCounter;
}

/** The budget that the workers of one process share. */
export interface SharedCounter extends RateCounter {
  /** Takes what was answered. */
  counted(answer: Counted): void;
  /** To be called every `LOOK_MS` of real time; one that is late does no harm. */
  look(): void;
}

interface Waiting {
  readonly count: Count;
  readonly resolve: (counts: WindowCounts | Promise<WindowCounts>) => void;
}

interface Batch {
  readonly waiting: readonly Waiting[];
  looks: number;
}

/**
 * Counts requests with those of all other workers of the process, exactly: what came in one turn of
 * the event loop is one message, and so is its answer. What comes until then waits for it, and is
 * the next message: the busier a worker is, the less a request costs. When no answer comes for
 * a second, the requests that wait, and all others until one comes, are counted in the database: it
 * costs a statement each, but nobody is refused for it, and the budget goes on being one.
 */
export function createSharedCounter({
  send,
  afterTurn,
  fallback,
}: SharedCounterDeps): SharedCounter {
  const sent = new Map<number, Batch>();
  let gathered: Waiting[] = [];
  let lastId = 0;
  let isSilent = false;
  const sendAll = () => {
    if (gathered.length === 0) return;
    const waiting = gathered;
    gathered = [];
    lastId += 1;
    sent.set(lastId, { waiting, looks: 0 });
    send({ kind: 'counts', id: lastId, counts: waiting.map(({ count }) => told(count)) });
  };
  return {
    count(count) {
      if (isSilent) return fallback.count(count);
      const { promise, resolve } = Promise.withResolvers<WindowCounts>();
      if (gathered.length === 0 && sent.size === 0) afterTurn(sendAll);
      gathered.push({ count, resolve });
      return promise;
    },
    counted({ id, used }) {
      isSilent = false;
      const batch = sent.get(id);
      sent.delete(id);
      batch?.waiting.forEach(({ resolve }, at) => {
        resolve({ second: used[at * 2] ?? 0, quarterHour: used[at * 2 + 1] ?? 0 });
      });
      if (sent.size === 0) sendAll();
    },
    look() {
      for (const [id, batch] of sent) {
        batch.looks += 1;
        // Looks are counted and no time: after a standstill of this worker itself, all answers are
        // there before the next few looks.
        if (batch.looks < LOOKS_AT_MOST) continue;
        isSilent = true;
        sent.delete(id);
        for (const { count, resolve } of [...batch.waiting, ...gathered.splice(0)]) {
          resolve(elsewhere(fallback, count));
        }
      }
    },
  };
}

/** A counter that throws at once fails the request as one that rejects does. */
async function elsewhere(counter: RateCounter, count: Count): Promise<WindowCounts> {
  return await counter.count(count);
}

function told({ key, second, quarterHour, perSecond }: Count): ToldCount {
  return [key, second.index, quarterHour.index, perSecond];
}

/** Counts for a worker; gives what to answer. */
export function countFor(
  counter: { count(count: Count): WindowCounts },
  { id, counts }: Counts,
): Counted {
  const used: number[] = [];
  for (const [key, second, quarterHour, perSecond] of counts) {
    const counted = counter.count({
      key,
      second: { lengthMs: SECOND_MS, index: second },
      quarterHour: { lengthMs: QUARTER_HOUR_MS, index: quarterHour },
      perSecond,
    });
    used.push(counted.second, counted.quarterHour);
  }
  return { kind: 'counted', id, used };
}
