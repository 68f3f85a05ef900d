import { type Logger, pino } from 'pino';

/** Levels of the log, from chatty to terse. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of the levels of the log. */
export type LogLevel = (typeof logLevels)[number];

/** The structured log. Nothing secret is ever given to it; see rule 9 of the architecture. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** A terminal that a person looks at. */
export interface LogTerminal {
  /** How many characters fit into a line; 0 or absent where nobody knows. */
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * Makes the log of a process, on standard error, so that standard output stays free for the line
 * that says the server is ready: JSON lines in a pipe or a file, and on a terminal the same as text
 * for people. Tests give a terminal of their own.
 */
export function createLog(
  level: LogLevel,
  terminal: LogTerminal | null = process.stderr.isTTY ? process.stderr : null,
): Log {
  const options = { level, base: null };
  if (terminal === null) return pino(options, pino.destination({ dest: 2, sync: false }));
  const { labels } = pino.levels;
  return pino(options, {
    write: (line) => terminal.write(textOf(JSON.parse(line), labels, terminal.columns || COLUMNS)),
  });
}

const COLUMNS = 80;

/** What pino makes of one call. */
interface Entry {
  readonly level: number;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly [name: string]: unknown;
}

/**
 * Begins as all that the server says on a terminal. What was given with the message follows in
 * brackets where the line has room for it, else in a line for each.
 */
function textOf(
  { level, time, msg = '', err, ...given }: Entry,
  labels: Readonly<Record<number, string>>,
  columns: number,
): string {
  const label = labels[level] ?? String(level);
  const urgency = label === 'info' ? '' : `${label.toUpperCase()} `;
  const at = Temporal.Instant.fromEpochMilliseconds(time).toString({ smallestUnit: 'second' });
  const head = `servery: ${at} ${urgency}${msg}`;
  const facts = Object.entries(given).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const short = facts.length === 0 ? head : `${head} (${facts.join(', ')})`;
  if (!err && short.length <= columns) return `${harmless(short)}\n`;
  if (err) facts.push(err.stack ?? JSON.stringify(err));
  return `${harmless([head, ...facts].join('\n')).replaceAll('\n', '\n  ')}\n`;
}

/** Text of strangers must not be a command to the terminal. */
function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');
}
