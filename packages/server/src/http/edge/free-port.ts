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

async function requireFree(address: ListenAddress, flag: string): Promise<void> {
  if (address.port !== 0) await probe(address, flag);
}

export async function chooseFreePort(host: string): Promise<number> {
  return await probe({ host, port: 0 }, '--port');
}

async function probe({ host, port }: ListenAddress, flag: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, { host, port }, flag)));
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return bound.port;
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
