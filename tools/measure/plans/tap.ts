import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { DatabaseAddress } from '@servery/postgres/database-url.ts';

/** A statement as it went over the wire, with the values that it had. */
export interface SentStatement {
  readonly text: string;
  /** The type of each parameter by its number in PostgreSQL; 0 where the server is to find out. */
  readonly types: readonly number[];
  readonly values: readonly (string | null)[];
}

/** What stands between a program and its database, and tells what the program sends. */
export interface Tap {
  readonly port: number;
  close(): Promise<void>;
}

const TEXT_FORMAT = 0;

/**
 * Opens a port of this machine that leads on to a database. Whatever is executed through it is
 * handed to `tell` before the database has it, as the driver of the program wrote it: nobody has to
 * list statements, and none that is new can be forgotten.
 */
export async function openTap(
  { hosts: [host = ''], ports: [port = 0] }: DatabaseAddress,
  tell: (statement: SentStatement) => void,
): Promise<Tap> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = host.startsWith('/')
      ? connect(`${host}/.s.PGSQL.${port}`)
      : connect({ host, port, noDelay: true });
    const reader = new Reader(tell);
    for (const socket of [client, target]) {
      sockets.add(socket);
      // Whichever end breaks takes the other with it, as a connection does.
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket);
          client.destroy();
          target.destroy();
        });
    }
    client.on('data', (chunk: Buffer) => {
      reader.read(chunk);
      target.write(chunk);
    });
    target.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Reads what a driver sends on one connection: Parse, Bind and Query, and passes over the rest. */
class Reader {
  readonly #tell: (statement: SentStatement) => void;
  readonly #prepared = new Map<string, Pick<SentStatement, 'text' | 'types'>>();
  #rest = Buffer.alloc(0);
  #isStarted = false;

  constructor(tell: (statement: SentStatement) => void) {
    this.#tell = tell;
  }

  read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      // The first message has no letter: it says who comes.
      const head = this.#isStarted ? 1 : 0;
      if (this.#rest.length < head + 4) return;
      const end = head + this.#rest.readInt32BE(head);
      if (this.#rest.length < end) return;
      if (this.#isStarted) {
        const kind = String.fromCharCode(this.#rest[0] ?? 0);
        this.#take(kind, new Fields(this.#rest.subarray(head + 4, end)));
      }
      this.#isStarted = true;
      this.#rest = this.#rest.subarray(end);
    }
  }

  #take(kind: string, fields: Fields): void {
    if (kind === 'Q') this.#tell({ text: fields.text(), types: [], values: [] });
    if (kind === 'P') {
      const [name, text] = [fields.text(), fields.text()];
      this.#prepared.set(name, { text, types: fields.list(() => fields.int32()) });
    }
    if (kind !== 'B') return;
    fields.text();
    const prepared = this.#prepared.get(fields.text());
    const formats = fields.list(() => fields.int16());
    if (formats.some((format) => format !== TEXT_FORMAT)) {
      throw new Error('the driver sends values in binary, which the tap does not read');
    }
    const values = fields.list(() => fields.value());
    if (prepared) this.#tell({ ...prepared, values });
  }
}

/** The fields of one message, one after the other. */
class Fields {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  int16(): number {
    this.#at += 2;
    return this.#bytes.readInt16BE(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  value(): string | null {
    const length = this.int32();
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.int16() }, read);
  }
}
