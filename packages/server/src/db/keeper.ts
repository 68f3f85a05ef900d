import { connect, type Socket } from 'node:net';
import postgres from 'postgres';
import { isSqlState } from './database.ts';
import { EMBEDDED_USER } from './postgres-cluster.ts';
import type { Listening } from './postmaster.ts';

/**
 * One process's share in an embedded PostgreSQL server. It is a connection that holds a shared lock
 * for as long as the process lives, even if it is killed; who leaves and finds no other share is
 * the last and stops the server. No process owns it, so none can leave it behind for ever.
 */
export interface Keeper {
  /** Resolves when the connection ends without `leave`: the server is gone. */
  readonly lost: Promise<void>;
  /** Gives the share back. True: nobody else has one, and nobody new can come; stop the server. */
  leave(): Promise<boolean>;
}

const TRANSIENT_STATES = ['57P01', '57P02', '57P03'];
const TRANSIENT_CODES = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', 'CONNECTION_CLOSED'];

type Session = postgres.Sql;

/** Takes a share; null when no server answers there (yet, or any more). */
export async function join(listening: Listening, password: string): Promise<Keeper | null> {
  let socket: Socket | undefined;
  let isLeaving = false;
  const { promise: lost, resolve: reportLoss } = Promise.withResolvers<void>();
  const options = {
    user: EMBEDDED_USER,
    password: () => password,
    database: 'postgres',
    max: 1,
    fetch_types: false,
    prepare: false,
    idle_timeout: undefined,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'servery keeper', idle_in_transaction_session_timeout: 0 },
    onclose: () => {
      if (!isLeaving) reportLoss();
    },
    socket: () => {
      socket =
        listening.folder === null
          ? connect(listening.port, '127.0.0.1')
          : connect(`${listening.folder}/.s.PGSQL.${listening.port}`);
      return socket;
    },
  };
  // The driver's types do not know `socket`.
  const session = postgres(options as Parameters<typeof postgres>[1]);
  try {
    await prepareServer(session);
    await session.unsafe('begin');
    await session.unsafe('lock table servery_keeper in row share mode');
  } catch (error) {
    isLeaving = true;
    await session.end({ timeout: 0 });
    if (isTransient(error)) return null;
    throw error;
  }
  // The share alone is no reason for this process to go on living.
  socket?.unref();
  return {
    lost,
    leave: async () => {
      isLeaving = true;
      socket?.ref();
      return await leave(session);
    },
  };
}

async function prepareServer(session: Session): Promise<void> {
  const [found] = await session.unsafe(
    `select to_regclass('servery_keeper') is not null as has_table,
            exists (select 1 from pg_database where datname = '${EMBEDDED_USER}') as has_database`,
  );
  try {
    if (!found?.has_table) await session.unsafe('create table if not exists servery_keeper ()');
    if (!found?.has_database) await session.unsafe(`create database ${EMBEDDED_USER}`);
  } catch (error) {
    // Another process made it in this moment, or is about to have made it.
    if (!['23505', '42P04', '42P07'].some((state) => isSqlState(error, state))) throw error;
    await prepareServer(session);
  }
}

async function leave(session: Session): Promise<boolean> {
  try {
    await session.unsafe('rollback');
    await session.unsafe('begin');
    await session.unsafe('lock table servery_keeper in exclusive mode nowait');
    return true;
  } catch (error) {
    await session.end({ timeout: 0 });
    if (isSqlState(error, '55P03') || isTransient(error)) return false;
    throw error;
  }
}

function isTransient(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return (
    TRANSIENT_STATES.some((state) => isSqlState(error, state)) ||
    (typeof code === 'string' && TRANSIENT_CODES.includes(code))
  );
}
