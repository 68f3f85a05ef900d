import { Agent, type IncomingHttpHeaders, request as open } from 'node:http';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

/** A request to one of the servers. */
interface Asking {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer as it came, not decompressed. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Asks a server, given by its number; null when the connection broke or nothing came in time. */
export type Ask = (server: number, asking: Asking) => Promise<WireAnswer | null>;

const LIMIT_MS = 30_000;

/** Asks the servers at these addresses over connections that are kept alive. */
export function openWire(urls: readonly string[]): { readonly ask: Ask; close(): void } {
  const places = urls.map((url) => ({ url: new URL(url), agent: new Agent({ keepAlive: true }) }));
  const ask: Ask = (server, { method, path, headers, body }) =>
    new Promise((resolve) => {
      const place = places[server];
      if (!place) throw new Error(`there is no server ${server}`);
      const { hostname, port } = place.url;
      const sent = open({ hostname, port, method, path, headers, agent: place.agent }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', () => resolve(null));
        answer.once('close', () => resolve(null));
        answer.once('end', () => {
          const bytes = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes });
        });
      });
      sent.once('error', () => resolve(null));
      sent.setTimeout(LIMIT_MS, () => sent.destroy());
      sent.end(body);
    });
  return {
    ask,
    close() {
      for (const { agent } of places) agent.destroy();
    },
  };
}

/** The text of an answer, decompressed as its header says. */
export function textOf({ headers, bytes }: WireAnswer): string {
  const coding = headers['content-encoding'];
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  if (coding === 'gzip') return gunzipSync(bytes).toString();
  if (coding === 'zstd') return zstdDecompressSync(bytes).toString();
  return bytes.toString();
}
