import type { Server } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createTlsListener } from './application.ts';
import type { Certificate } from './tls.ts';

/** Where to listen; port 0 for one that is free. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Throws what `listen` and `listenTls` would when they could not open the listeners, before
 * anything is begun that takes a first start long. `tls` is null where there is no https listener.
 */
export async function requireFreePorts(
  plain: ListenAddress,
  tls: ListenAddress | null,
): Promise<void> {
  await requireFree(plain, '--port');
  if (tls) await requireFree(tls, '--tls-port');
}

async function requireFree({ host, port }: ListenAddress, flag: string): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(listenError(error, { host, port }, flag)));
    probe.listen(port, host, resolve);
  });
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}

/** A port that is free at the address, for several processes that are all to listen on it. */
export async function chooseFreePort(host: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(listenError(error, { host, port: 0 }, '--port')));
    probe.listen(0, host, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

/** Opens the plain listener; gives its own address. Throws an Error that says what to do. */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, { host, port }, '--port');
  }
  return `http://${authority(host, app.server.address())}`;
}

/** An https listener that is open. */
export interface TlsListener {
  readonly url: string;
  /** Lets requests under way finish. */
  close(): Promise<void>;
}

/** Opens the https listener of an application. Throws an Error that says what to do. */
export async function listenTls(
  app: FastifyInstance,
  { host, port }: ListenAddress,
  certificate: Certificate,
): Promise<TlsListener> {
  const server = createTlsListener(app, certificate);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, { host, port }, '--tls-port')));
    server.listen(port, host, resolve);
  });
  return {
    url: `https://${authority(host, server.address())}`,
    close: () => closeListener(server),
  };
}

async function closeListener(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  await closed;
}

function authority(host: string, bound: AddressInfo | string | null): string {
  const port = typeof bound === 'object' ? bound?.port : undefined;
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function listenError(error: unknown, { host, port }: ListenAddress, flag: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program: end it, or start with ${flag} 0.`,
    EACCES: `Port ${port} is not allowed for this user: choose one above 1023 with ${flag}.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: correct the host setting.`,
  };
  return new Error(reasons[code ?? ''] ?? `Cannot listen on ${host}:${port}: ${message}`, {
    cause: error,
  });
}
