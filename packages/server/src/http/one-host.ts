import type { IncomingMessage } from 'node:http';
import { ApiError } from './errors.ts';
import { pairsOf } from './send.ts';

/**
 * Refuses a request that names no host, or two, with an ApiError (RFC 9112, 3.2): whoever stands in
 * between may have gone by the other one. A request that is like one which was let in is answered
 * from memory and not looked at again: no answer depends on the host.
 */
export function requireOneHost({ httpVersion, rawHeaders }: IncomingMessage): void {
  let hosts = 0;
  for (const [name] of pairsOf(rawHeaders)) if (name.toLowerCase() === 'host') hosts += 1;
  if (hosts > 1) throw new ApiError('badRequest', 'There are several Host headers: send one.');
  if (hosts === 0 && httpVersion === '1.1') {
    throw new ApiError('badRequest', 'There is no Host header: send one, as HTTP/1.1 asks for.');
  }
}
