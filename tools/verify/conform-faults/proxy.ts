import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What goes to the platform. Names of headers are in lower case. */
export interface Sent {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the platform answered. */
export interface Answered {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/** What a faulty platform does otherwise. */
export interface Fault {
  readonly name: string;
  /** The rule that it breaks: the checks that name it have to find it. */
  readonly rule: string;
  readonly onRequest?: (sent: Sent) => void;
  readonly onAnswer?: (answered: Answered, sent: Sent) => void;
}

/** A platform that is another one with a fault. */
export interface FaultyPlatform {
  readonly url: string;
  stop(): Promise<void>;
}

/** Serves the platform at `target` with a fault. */
export async function startFaulty(target: string, fault: Fault): Promise<FaultyPlatform> {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { method = 'GET', url = '/', headers } = incoming;
      const body = (await buffer(incoming)).toString('latin1');
      const sent = { method, path: url, headers: { ...headers }, body };
      fault.onRequest?.(sent);
      const answered = await ask(target, sent);
      fault.onAnswer?.(answered, sent);
      outgoing.writeHead(answered.status, {
        ...answered.headers,
        ...(answered.status === 304 ? {} : { 'content-length': answered.body.length }),
      });
      outgoing.end(answered.body);
    } catch {
      // One side went away.
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function ask(target: string, { method, path, headers, body }: Sent): Promise<Answered> {
  const { hostname, port } = new URL(target);
  const { 'transfer-encoding': _, ...rest } = headers;
  const bytes = Buffer.from(body, 'latin1');
  const outgoing = send({
    ...{ hostname, port, method, path },
    headers: { ...rest, 'content-length': bytes.length },
  });
  outgoing.end(bytes);
  const [answer] = await once(outgoing, 'response');
  const { 'transfer-encoding': __, connection: ___, ...own } = answer.headers;
  return { status: answer.statusCode, headers: own, body: await buffer(answer) };
}
