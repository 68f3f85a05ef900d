import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** The address at the other end of a request's connection. */
export function ownAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** The address of whoever sent a request, as the trusted proxies tell it: the framework's way. */
export function addressBehind(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (raw: IncomingMessage): string => proxyAddress.all(raw, isTrusted).at(-1) ?? '';
}
