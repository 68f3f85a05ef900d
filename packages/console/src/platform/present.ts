/** The browser's clock and timers, in one place: tests and frozen clocks must be able to say so. */

export function browserNowMs(): number {
  return Date.now();
}

/** Calls `run` once after that time. The function that it returns calls it off. */
export function after(durationMs: number, run: () => void): () => void {
  const timer = setTimeout(run, durationMs);
  return () => clearTimeout(timer);
}

/** Calls `run` again and again. The function that it returns ends that. */
export function every(durationMs: number, run: () => void): () => void {
  const timer = setInterval(run, durationMs);
  return () => clearInterval(timer);
}
