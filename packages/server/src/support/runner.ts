import { afterRealTime } from './after-real-time.ts';

/** A job that repeats while the process lives. */
export interface Runner {
  /** Ends the repetition and waits for a run that is under way. */
  stop(): Promise<void>;
}

/**
 * Runs `job` every `intervalMs` milliseconds, never more than `atOnce` at a time: with more than
 * one, a run that takes long does not hold up the next. A failed run is told to `onError` and the
 * next one comes all the same. The timer does not keep the process alive.
 */
export function runEvery(
  intervalMs: number,
  job: () => Promise<void>,
  onError: (error: unknown) => void,
  atOnce = 1,
): Runner {
  const underWay = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (underWay.size >= atOnce) return;
    const run = job()
      .catch(onError)
      .finally(() => underWay.delete(run));
    underWay.add(run);
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}

/** Does `job` once all that came in this turn of the event loop was begun. */
export function afterTurn(job: () => void): void {
  setImmediate(job);
}

/** How much of a long list is worked on before other requests have their turn. */
export const TURN_ELEMENTS = 500;

/** A long list in parts, each short enough for one turn. */
export function* partsOf<Element>(list: readonly Element[]): Generator<readonly Element[]> {
  for (let at = 0; at < list.length; at += TURN_ELEMENTS) yield list.slice(at, at + TURN_ELEMENTS);
}

/** Comes when other requests have had their turn: for work that would hold them up for long. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => afterTurn(resolve));
}

/** What `work` gives, or null when it takes longer than `limitMs` milliseconds; it goes on then. */
export async function inTime<Result>(
  work: Promise<Result>,
  limitMs: number,
): Promise<Result | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const cancel = afterRealTime(limitMs, () => resolve(null));
  try {
    return await Promise.race([work, late]);
  } finally {
    cancel();
  }
}

/** An attempt to deliver an event, and what became of the delivery. */
export interface DoneAttempt {
  /** Whose endpoint it is. */
  readonly partnerGuid: string;
  readonly endpointGuid: string;
  readonly deliveryGuid: string;
  readonly eventGuid: string;
  readonly eventType: string;
  readonly outcome: string;
  /** The HTTP status; null when there was no answer. */
  readonly status: number | null;
  readonly state: string;
  /** When it is tried again; null when no instant sets that going. */
  readonly nextMs: number | null;
}

/** One piece of due work that was done. Instants are epoch milliseconds of the environment. */
export interface DoneWork {
  /** When it was due; of an attempt to deliver an event, when it was made. */
  readonly dueMs: number;
  readonly kind: string;
  readonly merchantGuid: string | null;
  readonly paymentUuid: string | null;
  readonly fromState: string | null;
  readonly cause: string | null;
  readonly toState: string | null;
  /** Absent for all work but webhooks. */
  readonly webhook?: DoneAttempt;
}

/** Where somebody may look: everywhere, or in these groups, restaurants and matters of partners. */
export interface Reach {
  /** True for the whole platform: the lists do not matter then. */
  readonly isPlatform: boolean;
  readonly groupGuids: readonly string[];
  readonly restaurantGuids: readonly string[];
  readonly partnerGuids: readonly string[];
}

/** The whole platform. */
export const everywhere: Reach = {
  ...{ isPlatform: true, groupGuids: [], restaurantGuids: [], partnerGuids: [] },
};

/** How due work is done. */
export interface RunDueOptions {
  readonly isSequential: boolean;
  /** After so many pieces a sequential run ends, so that its caller can look round. */
  readonly piecesAtMost?: number;
}

/** Work that an instant of the environment's clock sets going. */
export interface DueWork {
  /** The earliest instant at which anything is due, in epoch milliseconds; null for nothing. */
  nextDueMs(): Promise<number | null>;
  /**
   * Does all that is due at `nowMs`, and gives what was done in the order of its due time. When
   * `isSequential`, one piece runs after the other, and work that another process holds is waited
   * for; otherwise several run at once and held work is left to its holder. Work that fails is let
   * go of and put off. A process that stops begins nothing more, so that this ends early then.
   */
  runDue(nowMs: number, options: RunDueOptions): Promise<DoneWork[]>;
  /** Told when the clock went back to `nowMs`: what waits for no deadline is due by then. */
  clockWentBack?(nowMs: number): Promise<void>;
  /**
   * Makes due at `nowMs` what waits for no deadline and is due further ahead than it ever waits:
   * whoever put it off had not seen yet that the clock went back.
   */
  bringBack?(nowMs: number): Promise<void>;
}

/** Due work that somebody waits for, and asks about. */
export interface DeadlineWork extends DueWork {
  /** As for all due work, and of what lies within a reach alone; everywhere when absent. */
  nextDueMs(reach?: Reach): Promise<number | null>;
}
