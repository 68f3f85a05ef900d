import { createServer, type IncomingHttpHeaders } from 'node:http';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { reservePort } from '../../server/test/reserved-ports.ts';
import { Interrupted } from '../src/exit-codes.ts';
import { createProgram } from '../src/program.ts';
import { report } from '../src/report.ts';
import type { Ended } from './command.ts';

/** What a receiver got. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  /** Their names as they stood on the wire. */
  readonly names: readonly string[];
  readonly body: string;
}

/** A receiver on this machine, as a developer writes one. */
export interface LocalReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** What it answers from now on; `hang` for never. */
  answer: number | 'hang';
  stop(): Promise<void>;
}

/** For endpoints of such a receiver: a host that holds this process up for seconds is no answer. */
export const PATIENT = ['--connect-timeout', '10s', '--answer-timeout', '30s'];

/** Starts a receiver that answers 200. */
export async function startReceiver(): Promise<LocalReceiver> {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const names = request.rawHeaders.filter((_name, at) => at % 2 === 0);
    received.push({ headers: request.headers, names, body: await text(request) });
    if (own.answer === 'hang') return;
    response.writeHead(own.answer).end('seen\nby the receiver');
  });
  const port = await reservePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const own: LocalReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer: 200,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return own;
}

/** A command that goes on until it is ended. */
export interface Running {
  /** Resolves when it has written the words to standard output or standard error. */
  says(words: string | RegExp): Promise<void>;
  /** Ends it as Ctrl-C does. */
  interrupt(): void;
  readonly ended: Promise<Ended>;
}

/** Runs `servery` in this process, and gives it while it goes on. */
export function runOn(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const ending = new AbortController();
  let written = '';
  const waiting = new Set<() => void>();
  for (const stream of [out, err]) {
    stream.on('data', (chunk) => {
      written += String(chunk);
      for (const look of waiting) look();
    });
  }
  const all = Promise.all([text(out), text(err)]);
  const program = createProgram({
    env,
    terminal: { out, err },
    signal: ending.signal,
  });
  const ended = (async (): Promise<Ended> => {
    let code = 0;
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      code = report(error, { terminal: { err }, env });
    }
    out.end();
    err.end();
    const [shown, told] = await all;
    return { code, out: shown, err: told };
  })();
  return {
    ended,
    interrupt: () => ending.abort(new Interrupted('ended', 130)),
    says: (words) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const isSaid = typeof words === 'string' ? written.includes(words) : words.test(written);
          if (!isSaid) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`ended without ${words}: ${written}`)));
      }),
  };
}
