import { sandboxTtl } from '@servery/contract';
import type { Faults } from '../../http/faults.ts';

/** When a sandbox ends. Notes a fault for a time that is too short or too long. */
export function endAfter(ttl: string, nowMs: number, path: string[], faults: Faults): Date {
  const { shortest, longest } = sandboxTtl;
  const endMs = (duration: string) =>
    Temporal.Instant.fromEpochMilliseconds(nowMs)
      .toZonedDateTimeISO('UTC')
      .add(Temporal.Duration.from(duration)).epochMilliseconds;
  const refuse = () => {
    faults.add(path, `must be a duration from ${shortest} to ${longest}`);
    return new Date(nowMs);
  };
  try {
    const atMs = endMs(ttl);
    return atMs < endMs(shortest) || atMs > endMs(longest) ? refuse() : new Date(atMs);
  } catch (error) {
    // A time too large to compute is too long.
    if (error instanceof RangeError) return refuse();
    throw error;
  }
}
