/** The clock and the timers of the machine, in one place. */

export function presentMs(): number {
  return Date.now();
}

/** Calls `run` once after that time. The function that it returns calls it off. */
export function after(durationMs: number, run: () => void): () => void {
  const timer = setTimeout(run, durationMs);
  return () => clearTimeout(timer);
}
