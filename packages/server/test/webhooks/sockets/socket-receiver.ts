import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { refusePort } from '../../../src/webhooks/sockets/ports.ts';

/** A server on loopback, and what came to it. */
export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** One for each connection that came. */
  readonly sockets: readonly Socket[];
  /** Resolves when the next connection comes. */
  nextConnection(): Promise<Socket>;
  close(): Promise<void>;
}

/** Listens on loopback with a server, at a port that receivers may have. */
export async function startReceiver(makeServer: () => Server): Promise<Receiver> {
  const server = makeServer();
  const sockets: Socket[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    sockets.push(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  if (refusePort(port, false) !== null) {
    await close();
    return await startReceiver(makeServer);
  }
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    sockets,
    nextConnection: async () => (await once(server, 'connection'))[0],
    close,
  };
}

/** A receiver that speaks HTTP. */
export function startHttpReceiver(listener: RequestListener): Promise<Receiver> {
  return startReceiver(() => createHttpServer(listener));
}

/** A receiver that does with a connection whatever it likes, once the request has come. */
export function startRawReceiver(onRequest: (socket: Socket) => void): Promise<Receiver> {
  return startReceiver(() =>
    createServer((socket) => {
      let text = '';
      socket.on('data', (data) => {
        text += data.toString('latin1');
        if (!text.endsWith('{"a":1}')) return;
        text = '';
        onRequest(socket);
      });
    }),
  );
}
