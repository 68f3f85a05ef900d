import { type ClientRequest, request as plainRequest, type RequestOptions } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { MESSAGE_LIMIT_BYTES } from './protocol.ts';

export interface Received {
  readonly status: number;
  readonly text: string;
}

/** Not a byte of the request can have reached the other side. */
export class NothingSent extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NothingSent';
  }
}

/**
 * Throws NothingSent without a connection, and another Error when the connection broke, the answer
 * was too long, or the signal was aborted: then nobody knows what the other side did. Follows no
 * redirection.
 */
export function exchange(
  url: string,
  options: RequestOptions & { readonly signal: AbortSignal },
  body: string | null,
  limitBytes = MESSAGE_LIMIT_BYTES,
): Promise<Received> {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const isTls = url.startsWith('https:');
  const request = (isTls ? tlsRequest : plainRequest)(url, options);
  let hasLeft = false;
  request.on('socket', (socket) => {
    const leaves = () => {
      hasLeft = true;
    };
    if (request.reusedSocket) leaves();
    else socket.once(isTls ? 'secureConnect' : 'connect', leaves);
  });
  request.on('error', (error: NodeJS.ErrnoException) => {
    const reason = error.code ?? error.name;
    reject(hasLeft ? error : new NothingSent(reason));
  });
  collect(request, limitBytes, resolve, reject);
  request.end(body ?? undefined);
  return promise;
}

function collect(
  request: ClientRequest,
  limitBytes: number,
  resolve: (received: Received) => void,
  reject: (error: Error) => void,
): void {
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    response.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) response.destroy(new Error('the answer is too long'));
      else chunks.push(chunk);
    });
    response.on('error', reject);
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      resolve({ status: response.statusCode ?? 0, text });
    });
  });
}
