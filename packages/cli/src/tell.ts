import type { Context } from './command.ts';
import { breakLines } from './table.ts';
import { printable, widthOf } from './terminal.ts';

export type Listener = Pick<Context, 'env'> & {
  readonly terminal: Pick<Context['terminal'], 'err'>;
};

/** Says something on standard error. */
export function tell({ terminal: { err }, env }: Listener, text: string): void {
  err.write(`${fitted(printable(text), widthOf(err, env))}\n`);
}

/** Text in lines that fit a terminal. An indented line is a command, which is copied whole. */
export function fitted(text: string, width: number): string {
  const lines = text.split('\n').flatMap((line) => {
    if (/^ +(?!- | )/.test(line)) return [line];
    const [mark = ''] = /^ *- /.exec(line) ?? [];
    const broken = breakLines(line.slice(mark.length), width - mark.length);
    return broken.map((part, at) => `${at === 0 ? mark : ' '.repeat(mark.length)}${part}`);
  });
  return lines.join('\n');
}
