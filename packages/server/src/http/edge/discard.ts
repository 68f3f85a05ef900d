import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { within } from '@servery/support/timer.ts';

const PATIENCE_MS = 5_000;

/**
 * Sends the body at once, but ends only when the sender stops or the time is over. A reset after an
 * early close would make the sender's system drop the unread answer.
 */
export async function* answerWhileSent(
  bytes: Buffer,
  request: IncomingMessage,
): AsyncGenerator<Buffer> {
  yield bytes;
  await within(discarded(request), PATIENCE_MS);
}

async function discarded(request: IncomingMessage): Promise<void> {
  if (request.destroyed) return;
  request.resume();
  await Promise.race([once(request, 'end'), once(request, 'close')]).catch(() => undefined);
}
