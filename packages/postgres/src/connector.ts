import { connect, type Socket } from 'node:net';
import { machineTimer } from '@servery/support/timer.ts';
import postgres from 'postgres';
import { arrayTypes } from './array-types.ts';
import type { DatabaseAddress } from './database-url.ts';
import type { Patience } from './waits.ts';

/** How to open sessions. */
export interface SessionFactory {
  readonly address: DatabaseAddress;
  /** Settings of the server for the session, for example `application_name`. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** The server ends a statement that runs longer; it has no limit when 0 or absent. */
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs: number;
  /** When an unanswered session is given up; as usual when absent. */
  readonly patience?: Patience;
  /** Is told why a statement failed. */
  readonly onFailure?: (error: unknown) => void;
}

/** The driver of one connection. */
export type Driver = postgres.Sql;
type DriverOptions = NonNullable<Parameters<typeof postgres>[1]>;

const BIGINT_TYPE = 20;
const DATE_TYPE = 1082;

/** How an attempt to connect fails where nothing answers. */
const NO_ANSWER: readonly string[] = [
  'CONNECT_TIMEOUT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** An open connection. */
export interface Connection {
  readonly driver: Driver;
  readonly socket: Socket;
  /** Its host, as an index. */
  readonly place: number;
}

/** Finds a host that will have a connection. */
export class Connector {
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

  /**
   * Whether a host is not silent. A refusal is an answer, and an error of this machine, for example
   * of its names or file descriptors, proves nothing about the host. Never fails.
   */
  async answersAt(place: number): Promise<boolean> {
    try {
      const { driver } = await this.#connectTo(place, () => {});
      void driver.end({ timeout: 0 });
      return true;
    } catch (error) {
      return !NO_ANSWER.includes((error as NodeJS.ErrnoException).code ?? '');
    }
  }

  async #connectTo(place: number, onEnd: () => void): Promise<Connection> {
    const { address, connectTimeoutMs } = this.#factory;
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
    // The driver's own limit ends when the server has let it in.
    let isLate = false;
    const cancel = machineTimer.after(connectTimeoutMs, () => {
      isLate = true;
      void driver.end({ timeout: 0 });
      socket?.destroy();
    });
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
      return { driver, socket, place };
    } catch (error) {
      await driver.end({ timeout: 0 });
      if (!isLate) throw error;
      const late = new Error(`the database at ${address.hosts[place]} did not answer in time`);
      throw Object.assign(late, { code: 'CONNECT_TIMEOUT', cause: error });
    } finally {
      cancel();
    }
  }
}

/** The error of a connection that ended without having been asked to. */
export function lost(when: string): Error {
  const error = new Error(`the connection to the database was lost ${when}`);
  return Object.assign(error, { code: 'CONNECTION_LOST' });
}

function openSocket(host: string, port: number): Socket {
  if (host.startsWith('/')) return connect(`${host}/.s.PGSQL.${port}`);
  // The driver reads the name that the server's certificate must have from its socket.
  return Object.assign(connect({ host, port, noDelay: true }), { host });
}

function driverOptions(factory: SessionFactory): DriverOptions {
  const { address, statementTimeoutMs: limit, connectTimeoutMs } = factory;
  const settings = {
    ...factory.settings,
    ...(limit === undefined ? {} : { statement_timeout: limit }),
  };
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
