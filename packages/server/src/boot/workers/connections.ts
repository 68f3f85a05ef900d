import { findConnectionLimit } from '@servery/postgres/connection-limit.ts';
import type { Sql } from '@servery/postgres/sql.ts';
import type { Config } from '../../config/config.ts';

export interface TooManyConnections {
  readonly found: string;
  readonly fix: string;
}

export interface Connections {
  readonly workers: number;
  readonly databasePool: number;
  readonly isEmbedded: boolean;
  readonly limit: number;
}

/** Each worker and the parent hold a connection as their share in the embedded database. */
const SHARES_OF_STARTER = 1;
/** Each worker looks for changes over a connection beside its pool. */
const LOOKING = 1;
const LEAST_POOL = 2;

/** What `tooManyConnections` says of the database. One process alone takes what it gets. */
export async function examineConnections(
  { workers, databasePool, databaseUrl }: Config,
  sql: Sql,
): Promise<TooManyConnections | null> {
  if (workers === 1) return null;
  const isEmbedded = databaseUrl === null;
  const limit = await findConnectionLimit(sql);
  return tooManyConnections({ workers, databasePool, isEmbedded, limit });
}

/** Null if the database gives enough connections. The texts have no full stops. */
export function tooManyConnections(facts: Connections): TooManyConnections | null {
  const { workers, databasePool, isEmbedded, limit } = facts;
  const shares = isEmbedded ? SHARES_OF_STARTER : 0;
  const beside = isEmbedded ? LOOKING + 1 : LOOKING;
  const needed = workers * (databasePool + beside) + shares;
  if (needed <= limit) return null;
  const fitting = (pool: number) => Math.floor((limit - shares) / (pool + beside));
  const pool = Math.floor((limit - shares) / workers) - beside;
  const fewer = `start ${Math.max(1, fitting(databasePool))} workers or fewer`;
  const ways =
    pool >= LEAST_POOL
      ? `set SERVERY_DATABASE_POOL to ${pool} or less, or ${fewer}`
      : `${fewer}, or ${Math.max(1, fitting(LEAST_POOL))} with SERVERY_DATABASE_POOL=${LEAST_POOL}`;
  const who = isEmbedded ? 'the embedded PostgreSQL' : 'PostgreSQL';
  const other = isEmbedded ? ', or give DATABASE_URL one that gives more' : '';
  const found =
    `${workers} workers with ${databasePool} database connections each need ${needed} in all, ` +
    `and ${who} gives ${limit}`;
  return { found, fix: `${ways}${other}` };
}
