/** Work continues after a caller hangs up; a stopping process waits for it. */
export interface UnderWay {
  add(work: Promise<unknown>): void;
  settled(): Promise<void>;
}

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
