import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { within } from '@servery/support/timer.ts';

/** How long the rest of a refused body is read and thrown away, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * The body of an answer to a request that is still being sent: all of it at once, but its end only
 * when the sender has stopped, or goes on for too long. Whoever hung up sooner would take the
 * answer back: what a connection is sent after its end makes the sender's system forget what was
 * received and not read yet.
 */
export async function* answerWhileSent(
  bytes: Buffer,
  request: IncomingMessage,
): AsyncGenerator<Buffer> {
  yield bytes;
  await within(discarded(request), PATIENCE_MS);
}

/** Comes when the request has been read to its end, or its sender is gone. */
async function discarded(request: IncomingMessage): Promise<void> {
  if (request.destroyed) return;
  request.resume();
  await Promise.race([once(request, 'end'), once(request, 'close')]).catch(() => undefined);
}
