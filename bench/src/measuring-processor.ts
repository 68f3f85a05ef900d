import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How long after its authorization an unapplied payment falls due. */
const APPLY_WINDOW_MS = 300_000;

/** A processor that knows every hold and gives each up at once. */
export interface MeasuringProcessor extends AsyncDisposable {
  readonly url: string;
  /**
   * Since the last reset: how long after the deadline of its payment the first void of each
   * arrived, in milliseconds. The deadline follows from the payment's id, which is by time.
   */
  delaysMs(): readonly number[];
  reset(): void;
}

/** Starts one that speaks the protocol of docs/reference/processor-protocol.md, in the process of the bench. */
export async function startMeasuringProcessor(): Promise<MeasuringProcessor> {
  const delays = new Map<string, number>();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      if (request.method !== 'POST' || request.url !== '/void') {
        response.writeHead(404).end('{}');
        return;
      }
      const { key } = JSON.parse(text) as { key: string };
      if (!delays.has(key)) delays.set(key, Date.now() - dueMsOf(key));
      response.end(JSON.stringify({ protocol: 1, key, answer: approval }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    delaysMs: () => [...delays.values()],
    reset: () => delays.clear(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const approval = {
  outcome: 'approved',
  authorizationCode: '000000',
  amountMinor: 0,
  currencyCode: 'USD',
  reference: 'bench',
};

/** Of `void:<payment>`: the first 48 bits of the payment's id are when it was made, in epoch ms. */
function dueMsOf(key: string): number {
  const id = key.slice(key.indexOf(':') + 1).replaceAll('-', '');
  return Number.parseInt(id.slice(0, 12), 16) + APPLY_WINDOW_MS;
}
