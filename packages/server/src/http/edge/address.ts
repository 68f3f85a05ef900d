import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

interface Sent {
  readonly ip: string | undefined;
}

/** Empty, so one shared budget, if the connection is gone. */
export function addressOf({ ip }: Sent): string {
  return ip ?? '';
}

export function ownAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

export function addressBehind(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (raw: IncomingMessage): string => proxyAddress.all(raw, isTrusted).at(-1) ?? '';
}
