import type { ResolverOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { codeOf, DialFailed } from './outcome.ts';
import { isLocalName } from './read-target.ts';

export interface Names {
  /** Throws DialFailed. */
  addressesOf(host: string): Promise<readonly string[]>;
}

/** Two tries must fit well into the two seconds of a connection. */
const QUERY: Required<ResolverOptions> = { timeout: 400, maxTimeout: 800, tries: 2 };

/**
 * Queries name servers directly: hosts files and search domains of an internal network have no
 * effect, and a name server that hangs blocks nothing else. Local names resolve to loopback.
 */
export function askNameServers(servers: readonly string[] = [], limits = QUERY): Names {
  const makeResolver = () => {
    const resolver = new Resolver(limits);
    if (servers.length > 0) resolver.setServers(servers);
    return resolver;
  };
  let resolver = makeResolver();
  return {
    async addressesOf(host) {
      if (isIP(host)) return [host];
      if (isLocalName(host)) return ['127.0.0.1', '::1'];
      const asked = resolver;
      const answers = await Promise.allSettled([asked.resolve4(host), asked.resolve6(host)]);
      const found = answers.flatMap((answer) =>
        answer.status === 'fulfilled' ? answer.value : [],
      );
      if (found.length > 0) return found;
      // A machine on another network has other name servers.
      if (resolver === asked) resolver = makeResolver();
      const [first] = answers;
      const code = first.status === 'rejected' ? codeOf(first.reason) : 'ENODATA';
      throw new DialFailed('UNREACHABLE', `The name has no address (${code}).`);
    },
  };
}
