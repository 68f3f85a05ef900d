import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** What the framework knows of a sender: nothing once the connection is reset. */
interface Sent {
  readonly ip: string | undefined;
}

/** The address of whoever sent a request; empty, which is one budget for all, when it is gone. */
export function addressOf({ ip }: Sent): string {
  return ip ?? '';
}

/** The address at the other end of a request's connection. */
export function ownAddress({ socket }: IncomingMessage): string {
  return socket.remoteAddress ?? '';
}

/** The address of whoever sent a request, as the trusted proxies tell it: the framework's way. */
export function addressBehind(trustedProxies: readonly string[]) {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (raw: IncomingMessage): string => proxyAddress.all(raw, isTrusted).at(-1) ?? '';
}
