/**
 * The payments that this process is working on. A caller that hangs up cancels nothing, so the work
 * can outlive its request: whoever stops the process waits here before closing the database.
 */
export interface UnderWay {
  /** Counts a piece of work until it ends, however it ends. */
  add(work: Promise<unknown>): void;
  /** Resolves when no work is left. */
  settled(): Promise<void>;
}

/** Makes the count of a process, with nothing under way. */
export function createUnderWay(): UnderWay {
  const works = new Set<Promise<unknown>>();
  return {
    add(work) {
      works.add(work);
      const forget = () => works.delete(work);
      work.then(forget, forget);
    },
    async settled() {
      while (works.size > 0) await Promise.allSettled(works);
    },
  };
}
