import { type Logger, pino } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof logLevels)[number];

/** Never log secrets (architecture, rule 9). */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export interface LogTerminal {
  /** Characters per line; 0 or absent when unknown. */
  readonly columns?: number;
  write(text: string): unknown;
}

/** Uses standard error: standard output is for the line that says the server is ready. */
export function createLog(
  level: LogLevel,
  terminal: LogTerminal | null = process.stderr.isTTY ? process.stderr : null,
  /** In every line. */
  fields: Readonly<Record<string, string>> | null = null,
): Log {
  const options = { level, base: fields };
  if (terminal === null) return pino(options, pino.destination({ dest: 2, sync: false }));
  const { labels } = pino.levels;
  return pino(options, {
    write: (line) => terminal.write(textOf(JSON.parse(line), labels, terminal.columns || COLUMNS)),
  });
}

const COLUMNS = 80;

interface Entry {
  readonly level: number;
  readonly time: number;
  readonly msg?: string;
  readonly err?: { readonly stack?: string };
  readonly [name: string]: unknown;
}

/** Fields follow in brackets when the line has room, otherwise one per line. */
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

/** Text from clients must not control the terminal. */
function harmless(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');
}
