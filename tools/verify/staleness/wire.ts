import { connect, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { AnswerReader, type WireAnswer } from './answer-reader.ts';

export type { WireAnswer } from './answer-reader.ts';

/** A request to one of the servers. */
interface Asking {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Asks a server, given by its number; null when the connection broke or nothing came in time. */
export type Ask = (server: number, asking: Asking) => Promise<WireAnswer | null>;

const LIMIT_MS = 30_000;
const READ_BYTES = 2 ** 16;

/** Asks the servers at these addresses over connections that are kept alive. */
export function openWire(urls: readonly string[]): { readonly ask: Ask; close(): void } {
  const lines = urls.map((url) => new Line(new URL(url)));
  return {
    ask: (server, asking) => {
      const line = lines[server];
      if (!line) throw new Error(`there is no server ${server}`);
      return line.ask(asking);
    },
    close() {
      for (const line of lines) line.close();
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

/** Connections to one server, of which each has one request under way, or none. */
class Line {
  readonly #url: URL;
  readonly #free: Connection[] = [];
  readonly #all = new Set<Connection>();

  constructor(url: URL) {
    this.#url = url;
  }

  async ask(asking: Asking): Promise<WireAnswer | null> {
    const connection = this.#free.pop() ?? this.#open();
    const answer = await connection.ask(bytesOf(this.#url.host, asking));
    if (this.#all.has(connection)) this.#free.push(connection);
    return answer;
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #open(): Connection {
    const connection = new Connection(this.#url, () => {
      this.#all.delete(connection);
      const at = this.#free.indexOf(connection);
      if (at >= 0) this.#free.splice(at, 1);
    });
    this.#all.add(connection);
    return connection;
  }
}

/** One connection, without all that a client of HTTP does besides: readers share two cores. */
class Connection {
  readonly #socket: Socket;
  readonly #reader = new AnswerReader();
  #resolve: ((answer: WireAnswer | null) => void) | null = null;

  /** `onEnd` is called when it has ended, before whoever waits for an answer gets none. */
  constructor({ hostname, port }: URL, onEnd: () => void) {
    const socket = connect({
      ...{ host: hostname, port: Number(port), noDelay: true },
      // One buffer for all that is read: making a new one each time costs more than the reading.
      onread: {
        buffer: Buffer.allocUnsafe(READ_BYTES),
        callback: (count, buffer) => {
          this.#take((buffer as Buffer).subarray(0, count));
          return true;
        },
      },
    });
    this.#socket = socket;
    const end = () => {
      socket.destroy();
      onEnd();
      this.#settle(null);
    };
    socket.once('error', end).once('end', end).once('close', end);
    socket.setTimeout(LIMIT_MS, end);
  }

  ask(bytes: string): Promise<WireAnswer | null> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#socket.write(bytes);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const answer = this.#reader.read(chunk);
    if (!answer) return;
    if (answer.headers.connection === 'close') this.#socket.destroy();
    this.#settle(answer);
  }

  #settle(answer: WireAnswer | null): void {
    const resolve = this.#resolve;
    this.#resolve = null;
    resolve?.(answer);
  }
}

function bytesOf(host: string, { method, path, headers, body = '' }: Asking): string {
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
  if (method !== 'GET') head += `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${head}\r\n${body}`;
}
