import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type postgres from 'postgres';
import { type Connection, Connector, type Driver, lost, type SessionFactory } from './connector.ts';
import { flatten } from './flat-statement.ts';
import { JsonValue, type Row, type Rows, type Send, type SqlValue } from './sql.ts';
import { type Waiting, Waits } from './waits.ts';

type DriverValue = postgres.ParameterOrJSON<never>;

const JSON_TYPE = 114;

/**
 * A session connects with its first statement, which fails if no host accepts. A session whose
 * server does not answer is ended, and what waits for it fails (decision 0009).
 */
export function sessionOpener(factory: SessionFactory): () => Session {
  const connector = new Connector(factory);
  const waits = new Waits((hostIndex) => connector.answersAt(hostIndex), factory.patience);
  return () => new Session(factory, connector, waits);
}

/**
 * One connection to PostgreSQL. When it ends it is gone: it never connects again by itself, so a
 * statement of a transaction can never run outside of it.
 */
export class Session {
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;
  readonly #factory: SessionFactory;
  readonly #connector: Connector;
  readonly #waits: Waits;
  readonly #reportEnd: () => void;
  #hasEnded = false;
  #connecting: Promise<Connection> | undefined;
  #waiting: Waiting | undefined;
  #statementTimeoutMs: number | undefined;
  #silence: Error | undefined;

  constructor(factory: SessionFactory, connector: Connector, waits: Waits) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#reportEnd = resolve;
    this.#factory = factory;
    this.#connector = connector;
    this.#waits = waits;
  }

  hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Throws if no host accepts. */
  async connect(): Promise<void> {
    await this.#connected();
  }

  /** Statements are answered in order; the next one may be sent before the last one is answered. */
  readonly send: Send = async (strings, values) => {
    // First of all: after the connection is there, the caller is no longer known.
    const ended = this.#factory.watch?.(strings);
    try {
      const { driver } = await this.#connected();
      return await this.#answered(async () => {
        const query =
          typeof strings === 'string'
            ? driver.unsafe(strings)
            : driver.unsafe(...flatQuery(driver, strings, values ?? []));
        return (await query) as unknown as Rows<Row[]>;
      });
    } finally {
      ended?.();
    }
  };

  /**
   * Returns the answer of a `COPY … TO STDOUT` in pieces. To stop before its end ends the session:
   * nothing else can be sent on it.
   */
  async copyOut(statement: string): Promise<AsyncIterable<Buffer>> {
    const { driver } = await this.#connected();
    const pieces = await this.#answered(() => driver.unsafe(statement).readable());
    // The driver reads on only when somebody asks for the next piece. Nobody asks after the last
    // one, and so the answer to the next statement would never be read.
    pieces.once('end', () => pieces._read(0));
    return this.#eachAnswered(pieces);
  }

  /** Sends the pieces to a `COPY … FROM STDIN`; throws the error of PostgreSQL. */
  async copyIn(statement: string, pieces: AsyncIterable<Uint8Array>): Promise<void> {
    const { driver } = await this.#connected();
    await this.#answered(() => copyInto(driver, statement, pieces));
  }

  /**
   * Limits how long the server may take for each of the next statements: 0 is no limit, and
   * undefined the limit of the session. Waiting for the answer ends a little later.
   */
  limitStatements(statementTimeoutMs: number | undefined): void {
    this.#statementTimeoutMs = statementTimeoutMs;
  }

  /** Sets whether the connection keeps the process alive; it does by default. */
  async keepAlive(isKept: boolean): Promise<void> {
    const { socket } = await this.#connected();
    if (isKept) socket.ref();
    else socket.unref();
  }

  /** Waits up to `graceMs` for what was sent, then ends the connection. */
  async end(graceMs: number): Promise<void> {
    const connection = await this.#connecting?.catch(() => null);
    await connection?.driver.end({ timeout: graceMs / 1000 });
    // The driver waits for the server to close; a server whose answer nobody reads does not.
    connection?.socket.destroySoon();
    this.#end();
  }

  async #connected(): Promise<Connection> {
    if (this.#hasEnded) throw this.#silence ?? lost('before');
    this.#connecting ??= this.#connect();
    return await this.#connecting;
  }

  async #connect(): Promise<Connection> {
    try {
      const connection = await this.#connector.connect(() => this.#end());
      this.#waiting = this.#waits.of(connection.hostIndex, (silence) => {
        this.#silence = silence;
        this.#connector.avoid(connection.hostIndex);
        void connection.driver.end({ timeout: 0 });
        connection.socket.destroy();
        this.#end();
      });
      return connection;
    } catch (error) {
      this.#end();
      this.#factory.onFailure?.(error);
      throw error;
    }
  }

  /** Statements are answered in order: each answer starts the wait for the next one. */
  async #answered<T>(work: () => Promise<T>): Promise<T> {
    const timeoutMs = this.#statementTimeoutMs ?? this.#factory.statementTimeoutMs ?? 0;
    this.#waiting?.begin(timeoutMs);
    try {
      return await work();
    } catch (error) {
      const failure = this.#silence ?? error;
      this.#factory.onFailure?.(failure);
      throw failure;
    } finally {
      this.#waiting?.answered();
    }
  }

  /** The time that the reader takes between two pieces does not count as waiting. */
  async *#eachAnswered(pieces: Readable): AsyncGenerator<Buffer> {
    const iterator = pieces[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        const piece = await this.#answered(() => iterator.next());
        if (piece.done) return;
        yield piece.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  #end(): void {
    this.#hasEnded = true;
    this.#waiting?.forget();
    this.#reportEnd();
  }
}

/**
 * The driver loses a failure that comes after all rows were sent, for example of a foreign key: it
 * rejects a statement that was settled long ago. So this intercepts the rejection.
 */
async function copyInto(
  driver: Driver,
  statement: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const query = driver.unsafe(statement);
  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => {});
  const refusable = query as unknown as { reject(error: unknown): void };
  const rejectFirst = refusable.reject;
  refusable.reject = (error) => {
    rejectFirst(error);
    reject(error);
  };
  const target: Writable = await query.writable();
  const sent = pipeline(pieces, target);
  sent.catch(() => {});
  try {
    await Promise.race([sent, refused]);
  } catch (error) {
    target.destroy();
    throw error;
  }
}

/** As the driver sends a template: by the extended protocol, prepared unless there is a pooler. */
function flatQuery(
  driver: Driver,
  strings: TemplateStringsArray,
  values: readonly SqlValue[],
): [string, DriverValue[], postgres.UnsafeQueryOptions] {
  const flat = flatten(strings, values);
  // The driver's own json() declares its value as jsonb, which sorts keys; json keeps their order.
  const parameters = flat.values.map((value) =>
    value instanceof JsonValue ? driver.typed(value.value, JSON_TYPE) : value,
  );
  return [flat.text, parameters as DriverValue[], PREPARED];
}

/** `simple` is not in the driver's types; without it a statement without parameters is not prepared. */
const PREPARED = { prepare: true, simple: false } as postgres.UnsafeQueryOptions;
