import { connect, type Socket } from 'node:net';
import { machineTimer } from '@servery/support/timer.ts';
import postgres from 'postgres';
import { arrayTypes } from './array-types.ts';
import type { DatabaseAddress } from './database-url.ts';
import type { Patience } from './waits.ts';

export interface SessionFactory {
  readonly address: DatabaseAddress;
  readonly settings: Readonly<Record<string, string | number>>;
  /** The server cancels a statement that runs longer; no limit if 0 or absent. */
  readonly statementTimeoutMs?: number;
  /** For all hosts together. */
  readonly connectTimeoutMs: number;
  readonly patience?: Patience;
  readonly onFailure?: (error: unknown) => void;
  readonly watch?: WatchStatement;
}

/** Called before a statement is sent; what it returns is called when the statement has ended. */
export type WatchStatement = (statement: TemplateStringsArray | string) => (() => void) | null;

export type Driver = postgres.Sql;
type DriverOptions = NonNullable<Parameters<typeof postgres>[1]>;

const BIGINT_TYPE = 20;
const DATE_TYPE = 1082;

const NO_ANSWER: readonly string[] = [
  'CONNECT_TIMEOUT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

export interface Connection {
  readonly driver: Driver;
  readonly socket: Socket;
  readonly hostIndex: number;
}

/** Connects to the first of several hosts that accepts. */
export class Connector {
  readonly #factory: SessionFactory;
  readonly #options: DriverOptions;
  /** The host of the newest connection, or the one after a host that did not answer. */
  #preferred = 0;

  constructor(factory: SessionFactory) {
    this.#factory = factory;
    this.#options = driverOptions(factory);
  }

  async connect(onEnd: () => void): Promise<Connection> {
    const { hosts } = this.#factory.address;
    const limitMs = this.#factory.connectTimeoutMs / hosts.length;
    const first = this.#preferred;
    for (let tried = 1; ; tried += 1) {
      const hostIndex = (first + tried - 1) % hosts.length;
      try {
        const connection = await this.#connectTo(hostIndex, limitMs, onEnd);
        this.#preferred = hostIndex;
        return connection;
      } catch (error) {
        if (isNoAnswer(error)) this.avoid(hostIndex);
        if (tried === hosts.length) throw error;
      }
    }
  }

  /** Asks the other hosts first from now on. */
  avoid(hostIndex: number): void {
    if (this.#preferred !== hostIndex) return;
    this.#preferred = (hostIndex + 1) % this.#factory.address.hosts.length;
  }

  /**
   * Whether a host answers at all. A refusal is an answer, and an error of this machine, for example
   * a lack of file descriptors, proves nothing about the host. Never rejects.
   */
  async answersAt(hostIndex: number): Promise<boolean> {
    try {
      const limitMs = this.#factory.connectTimeoutMs;
      const { driver } = await this.#connectTo(hostIndex, limitMs, () => {});
      void driver.end({ timeout: 0 });
      return true;
    } catch (error) {
      return !isNoAnswer(error);
    }
  }

  async #connectTo(hostIndex: number, limitMs: number, onEnd: () => void): Promise<Connection> {
    const { address } = this.#factory;
    let socket: Socket | undefined;
    let isEstablished = false;
    const own = {
      // Lists, because the driver does not parse these options again.
      host: [address.hosts[hostIndex]],
      port: [address.ports[hostIndex]],
      socket: () => {
        // The driver would connect again by itself, and send the rest of a transaction there.
        if (socket) throw lost('while connecting');
        socket = openSocket(address.hosts[hostIndex] ?? '', address.ports[hostIndex] ?? 0);
        return socket;
      },
      onclose: () => {
        // Rejects what was not sent yet.
        void driver.end({ timeout: 0 });
        if (isEstablished) onEnd();
      },
    };
    const driver = postgres({ ...this.#options, ...own } as unknown as DriverOptions);
    // The driver's own limit does not cover the time after the login.
    let isLate = false;
    const cancel = machineTimer.after(limitMs, () => {
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
        const error = new Error(`the database at ${address.hosts[hostIndex]} is read-only`);
        throw Object.assign(error, { code: 'CONNECTION_READ_ONLY' });
      }
      isEstablished = true;
      return { driver, socket, hostIndex };
    } catch (error) {
      await driver.end({ timeout: 0 });
      if (!isLate) throw error;
      const late = new Error(`the database at ${address.hosts[hostIndex]} did not answer in time`);
      throw Object.assign(late, { code: 'CONNECT_TIMEOUT', cause: error });
    } finally {
      cancel();
    }
  }
}

function isNoAnswer(error: unknown): boolean {
  return NO_ANSWER.includes((error as NodeJS.ErrnoException).code ?? '');
}

export function lost(when: string): Error {
  const error = new Error(`the connection to the database was lost ${when}`);
  return Object.assign(error, { code: 'CONNECTION_LOST' });
}

function openSocket(host: string, port: number): Socket {
  if (host.startsWith('/')) return connect(`${host}/.s.PGSQL.${port}`);
  // The driver reads the host name for the check of the certificate from the socket.
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
    // The pool decides when a connection is too old; the driver would end it in a transaction.
    max_lifetime: null,
    connect_timeout: connectTimeoutMs / 1000,
    // A pooler in transaction mode gives every transaction another session, without the prepared
    // statements and settings of the one before. It keeps a few settings of its client, and refuses
    // the others.
    prepare: !address.pooler,
    connection: address.pooler ? keptByPooler(settings) : settings,
    // The driver would print notices, for example "already exists, skipping".
    onnotice: () => {},
    fetch_types: false,
    types: {
      ...arrayTypes,
      bigint: { to: BIGINT_TYPE, from: [BIGINT_TYPE], serialize: String, parse: parseBigint },
      calendarDate: { to: DATE_TYPE, from: [DATE_TYPE], serialize: String, parse: String },
    },
  };
}

const KEPT_BY_POOLER = ['application_name', 'TimeZone'];

function keptByPooler(settings: SessionFactory['settings']): SessionFactory['settings'] {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => KEPT_BY_POOLER.includes(name)),
  );
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
