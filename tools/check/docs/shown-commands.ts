/** A call of `servery` that a page shows. */
export interface ShownCommand {
  /** The line of the page in which it begins, from 1. */
  readonly line: number;
  /** Whether it stands in a block or a script, and is meant to be typed as it is. */
  readonly isWhole: boolean;
  /** What stands behind `servery`, as a shell takes it apart; variables stand as they are. */
  readonly words: readonly string[];
}

/** A name of the program where a shell would run it: by itself or by its path, in no address. */
const CALLED = /(?<=^|[\s(`]|(?<!:\/\S*)\/)servery (?=[a-z-])/g;
/** A quoted or bare piece of a word. */
const PIECE = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\$\([^)]*\)|[^\s"'|;&<>()]+)/y;

const REMARK = /(?<=^|\s)#(?=\s|$).*/;

/** The calls of `servery` in the blocks and the code of a page, or in a script. */
export function shownCommands(text: string, isScript: boolean): ShownCommand[] {
  const shown: ShownCommand[] = [];
  let isBlock = isScript;
  const lines = text.split('\n');
  for (const [index, own] of lines.entries()) {
    if (!isScript && own.startsWith('```')) isBlock = !isBlock;
    // What goes on from the line before was read with that.
    if (isBlock && lines[index - 1]?.endsWith('\\')) continue;
    const line = isBlock ? wholeLine(lines, index) : own;
    const parts = isBlock
      ? [line.replace(REMARK, '')]
      : [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
    for (const part of parts) {
      for (const call of part.matchAll(CALLED)) {
        const words = wordsOf(part, call.index + call[0].length);
        shown.push({ line: index + 1, isWhole: isBlock, words });
      }
    }
  }
  return shown;
}

/** With the lines that a backslash at its end takes in; those begin no call of their own. */
function wholeLine(lines: readonly string[], index: number): string {
  const line = lines[index] ?? '';
  return line.endsWith('\\') ? `${line.slice(0, -1)} ${wholeLine(lines, index + 1).trim()}` : line;
}

function wordsOf(text: string, from: number): string[] {
  const words: string[] = [];
  let at = from;
  for (;;) {
    at += (/^\s*/.exec(text.slice(at)) as RegExpExecArray)[0].length;
    let word: string | null = null;
    for (;;) {
      PIECE.lastIndex = at;
      const found = PIECE.exec(text);
      if (!found) break;
      const [whole, inDouble, inSingle, bare] = found;
      word = (word ?? '') + (inDouble?.replace(/\\(.)/g, '$1') ?? inSingle ?? bare ?? '');
      at += whole.length;
    }
    if (word === null) return words;
    words.push(word);
  }
}
