/** A job that repeats while the process lives. */
export interface Runner {
  /** Ends the repetition and waits for a run that is under way. */
  stop(): Promise<void>;
}

/**
 * Runs `job` every `intervalMs` milliseconds, never two at once. A failed run is told to `onError`
 * and the next one comes all the same. The timer does not keep the process alive.
 */
export function runEvery(
  intervalMs: number,
  job: () => Promise<void>,
  onError: (error: unknown) => void,
): Runner {
  let underWay: Promise<void> | null = null;
  const timer = setInterval(() => {
    underWay ??= job()
      .catch(onError)
      .finally(() => {
        underWay = null;
      });
  }, intervalMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await underWay;
    },
  };
}

/** What `work` gives, or null when it takes longer than `limitMs` milliseconds; it goes on then. */
export async function inTime<Result>(
  work: Promise<Result>,
  limitMs: number,
): Promise<Result | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), limitMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
