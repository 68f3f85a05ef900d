import { readFile } from 'node:fs/promises';

const OWN_FILES = 64;
/** A process looks for changes over connections beside its pool. */
const DATABASE_CONNECTIONS_BESIDE = 2;
/** Each takes about 30 KiB; a setting can allow more. */
const CONNECTIONS_AT_MOST = 10_000;
export const FEWEST_CONNECTIONS = 16;

export interface OpenFiles {
  readonly files: number | null;
  readonly databasePool: number;
}

/**
 * Half of the rest stays free: each request may need another connection, for example to the
 * processor.
 */
export function connectionsWithin({ files, databasePool }: OpenFiles): number {
  if (files === null) return Number.POSITIVE_INFINITY;
  const left = files - OWN_FILES - databasePool - DATABASE_CONNECTIONS_BESIDE;
  return Math.max(0, Math.floor(left / 2));
}

export function filesFor(connections: number, databasePool: number): number {
  return OWN_FILES + databasePool + DATABASE_CONNECTIONS_BESIDE + 2 * connections;
}

export function usualConnections(openFiles: OpenFiles): number {
  return Math.min(connectionsWithin(openFiles), CONNECTIONS_AT_MOST);
}

export function tooFewFiles(openFiles: OpenFiles, maxConnections: number | null): string | null {
  const wanted = maxConnections ?? FEWEST_CONNECTIONS;
  if (connectionsWithin(openFiles) >= wanted) return null;
  const needed = filesFor(wanted, openFiles.databasePool);
  const raise = `raise it to ${needed} or more (ulimit -n ${needed}; LimitNOFILE of systemd)`;
  const lower = maxConnections === null ? '' : ', or lower SERVERY_MAX_CONNECTIONS';
  return (
    `${wanted} connections need ${needed} open files for each process, and the limit is ` +
    `${openFiles.files}: ${raise}${lower}.`
  );
}

export async function readOpenFilesLimit(): Promise<number | null> {
  // The report of the process takes far longer.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
  const soft = limits === null ? reportedLimit() : /^Max open files +(\S+)/m.exec(limits)?.[1];
  const files = Number(soft);
  return Number.isInteger(files) && files > 0 ? files : null;
}

function reportedLimit(): unknown {
  // Otherwise it looks up the names of all peers.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
  };
  return userLimits?.open_files?.soft;
}
