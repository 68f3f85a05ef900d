import type { ResolverOptions } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isLocalName } from './read-target.ts';

/** Who knows the addresses of names. */
export interface Names {
  /** Every address of a name. Throws NameNotFound when there is none, or nobody tells. */
  addressesOf(host: string): Promise<readonly string[]>;
}

/** A name without an address; `code` is that of the name server, such as `ENOTFOUND`. */
export class NameNotFound extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`no address (${code})`);
    this.name = 'NameNotFound';
    this.code = code;
  }
}

/** A query goes out twice, and is given up well before the two seconds that a connection has. */
const QUERY: Required<ResolverOptions> = { timeout: 400, maxTimeout: 800, tries: 2 };

/**
 * Asks the name servers of this machine (or those given as `address:port`) by themselves: no file
 * of hosts and no search list of an inner network has a say, and a name server that hangs holds up
 * nothing else of this process. This machine's own names lead to its loopback. `limits` says how
 * long a server has for a query, in milliseconds, and how often it is asked.
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
      // A machine that moved to another network has other name servers.
      if (resolver === asked) resolver = makeResolver();
      throw new NameNotFound(codeOf(answers[0]));
    },
  };
}

function codeOf(answer: PromiseSettledResult<unknown>): string {
  const code = answer.status === 'rejected' ? answer.reason?.code : null;
  return typeof code === 'string' ? code : 'ENODATA';
}
