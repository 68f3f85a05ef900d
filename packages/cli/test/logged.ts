import { sleep } from '@servery/support/timer.ts';

const PATIENCE_MS = 60_000;
const PAUSE_MS = 100;

/**
 * Reads the log of requests until it holds what is looked for, and gives what it holds then, or
 * after a minute. The log is written while the platform has nothing to do: whoever looks without
 * a pause keeps it from that.
 */
export async function onceLogged<Read>(
  read: () => Promise<Read>,
  isThere: (held: Read) => boolean,
): Promise<Read> {
  const startedMs = performance.now();
  for (;;) {
    const held = await read();
    if (isThere(held) || performance.now() - startedMs > PATIENCE_MS) return held;
    await sleep(PAUSE_MS);
  }
}
