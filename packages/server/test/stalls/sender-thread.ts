import { Agent, request as httpRequest } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** A request to send. */
export interface SentRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** What came back. */
export interface SentStatus {
  readonly status: number;
}

const agent = new Agent({ keepAlive: true });

parentPort?.on('message', (sent: SentRequest) => {
  let isDone = false;
  const done = (status: number) => {
    if (isDone) return;
    isDone = true;
    parentPort?.postMessage({ status } satisfies SentStatus);
  };
  const { url, method, headers, body } = sent;
  const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = { method, agent, headers: { ...headers, ...length } };
  const request = httpRequest(url, options, (response) => {
    const { statusCode = 0, headers: answered } = response;
    // Streams end when their reader goes.
    if (/event-stream|ndjson/.test(String(answered['content-type']))) {
      done(statusCode);
      response.destroy();
      return;
    }
    response.resume();
    response.once('end', () => done(statusCode));
    response.once('error', () => done(statusCode));
  });
  request.once('error', () => done(0));
  request.end(body ?? undefined);
});
