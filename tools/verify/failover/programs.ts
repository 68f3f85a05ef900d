import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where the programs of a cluster are. */
export interface Programs {
  readonly etcd: string;
  readonly haproxy: string;
  readonly patroni: string;
  /** The folder of PostgreSQL's own programs. */
  readonly postgresFolder: string;
}

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** Finds them on this machine; throws an Error that names those that are missing. */
export function findPrograms(): Programs {
  const found = {
    etcd: findInPath('etcd'),
    haproxy: findInPath('haproxy'),
    patroni: findInPath('patroni'),
    postgresFolder: findPostgresFolder(),
  };
  const names = { ...found, PostgreSQL: found.postgresFolder, postgresFolder: '' };
  const missing = Object.entries(names).flatMap(([name, at]) => (at === null ? [name] : []));
  if (missing.length > 0) {
    throw new Error(
      `not installed: ${missing.join(', ')}. On Debian, install haproxy, etcd-server and` +
        ' postgresql with apt-get, and patroni[etcd3] with pip',
    );
  }
  return found as Programs;
}

function findInPath(name: string): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

/** Debian keeps them out of the path. */
function findPostgresFolder(): string | null {
  const inPath = findInPath('pg_basebackup');
  if (!existsSync(DEBIAN_FOLDER)) return inPath && join(inPath, '..');
  const versions = readdirSync(DEBIAN_FOLDER).map(Number).filter(Number.isInteger);
  const newest = Math.max(...versions);
  return versions.length === 0 ? null : join(DEBIAN_FOLDER, String(newest), 'bin');
}
