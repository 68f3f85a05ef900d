import { connect, type Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import { arrayTypes } from './array-types.ts';
import type { DatabaseAddress } from './database-url.ts';
import { type FlatStatement, flatten } from './flat-statement.ts';
import { JsonValue, type Row, type Rows, type Send, type SqlValue } from './sql.ts';

/**
 * One connection to PostgreSQL. When it ends it is gone: it never connects again by itself, so a
 * statement of a transaction can never run outside of it.
 */
export interface Session {
  /** Statements that were sent are answered in order; the next may be sent before. */
  readonly send: Send;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** Resolves when it is connected; throws when none of the hosts will have it. */
  connect(): Promise<void>;
  /**
   * Gives what a `COPY … TO STDOUT` answers, piece by piece. Whoever does not read it to its end
   * ends the session: nothing else can be sent on it.
   */
  copyOut(statement: string): Promise<AsyncIterable<Buffer>>;
  /** Sends the pieces to a `COPY … FROM STDIN`; throws what PostgreSQL says against them. */
  copyIn(statement: string, pieces: AsyncIterable<Uint8Array>): Promise<void>;
  /** Whether the connection keeps the process alive. It does, until told otherwise. */
  keepAlive(isKept: boolean): Promise<void>;
  /** Waits up to `graceMs` milliseconds for what was sent, then ends the connection. */
  end(graceMs: number): Promise<void>;
}

/** How to open sessions. */
export interface SessionFactory {
  readonly address: DatabaseAddress;
  /** Settings of the server for the session, such as `statement_timeout`. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly connectTimeoutMs: number;
}

type Driver = postgres.Sql;
type DriverOptions = NonNullable<Parameters<typeof postgres>[1]>;
type DriverValue = postgres.ParameterOrJSON<never>;

const JSON_TYPE = 114;
const BIGINT_TYPE = 20;
const DATE_TYPE = 1082;

/**
 * Makes the function that opens sessions. A session connects with its first statement, which fails
 * when none of the hosts will have it.
 */
export function sessionOpener(factory: SessionFactory): () => Session {
  const connector = new Connector(factory);
  return () => {
    const { promise: ended, resolve: reportEnd } = Promise.withResolvers<void>();
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      reportEnd();
    };
    let connecting: Promise<Connection> | undefined;
    const connected = async () => {
      if (hasEnded) throw lost('before');
      connecting ??= connector.connect(end).catch((error) => {
        end();
        throw error;
      });
      return await connecting;
    };
    return {
      ended,
      hasEnded: () => hasEnded,
      connect: async () => {
        await connected();
      },
      send: async (strings, values) => {
        const { driver } = await connected();
        return (await toQuery(driver, strings, values)) as unknown as Rows<Row[]>;
      },
      copyOut: async (statement) => {
        const { driver } = await connected();
        return takenOut(await driver.unsafe(statement).readable());
      },
      copyIn: async (statement, pieces) => {
        const { driver } = await connected();
        await copyInto(driver, statement, pieces);
      },
      keepAlive: async (isKept) => {
        const { socket } = await connected();
        if (isKept) socket.ref();
        else socket.unref();
      },
      end: async (graceMs) => {
        const connection = await connecting?.catch(() => null);
        await connection?.driver.end({ timeout: graceMs / 1000 });
        // The driver waits for the server to hang up; a server that waits to be read does not.
        connection?.socket.destroySoon();
        end();
      },
    };
  };
}

/**
 * The driver reads on only when it is asked for the next piece. Nobody asks for one behind the
 * last, and what comes behind that, such as the answer to the next statement, was never read.
 */
function takenOut(pieces: Readable): Readable {
  return pieces.once('end', () => pieces._read(0));
}

/** What the driver keeps at a statement: it tells a failure there, and there alone. */
interface Refusable {
  reject(error: unknown): void;
}

/**
 * The driver tells of no failure that comes once all rows are sent, such as a foreign key that
 * leads nowhere: it rejects a statement that was answered long ago. So that is listened to.
 */
async function copyInto(
  driver: Driver,
  statement: string,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  const query = driver.unsafe(statement);
  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => {});
  const refusable = query as unknown as Refusable;
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

function lost(when: string): Error {
  const error = new Error(`the connection to the database was lost ${when}`);
  return Object.assign(error, { code: 'CONNECTION_LOST' });
}

interface Connection {
  readonly driver: Driver;
  readonly socket: Socket;
}

/** Finds a host that will have a connection. */
class Connector {
  readonly #factory: SessionFactory;
  readonly #options: DriverOptions;
  /** The host that had the newest connection, as an index. */
  #preferred = 0;

  constructor(factory: SessionFactory) {
    this.#factory = factory;
    this.#options = driverOptions(factory);
  }

  /** `onEnd` is called when the connection has ended. Throws what the last host answered. */
  async connect(onEnd: () => void): Promise<Connection> {
    const { hosts } = this.#factory.address;
    const first = this.#preferred;
    for (let tried = 1; ; tried += 1) {
      const place = (first + tried - 1) % hosts.length;
      try {
        const connection = await this.#connectTo(place, onEnd);
        this.#preferred = place;
        return connection;
      } catch (error) {
        if (tried === hosts.length) throw error;
      }
    }
  }

  async #connectTo(place: number, onEnd: () => void): Promise<Connection> {
    const { address } = this.#factory;
    let socket: Socket | undefined;
    let isEstablished = false;
    const own = {
      // Lists, because the driver does not look at options again that it made itself.
      host: [address.hosts[place]],
      port: [address.ports[place]],
      socket: () => {
        // The driver connects again by itself, and what it had left to send goes there too.
        if (socket) throw lost('while connecting');
        socket = openSocket(address.hosts[place] ?? '', address.ports[place] ?? 0);
        return socket;
      },
      onclose: () => {
        // What was not sent yet is refused now.
        void driver.end({ timeout: 0 });
        if (isEstablished) onEnd();
      },
    };
    const driver = postgres({ ...this.#options, ...own } as unknown as DriverOptions);
    try {
      const [row] = await driver.unsafe(
        "select current_setting('transaction_read_only') as read_only",
      );
      if (!socket) throw new Error('the driver has opened no connection');
      if (address.isWritable && row?.read_only === 'on') {
        const error = new Error(`the database at ${address.hosts[place]} is read-only`);
        throw Object.assign(error, { code: 'CONNECTION_READ_ONLY' });
      }
      isEstablished = true;
      return { driver, socket };
    } catch (error) {
      await driver.end({ timeout: 0 });
      throw error;
    }
  }
}

/** True for an error of PostgreSQL with this SQLSTATE, such as `23505` for a duplicate key. */
export function isSqlState(error: unknown, sqlState: string): boolean {
  return error instanceof postgres.PostgresError && error.code === sqlState;
}

/** True when the server itself answered that it did not do it, and the session goes on. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof postgres.PostgresError)) return false;
  // 40003 and 08007 mean "outcome unknown"; a FATAL error ends the session, perhaps after COMMIT.
  return error.severity === 'ERROR' && error.code !== '40003' && error.code !== '08007';
}

/** True when the server ended the session, or does not know what became of the statement. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof postgres.PostgresError && !isRefusal(error);
}

function openSocket(host: string, port: number): Socket {
  if (host.startsWith('/')) return connect(`${host}/.s.PGSQL.${port}`);
  // The driver reads the name that the server's certificate must have from its socket.
  return Object.assign(connect({ host, port, noDelay: true }), { host });
}

function driverOptions({ address, settings, connectTimeoutMs }: SessionFactory): DriverOptions {
  const isSocket = address.hosts[0]?.startsWith('/') ?? false;
  return {
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: isSocket ? false : address.tls,
    max: 1,
    // The pool above decides when a connection is too old; the driver would end it in the middle
    // of a transaction.
    max_lifetime: null,
    connect_timeout: connectTimeoutMs / 1000,
    // A pooler in transaction mode gives every transaction another session: statements prepared
    // and settings made on one are not there on the next.
    prepare: !address.pooler,
    connection: address.pooler ? {} : settings,
    // Notices say "already exists, skipping" and the like; the driver would print them.
    onnotice: () => {},
    fetch_types: false,
    types: {
      ...arrayTypes,
      bigint: { to: BIGINT_TYPE, from: [BIGINT_TYPE], serialize: String, parse: parseBigint },
      calendarDate: { to: DATE_TYPE, from: [DATE_TYPE], serialize: String, parse: String },
    },
  };
}

function parseBigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new RangeError(
      `the bigint ${text} is beyond what a number holds exactly; read it ::text`,
    );
  }
  return value;
}

function toQuery(
  driver: Driver,
  strings: TemplateStringsArray | string,
  values: readonly SqlValue[] | null,
) {
  if (typeof strings === 'string') return driver.unsafe(strings);
  const flat = flatten(strings, values ?? []);
  const parameters = flat.values.map((value) => toParameter(driver, value));
  // As what the driver makes of a template: prepared where sessions stay, by the extended protocol.
  return driver.unsafe(flat.text, parameters, PREPARED);
}

/** `simple` is not in the driver's types; without it, what has no parameters is never prepared. */
const PREPARED = { prepare: true, simple: false } as postgres.UnsafeQueryOptions;

function toParameter(driver: Driver, value: FlatStatement['values'][number]): DriverValue {
  // The driver's own json() declares its value as jsonb, which sorts keys; a json column must keep
  // the order in which the contract writes them.
  if (value instanceof JsonValue) return driver.typed(value.value, JSON_TYPE) as DriverValue;
  return value as DriverValue;
}
