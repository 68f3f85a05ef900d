/**
 * Calls `run` after `durationMs` milliseconds of real time, unless what it gives is called before.
 * When the machine has held this process, what came meanwhile is read first: an answer that is
 * there is never taken for one that is late. `keepsAlive` false: the process does not live for it.
 */
export function afterRealTime(durationMs: number, run: () => void, keepsAlive = true): () => void {
  let late: NodeJS.Immediate | undefined;
  const timeout = setTimeout(() => {
    // Node.js runs all timers that are over before it reads what has come.
    late = setImmediate(run);
  }, durationMs);
  if (!keepsAlive) timeout.unref();
  return () => {
    clearTimeout(timeout);
    clearImmediate(late);
  };
}
