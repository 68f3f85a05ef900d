import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Sample } from '../scenario.ts';

/**
 * Makes this process one that measures something of its own: each POST names the seconds of a
 * round, and is answered with what came of it. Says on standard output when it is ready.
 */
export function serveRounds(measure: (seconds: number) => Promise<Sample>): void {
  const server = createServer(async (request, response) => {
    const { seconds } = JSON.parse(await text(request)) as { seconds: number };
    try {
      response.end(JSON.stringify(await measure(seconds)));
    } catch (error) {
      response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
    }
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.stdout.write(`ceiling ready http://127.0.0.1:${port}\n`);
  });
  process.on('SIGTERM', () => process.exit(0));
}

/** What was given to the process in the file that its command line names. */
export function givenToWorker<T>(): T {
  const [file = ''] = process.argv.slice(2);
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** Does something again and again for so many seconds, so many of it at once; gives the rate. */
export async function rateOf(
  seconds: number,
  atOnce: number,
  act: () => Promise<void> | void,
): Promise<Sample> {
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1000;
  let count = 0;
  const loop = async () => {
    do {
      const pending = act();
      // Waiting for what does not need it would be measured too.
      if (pending) await pending;
      count += 1;
    } while (performance.now() < endsMs);
  };
  await Promise.all(Array.from({ length: atOnce }, loop));
  return { value: (count * 1000) / (performance.now() - startedMs) };
}
