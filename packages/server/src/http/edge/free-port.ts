import { type AddressInfo, createServer } from 'node:net';

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Throws what `listen` and `listenTls` would, before a long first start. `tls` is null if there is
 * no https listener.
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

export function listenError(error: unknown, { host, port }: ListenAddress, flag: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} is taken by another program: end it, or choose one with ${flag}.`,
    EACCES: `Port ${port} is not allowed for this user: choose one above 1023 with ${flag}.`,
    EADDRNOTAVAIL: `This machine has no address ${host}: correct the host setting.`,
  };
  return new Error(reasons[code ?? ''] ?? `Cannot listen on ${host}:${port}: ${message}`, {
    cause: error,
  });
}
