import { Presets, SingleBar } from 'cli-progress';

/** Where a command writes: results to `out`, everything else to `err`. */
export interface Terminal {
  readonly out: NodeJS.WritableStream & { readonly columns?: number };
  readonly err: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Shows how far a long step is. */
export interface Progress {
  update(done: number, total: number): void;
  stop(): void;
}

const TENTHS = 10;

/** Text whose control characters, but line feeds, a terminal cannot take for commands. */
export function printable(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]/gu, '\u{fffd}');
}

/** A bar on a terminal; a line for each tenth elsewhere. */
export function showProgress(terminal: Terminal, what: string): Progress {
  return terminal.err.isTTY ? bar(terminal, what) : lines(terminal, what);
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
