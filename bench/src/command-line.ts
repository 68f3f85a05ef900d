import { parseArgs } from 'node:util';

/** A flag of a program that is started by hand. */
export interface Flag<Value> {
  /** What stands for its value in the help; null for a flag that takes none. */
  readonly shown: string | null;
  /** A few words for the help, without a full stop; null for one that nobody gives by hand. */
  readonly about: string | null;
  /** What it is when it is not given. */
  readonly fallback: Value;
  /** Throws an Error that says what the flag takes, for a sentence that begins with the flag. */
  read(text: string): Value;
}

type Flags = Readonly<Record<string, Flag<unknown>>>;

/** What a program is started with. */
export interface CommandLine<Given extends Flags> {
  /** As it is typed, such as `npm run fill`. */
  readonly command: string;
  /** What the program does, for the help. */
  readonly about: string;
  readonly flags: Given;
  /** What words without a flag are, such as `scenario`; null when there are none. */
  readonly words: string | null;
}

/** What was given, and what stands for the rest. */
export interface Arguments<Given extends Flags> {
  readonly values: {
    readonly [Name in keyof Given]: Given[Name] extends Flag<infer Value> ? Value : never;
  };
  readonly words: readonly string[];
  /** The names of the flags that were given. */
  readonly given: ReadonlySet<string>;
}

/** Why a program does not begin: its help was asked for, or its command line is wrong. */
export class NotStarted extends Error {
  readonly exitCode: 0 | 2;

  constructor(message: string, exitCode: 0 | 2) {
    super(message);
    this.name = 'NotStarted';
    this.exitCode = exitCode;
  }
}

/** A fault of a command line, in a sentence that says what to do; for whoever typed it. */
export function faultOf({ command }: { readonly command: string }, sentence: string): NotStarted {
  return new NotStarted(`${command}: ${sentence} (${command} -- --help lists the flags.)`, 2);
}

/** Reads a command line; throws NotStarted with the help, or with the first thing wrong with it. */
export function readArguments<Given extends Flags>(
  line: CommandLine<Given>,
  args: readonly string[],
): Arguments<Given> {
  const names = Object.entries(line.flags).map(([name, { shown }]) => {
    return [name, { type: shown === null ? 'boolean' : 'string' }] as const;
  });
  const options = Object.fromEntries(names);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  if (args.includes('--help') || args.includes('-h')) throw new NotStarted(helpOf(line), 0);
  const words: string[] = [];
  const given = new Map<string, unknown>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    else if (token.kind === 'option') given.set(token.name, readFlag(line, token));
    if (line.words === null && words.length > 0) throw strayWord(line, words);
  }
  const all = Object.entries(line.flags).map(([name, { fallback }]) => {
    return [name, given.has(name) ? given.get(name) : fallback];
  });
  return { values: Object.fromEntries(all), words, given: new Set(given.keys()) };
}

/** Gives what `read` reads; where nothing begins, ends the process with the reason instead. */
export function readOrEnd<Options>(read: () => Options): Options {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    const terminal = error.exitCode === 0 ? process.stdout : process.stderr;
    terminal.write(`${error.message}\n`);
    process.exit(error.exitCode);
  }
}

function readFlag(
  line: CommandLine<Flags>,
  { name, rawName, value }: { name: string; rawName: string; value?: string | undefined },
): unknown {
  const flag = Object.hasOwn(line.flags, name) ? line.flags[name] : undefined;
  if (!flag) throw faultOf(line, `There is no flag ${rawName}.`);
  if (flag.shown === null) {
    if (value !== undefined) throw faultOf(line, `--${name} takes no value: leave "${value}" out.`);
    return true;
  }
  // What comes next is most often the next flag, and not meant as a value.
  const isMissing = value === undefined || value.startsWith('--');
  try {
    if (!isMissing) return flag.read(value);
  } catch (error) {
    throw faultOf(line, `--${name} takes ${(error as Error).message}, not "${value}".`);
  }
  throw faultOf(line, `--${name} needs a value after it, as in --${name} ${flag.shown}.`);
}

/** A word without a flag is most often what npm left over of flags that it took for its own. */
function strayWord({ command, flags }: CommandLine<Flags>, [word]: readonly string[]): NotStarted {
  const [example = ''] = Object.keys(flags);
  return faultOf(
    { command },
    `The word "${word}" belongs to no flag. With npm, flags come after two dashes: ` +
      `${command} -- --${example} ….`,
  );
}

/** The columns of a terminal that nobody has made wider. */
const COLUMNS = 80;

function helpOf({ command, about, flags, words }: CommandLine<Flags>): string {
  const told = Object.entries({ ...flags, help: toggle('this') }).flatMap(([name, flag]) => {
    const { shown, about: what } = flag;
    if (what === null) return [];
    return [{ head: `  --${name}${shown === null ? '' : ` ${shown}`}`, what, flag }];
  });
  const indent = Math.max(...told.map(({ head }) => head.length)) + 2;
  const rows = told.map(({ head, what, flag: { fallback } }) => {
    const isTold = typeof fallback === 'number' || (typeof fallback === 'string' && fallback);
    const [first, ...rest] = wrap(isTold ? `${what} (${fallback})` : what, COLUMNS - indent);
    return [head.padEnd(indent) + first, ...rest.map((row) => ' '.repeat(indent) + row)];
  });
  const usage = `Usage: ${command} -- [flags]${words === null ? '' : ` [${words} …]`}`;
  return [usage, '', ...wrap(about, COLUMNS), '', ...rows.flat()].join('\n');
}

/** Breaks a text into rows of at most so many characters, between its words. */
function wrap(text: string, width: number): string[] {
  const rows: string[] = [''];
  for (const word of text.split(' ')) {
    const row = rows.at(-1) ?? '';
    if (row === '') rows[rows.length - 1] = word;
    else if (row.length + 1 + word.length <= width) rows[rows.length - 1] = `${row} ${word}`;
    else rows.push(word);
  }
  return rows;
}

/** A flag that takes no value. */
export function toggle(about: string): Flag<boolean> {
  return { shown: null, about, fallback: false, read: () => true };
}

/** A flag that takes any text. */
export function text<Fallback extends string | null>(
  shown: string,
  about: string,
  fallback: Fallback,
): Flag<string | Fallback> {
  return { shown, about, fallback, read: (given) => given };
}

/** A flag that takes a whole number of at least 0, or of at least `least`. */
export function wholeNumber<Fallback extends number | null>(
  about: string | null,
  fallback: Fallback,
  least = 0,
): Flag<number | Fallback> {
  return { shown: 'N', about, fallback, read: (given) => readWhole(given, least) };
}

/** A flag that takes whole numbers of at least 1, as `100,50000`. */
export function wholeNumbers(about: string): Flag<readonly number[]> {
  return {
    ...{ shown: 'N,N', about, fallback: [] },
    read(given) {
      const parts = given.split(',').filter((part) => part !== '');
      try {
        return parts.map((part) => readWhole(part, 1));
      } catch {
        throw new Error('whole numbers of 1 or more with commas between them');
      }
    },
  };
}

/** A flag that takes a number above 0. */
export function positiveNumber(about: string, fallback: number): Flag<number> {
  return {
    ...{ shown: 'N', about, fallback },
    read(given) {
      const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : 0;
      if (value > 0 && Number.isFinite(value)) return value;
      throw new Error('a number above 0');
    },
  };
}

/** A flag that takes one of some names. */
export function oneOf<Name extends string>(
  about: string,
  names: readonly Name[],
): Flag<Name | null> {
  return {
    ...{ shown: 'NAME', about: `${about}: ${names.join(', ')}`, fallback: null },
    read(given) {
      const name = names.find((one) => one === given);
      if (name !== undefined) return name;
      throw new Error(`one of ${names.join(', ')}`);
    },
  };
}

function readWhole(given: string, least: number): number {
  const value = /^-?\d+$/.test(given) ? Number(given) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  const range = Number.isFinite(least) ? ` of ${least} or more` : '';
  throw new Error(`a whole number${range}`);
}
