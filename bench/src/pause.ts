import { setTimeout as sleep } from 'node:timers/promises';

/** Lets so many milliseconds pass. */
export async function pause(durationMs: number): Promise<void> {
  await sleep(durationMs);
}

const POLL_MS = 50;
const LIMIT_MS = 120_000;

/** Waits until a server answers at all. Throws when it does not within two minutes. */
export async function untilItAnswers(url: string): Promise<void> {
  const startedMs = performance.now();
  while (performance.now() - startedMs < LIMIT_MS) {
    const answer = await fetch(url).catch(() => null);
    await answer?.body?.cancel();
    if (answer) return;
    await pause(POLL_MS);
  }
  throw new Error(`nobody answers at ${url}`);
}
