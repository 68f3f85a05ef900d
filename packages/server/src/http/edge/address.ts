import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** Empty, so one shared budget, if the connection is gone. */
export function addressOfRequests(trustedProxies: readonly string[]) {
  if (trustedProxies.length === 0) {
    return ({ socket }: IncomingMessage): string => socket.remoteAddress ?? '';
  }
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (raw: IncomingMessage): string => proxyAddress.all(raw, isTrusted).at(-1) ?? '';
}
