import { readFile } from 'node:fs/promises';

/** For the log, the data directory, the program's own files and pipes. */
const OWN_FILES = 64;
/** A process looks for changes over connections beside its pool. */
const DATABASE_CONNECTIONS_BESIDE = 2;
/** Each takes about 30 KiB: with more, a process needs a setting that says so. */
const CONNECTIONS_AT_MOST = 10_000;
/** With fewer a server is of no use. */
export const FEWEST_CONNECTIONS = 16;

/** What decides how many connections a process can serve. */
export interface OpenFiles {
  /** The limit of open files of the process; null for none. */
  readonly files: number | null;
  readonly databasePool: number;
}

/**
 * How many connections a process can serve with its limit of open files. Half of what is left
 * stays free: each request may need a further connection, to the processor for example.
 */
export function connectionsWithin({ files, databasePool }: OpenFiles): number {
  if (files === null) return Number.POSITIVE_INFINITY;
  const left = files - OWN_FILES - databasePool - DATABASE_CONNECTIONS_BESIDE;
  return Math.max(0, Math.floor(left / 2));
}

/** How many open files so many connections need. */
export function filesFor(connections: number, databasePool: number): number {
  return OWN_FILES + databasePool + DATABASE_CONNECTIONS_BESIDE + 2 * connections;
}

/** The connections that a process serves when no setting says how many. */
export function usualConnections(openFiles: OpenFiles): number {
  return Math.min(connectionsWithin(openFiles), CONNECTIONS_AT_MOST);
}

/** What to do when there are too few open files for the connections; null when there are enough. */
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

/** Reads how many files this process may have open; null where there is no limit, or none known. */
export async function readOpenFilesLimit(): Promise<number | null> {
  // Linux tells it in a file: the report of the process takes far longer.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => null);
  const soft = limits === null ? reportedLimit() : /^Max open files +(\S+)/m.exec(limits)?.[1];
  const files = Number(soft);
  return Number.isInteger(files) && files > 0 ? files : null;
}

function reportedLimit(): unknown {
  // The names of all peers would be looked up.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: unknown } };
  };
  return userLimits?.open_files?.soft;
}
