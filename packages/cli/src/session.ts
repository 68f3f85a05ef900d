import type { DemoClientName, DemoFile } from '@servery/server/sandbox/demo-file.ts';
import { connect, type Remote } from './back-office.ts';
import {
  type ConnectionFlags,
  connectionOf,
  type Environment,
  type Known,
  readKnown,
} from './connection.ts';
import { inWordsOf } from './refusals.ts';
import { type Column, renderTable } from './table.ts';
import { paintOf, type Terminal } from './terminal.ts';

/** What a command over HTTP is given by the program. */
export interface RemoteDeps {
  readonly env: Environment;
  readonly terminal: Terminal;
  /** Aborted with what the command is to throw. */
  readonly signal: AbortSignal;
}

/** The options of commands that show something. */
export interface RemoteFlags extends ConnectionFlags {
  readonly json?: boolean;
}

/** A platform that a command talks to, and what is known of its sandbox. */
export interface Session {
  readonly remote: Remote;
  readonly demo: DemoFile | null;
}

/** The options that say whom a command talks to, and about which restaurant. */
export type SessionFlags = ConnectionFlags & { readonly restaurant?: string };

/**
 * Opens the platform that flags, variables, the profile in use or the sandbox of the data folder
 * name, as the account `operator` of that sandbox when nothing else is said. Throws CommandFailure.
 */
export async function openSession(deps: RemoteDeps, flags: SessionFlags): Promise<Session> {
  const known = await readKnown(deps.env, flags);
  const remote = openRemote(deps, flags, known, 'operator');
  return { remote, demo: known.demo };
}

/** The same where all that is known was read already, as the account `role` by default. */
export function openRemote(
  { env, signal }: RemoteDeps,
  flags: SessionFlags,
  known: Known,
  role: DemoClientName,
): Remote {
  const connection = connectionOf(env, flags, known, role);
  const { baseUrl } = connection;
  const clientId = 'clientId' in connection ? connection.clientId : null;
  const session = 'session' in connection ? connection.session : null;
  const { restaurant } = flags;
  return connect(
    connection,
    signal,
    inWordsOf({ baseUrl, clientId, session, demo: known.demo, restaurant }),
  );
}

/** Writes a value as JSON, for programs. */
export function showJson({ terminal }: Pick<RemoteDeps, 'terminal'>, value: unknown): void {
  terminal.out.write(`${JSON.stringify(value, null, 2)}\n`);
}

/** Writes rows as a table, for people, or says on standard error that there are none. */
export function showTable<Row>(
  deps: Pick<RemoteDeps, 'env' | 'terminal'>,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: string,
): void {
  const { out, err } = deps.terminal;
  if (rows.length === 0) err.write(`${empty}\n`);
  else out.write(renderTable(columns, rows, widthOf(deps), paintOf(out, deps.env)));
}

/** How many characters a line may have. A file or a pipe has no width: there a row is one line. */
export function widthOf({ env, terminal }: Pick<RemoteDeps, 'env' | 'terminal'>): number {
  const asked = Number(env.COLUMNS);
  // Some terminals do not know their width, and say 0.
  return terminal.out.columns || (asked > 0 ? asked : Number.POSITIVE_INFINITY);
}
