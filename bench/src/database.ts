import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import postgres from 'postgres';
import type { MeasuredPlatform } from './platform.ts';

/** Where the embedded database of a platform is, and how to get in. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

/** Of the product's pool, by default: its ceilings have as many. */
export const POOL_CONNECTIONS = 20;

/** The name of the embedded database and of its user. */
const NAME = 'servery';

/** Lines of `postmaster.pid`, counted from 0. */
const PORT_LINE = 3;
const SOCKET_FOLDER_LINE = 4;

/** Finds the database of a platform: its socket, or its address where it has none. */
export async function addressOf({ dataDir }: MeasuredPlatform): Promise<DatabaseAddress> {
  const folder = join(dataDir, 'postgres');
  const dataFolder = join(folder, 'data');
  const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8')).split('\n');
  const socketFolder = lines[SOCKET_FOLDER_LINE] ?? '';
  return {
    host: socketFolder === '' ? '127.0.0.1' : resolve(dataFolder, socketFolder),
    port: Number(lines[PORT_LINE]),
    password: (await readFile(join(folder, 'password'), 'utf8')).trim(),
  };
}

/** As settings name it. */
export function urlOf({ host, port, password }: DatabaseAddress): string {
  const search = new URLSearchParams({ host, port: String(port), password });
  return `postgres://${NAME}@/${NAME}?${search}`;
}

/** Connects with the driver that the product uses. `await sql.end()` ends all connections. */
export function openDatabase(
  { host, port, password }: DatabaseAddress,
  connections: number,
): postgres.Sql {
  return postgres({ host, port, password, user: NAME, database: NAME, max: connections });
}
