import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { refusePort } from '../../../src/webhooks/sockets/ports.ts';

/** A listener at which nobody may arrive. */
export interface ForbiddenListener {
  readonly port: number;
  /** How many connections came, and the bytes that came over them. */
  readonly caught: { connections: number; bytes: string };
  /**
   * Opens a connection to it, whatever address is asked for, as if it listened at every
   * address of the Internet.
   */
  readonly open: () => Socket;
  /** Connects once, which shows that it listens and that earlier connections were counted. */
  checkThatItListens(): Promise<void>;
  close(): Promise<void>;
}

/** Listens on every address of this machine, IPv4 and IPv6, at a port that receivers may have. */
export async function startForbiddenListener(): Promise<ForbiddenListener> {
  const caught = { connections: 0, bytes: '' };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    caught.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      caught.bytes += data.toString('latin1');
    });
  });
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  if (refusePort(port, true) !== null) {
    await close();
    return await startForbiddenListener();
  }
  const open = () => connect(port, '127.0.0.1');
  const checkThatItListens = async () => {
    const socket = open();
    await once(socket, 'connect');
    const hasArrived = () => [...sockets].some(({ remotePort }) => remotePort === socket.localPort);
    // Whoever came before may be let in only now, and is let in before this one.
    while (!hasArrived()) await once(server, 'connection');
    socket.destroy();
  };
  return { port, caught, open, checkThatItListens, close };
}
