import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import type { DatabaseAddress } from './database-url.ts';
import { JsonValue, type Row, type Rows, type Send, type SqlValue, Statement } from './sql.ts';

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
  /** Whether the connection keeps the process alive. It does, until told otherwise. */
  keepAlive(isKept: boolean): void;
  /** Waits up to `graceMs` milliseconds for what was sent, then ends the connection. */
  end(graceMs: number): Promise<void>;
}

/** How to open sessions; `driver` is filled by the first one. */
export interface SessionFactory {
  readonly address: DatabaseAddress;
  /** Settings of the server for the session, such as `statement_timeout`. */
  readonly settings: Readonly<Record<string, string | number>>;
  readonly connectTimeoutMs: number;
}

type Driver = postgres.Sql;
type DriverOptions = NonNullable<Parameters<typeof postgres>[1]>;
type DriverValue = postgres.ParameterOrFragment<never>;

const JSON_TYPE = 114;
const BIGINT_TYPE = 20;
const DATE_TYPE = 1082;

/**
 * Makes the function that opens sessions. A session connects with its first statement, whose error
 * tells when it cannot.
 */
export function sessionOpener(factory: SessionFactory): () => Session {
  // The driver asks each server once which array types it has; later sessions are told.
  let known: DriverOptions | null = null;
  let turn = 0;
  return () => {
    const { promise: ended, resolve: reportEnd } = Promise.withResolvers<void>();
    let hasEnded = false;
    let socket: Socket | undefined;
    const own = {
      socket: () => {
        if (hasEnded) throw new Error('the connection to the database has ended');
        socket = connectTo(factory.address, turn);
        turn += 1;
        return socket;
      },
      onclose: () => {
        hasEnded = true;
        // What was not sent yet is refused now.
        void driver.end({ timeout: 0 });
        reportEnd();
      },
    };
    const template = known ?? driverOptions(factory);
    const driver = postgres({ ...template, ...own } as DriverOptions);
    return {
      ended,
      hasEnded: () => hasEnded,
      send: async (strings, values) => {
        const rows = await toQuery(driver, strings, values);
        known ??= { ...(driver.options as unknown as DriverOptions), fetch_types: false };
        return rows as unknown as Rows<Row[]>;
      },
      keepAlive: (isKept) => {
        if (isKept) socket?.ref();
        else socket?.unref();
      },
      end: async (graceMs) => {
        await driver.end({ timeout: graceMs / 1000 });
        hasEnded = true;
        reportEnd();
      },
    };
  };
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

function connectTo(address: DatabaseAddress, turn: number): Socket {
  const index = turn % address.hosts.length;
  const host = address.hosts[index] ?? '';
  const port = address.ports[index] ?? 0;
  if (host.startsWith('/')) return connect(`${host}/.s.PGSQL.${port}`);
  // The driver reads the name that the server's certificate must have from its socket.
  return Object.assign(connect({ host, port, noDelay: true }), { host });
}

function driverOptions({ address, settings, connectTimeoutMs }: SessionFactory): DriverOptions {
  const isSocket = address.hosts[0]?.startsWith('/') ?? false;
  return {
    host: [...address.hosts],
    port: [...address.ports],
    user: address.user,
    password: address.password,
    database: address.database,
    ssl: isSocket ? false : address.tls,
    ...(address.targetSession ? { target_session_attrs: address.targetSession } : {}),
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
    types: {
      bigint: { to: BIGINT_TYPE, from: [BIGINT_TYPE], serialize: String, parse: parseBigint },
      calendarDate: { to: DATE_TYPE, from: [DATE_TYPE], serialize: String, parse: String },
    },
    // The driver takes lists of hosts, which its types do not know.
  } as unknown as DriverOptions;
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
  return driver(strings, ...(values ?? []).map((value) => toDriverValue(driver, value)));
}

function toDriverValue(driver: Driver, value: SqlValue): DriverValue {
  if (value instanceof Statement) return toQuery(driver, value.strings, value.values);
  // The driver's own json() declares its value as jsonb, which sorts keys; a json column must keep
  // the order in which the contract writes them.
  if (value instanceof JsonValue) return driver.typed(value.value, JSON_TYPE) as DriverValue;
  return value as DriverValue;
}
