/** A job that repeats while the process lives. */
export interface Runner {
  /** Ends the repetition and waits for a run that is under way. */
  stop(): Promise<void>;
}

export interface AskedRunner extends Runner {
  run(): void;
}

/**
 * Runs `job` whenever `run` is called, never more than `atOnce` at a time: with more than one, a run
 * that takes long does not hold up the next. A failed run is told to `onError`.
 */
export function runWhenAsked(
  job: () => Promise<void>,
  onError: (error: unknown) => void,
  atOnce = 1,
): AskedRunner {
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  return {
    run() {
      if (isStopped || underWay.size >= atOnce) return;
      const run = job()
        .catch(onError)
        .finally(() => underWay.delete(run));
      underWay.add(run);
    },
    async stop() {
      isStopped = true;
      await Promise.all(underWay);
    },
  };
}

/**
 * Runs `job` every `intervalMs` milliseconds, as `runWhenAsked` does. After a failed run the next
 * one comes all the same. The timer does not keep the process alive.
 */
export function runEvery(
  intervalMs: number,
  job: () => Promise<void>,
  onError: (error: unknown) => void,
  atOnce = 1,
): Runner {
  const runner = runWhenAsked(job, onError, atOnce);
  const timer = setInterval(() => runner.run(), intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await runner.stop();
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
