import { errorKind } from '@servery/card-simulator/error-kind.ts';
import type { ProcessorAnswer } from '@servery/card-simulator/messages.ts';
import { LATE, type Timer, within } from '@servery/support/timer.ts';

/** The call didn't begin, because the process stops or too many calls wait, so it had no effect. */
export class CallNotBegun extends Error {
  constructor() {
    super('the process begins no more calls now');
    this.name = 'CallNotBegun';
  }
}

/** A call that is late or throws may have had its effect: unknown. Throws only `CallNotBegun`. */
export async function callWithDeadline(
  timer: Timer,
  limitMs: number,
  call: (signal: AbortSignal) => Promise<ProcessorAnswer>,
): Promise<ProcessorAnswer> {
  const stop = new AbortController();
  try {
    const answer = await within(call(stop.signal), limitMs, timer);
    if (answer !== LATE) return answer;
    stop.abort();
    return { outcome: 'unknown', explanation: `no answer within ${limitMs} ms` };
  } catch (error) {
    if (error instanceof CallNotBegun) throw error;
    return { outcome: 'unknown', explanation: `the call broke off (${errorKind(error)})` };
  }
}
