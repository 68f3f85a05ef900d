import { Presets, SingleBar } from 'cli-progress';

/** Where a command writes: results to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: NodeJS.WritableStream & { readonly columns?: number; readonly isTTY?: boolean };
  readonly err: NodeJS.WritableStream & { readonly columns?: number; readonly isTTY?: boolean };
}

export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

const TENTHS = 10;

/** Control characters but line feeds, and those that turn the direction of what stands around. */
const COMMANDS = /[^\P{Cc}\n]|[\u{202a}-\u{202e}\u{2066}-\u{2069}]/gu;

/** Text in which a terminal finds no commands, and a reader nothing in another order. */
export function printable(text: string): string {
  return text.replaceAll(COMMANDS, '\u{fffd}');
}

/** A file or a pipe has no width: a line is one line there. */
export function widthOf(
  stream: { readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
): number {
  const asked = Number(env.COLUMNS);
  // Some terminals do not know their width, and say 0.
  return stream.columns || (asked > 0 ? asked : Number.POSITIVE_INFINITY);
}

export type Paint = (text: string) => string;

export const plain: Paint = (text) => text;

const BOLD = '\u001b[1m';
const NOT_BOLD = '\u001b[22m';

/** Bold on a terminal, unless NO_COLOR is set (no-color.org) or the terminal is a dumb one. */
export function paintOf(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  const isPainted = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return isPainted ? (text) => `${BOLD}${text}${NOT_BOLD}` : plain;
}

/** Tells how far a long step is: by a bar on a terminal, by a line for each tenth elsewhere. */
export async function withProgress<Result>(
  terminal: Terminal,
  what: string,
  work: (onProgress: Progress['update']) => Promise<Result>,
): Promise<Result> {
  const progress = terminal.err.isTTY ? bar(terminal, what) : lines(terminal, what);
  try {
    return await work(progress.update);
  } finally {
    progress.stop();
  }
}

function bar({ err }: Terminal, what: string): Progress {
  const format = `${what} {bar} {value}/{total}`;
  const single = new SingleBar({ format, stream: err, barsize: 20 }, Presets.shades_classic);
  let isStarted = false;
  return {
    update(done, total) {
      if (!isStarted) single.start(total, 0);
      isStarted = true;
      single.update(done);
    },
    stop: () => single.stop(),
  };
}

function lines({ err }: Terminal, what: string): Progress {
  let shownTenths = 0;
  return {
    update(done, total) {
      const tenths = Math.floor((TENTHS * done) / total);
      if (tenths <= shownTenths) return;
      shownTenths = tenths;
      err.write(`${what}: ${done} of ${total}\n`);
    },
    stop() {},
  };
}
