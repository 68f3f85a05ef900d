import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { refusePort } from '../../src/webhooks/sockets/ports.ts';

/** A request as a receiver got it. */
interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly path: string;
}

/** How a receiver answers one request. */
export type Reply = (response: ServerResponse, socket: Socket) => void;

/** A receiver on loopback, which answers as a test says. */
export interface TestReceiver {
  /** Its address, with a path. */
  url(path?: string): string;
  readonly received: Received[];
  /** How requests to a path are answered from now on: in turn, the last one for all that follow. */
  answer(path: string, ...replies: readonly Reply[]): void;
  /** Resolves when so many requests have come since the start. */
  untilReceived(count: number): Promise<void>;
  close(): Promise<void>;
}

/** Answers with a status, headers and a body. */
export function status(
  code: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Reply {
  return (response) => response.writeHead(code, headers).end(body);
}

/** Says nothing until the receiver is closed. */
export const stall: Reply = () => {};

/** Breaks the connection off. */
export const reset: Reply = (_, socket) => socket.resetAndDestroy();

/** Opens a receiver, at a port that one may have; what is not scripted is taken with 204. */
export async function openTestReceiver(): Promise<TestReceiver> {
  const received: Received[] = [];
  const scripts = new Map<string, Reply[]>();
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const path = request.url ?? '/';
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString(), path });
      const script = scripts.get(path) ?? [];
      const reply = script.length > 1 ? script.shift() : script[0];
      (reply ?? status(204))(response, request.socket);
      for (const look of waiting) look();
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  if (refusePort(port, false) !== null) {
    await close();
    return await openTestReceiver();
  }
  return {
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    received,
    answer: (path, ...replies) => scripts.set(path, [...replies]),
    untilReceived: async (count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const look = () => received.length >= count && resolve();
      waiting.add(look);
      look();
      await promise.finally(() => waiting.delete(look));
    },
    close,
  };
}
