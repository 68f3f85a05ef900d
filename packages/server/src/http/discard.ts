import type { IncomingMessage } from 'node:http';

/** How long the rest of a refused body is read and thrown away, in milliseconds. */
const PATIENCE_MS = 5_000;

/**
 * The body of an answer to a request that is still being sent: all of it at once, but its end only
 * when the sender has stopped. Whoever hung up sooner would take the answer back: what a connection
 * is sent after its end makes the sender's system forget what was received and not read yet.
 */
export async function* answerWhileSent(
  bytes: Buffer,
  request: IncomingMessage,
): AsyncGenerator<Buffer> {
  yield bytes;
  await discarded(request);
}

/** Comes when the request has been read to its end, or its sender is gone or takes too long. */
function discarded(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, PATIENCE_MS);
    function done(): void {
      clearTimeout(timer);
      resolve();
    }
    request.once('end', done).once('close', done).once('error', done).resume();
  });
}
