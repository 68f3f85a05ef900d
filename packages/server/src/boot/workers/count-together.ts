import type { Count, RateCounter, WindowCounts } from '../../http/pipeline/rate-limit.ts';
import type { Counted, Counts, ToldCount } from './messages.ts';

export const LOOK_MS = 250;

/** After this many unanswered looks (a second), a worker counts in the database. */
const LOOKS_AT_MOST = 4;

const SECOND_MS = 1_000;
const QUARTER_HOUR_MS = 900_000;

export interface SharedCounterDeps {
  readonly send: (counts: Counts) => void;
  readonly afterTurn: (job: () => void) => void;
  /** Used while the parent does not answer; all workers must share it. */
  readonly fallback: RateCounter;
}

export interface SharedCounter extends RateCounter {
  counted(answer: Counted): void;
  /** Call it every `LOOK_MS` of real time; a late call does no harm. */
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
 * Counts with all other workers, exactly. Requests of one turn of the event loop travel in one
 * message, and the next message waits for its answer. If no answer comes for a second, the database
 * counts: slower, but no request is refused and the budget stays shared.
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
        // Counts looks instead of time: after this worker itself stood still, the answers arrive
        // before the next few looks.
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

/** Turns a synchronous throw into a rejection. */
async function elsewhere(counter: RateCounter, count: Count): Promise<WindowCounts> {
  return await counter.count(count);
}

function told({ key, second, quarterHour, perSecond }: Count): ToldCount {
  return [key, second.index, quarterHour.index, perSecond];
}

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
