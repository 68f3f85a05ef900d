export type UnderWay = ReturnType<typeof createUnderWay>;

/** Work continues after a caller hangs up; a stopping process waits for it. */
export function createUnderWay() {
  const works = new Set<Promise<unknown>>();
  return {
    add(work: Promise<unknown>) {
      works.add(work);
      const forget = () => works.delete(work);
      work.then(forget, forget);
    },
    async settled() {
      while (works.size > 0) await Promise.allSettled(works);
    },
  };
}
