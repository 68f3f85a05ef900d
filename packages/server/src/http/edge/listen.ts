import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createTlsListener } from './application.ts';
import { hangUpLate } from './arrival-limits.ts';
import type { Connections } from './connections.ts';
import { type ListenAddress, listenError } from './free-port.ts';
import type { Certificate } from './tls.ts';

/** Throws an Error that says what to do. */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, { host, port }, '--port');
  }
  return `http://${authority(host, app.server.address())}`;
}

/** Throws an Error that says what to do. */
export async function listenTls(
  app: FastifyInstance,
  { host, port }: ListenAddress,
  certificate: Certificate,
  connections: Connections,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createTlsListener(app, certificate, connections);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, { host, port }, '--tls-port')));
    server.listen(port, host, resolve);
  });
  return {
    url: `https://${authority(host, server.address())}`,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      hangUpLate(server);
      await closed;
    },
  };
}

function authority(host: string, bound: AddressInfo | string | null): string {
  const port = typeof bound === 'object' ? bound?.port : undefined;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
