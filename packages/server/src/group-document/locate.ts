import {
  type Node,
  type ParseErrorCode,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';
import { type DocumentFault, type DocumentPath, pathText } from '../document/faults.ts';
import { shown } from '../document/shown.ts';
import { isExactDouble } from '../http/pipeline/json.ts';
import type { LocatedFault } from './faults.ts';

const STRICT = { disallowComments: true, allowTrailingComma: false };

interface FaultAt {
  readonly offset: number;
  readonly path: string;
  readonly message: string;
}

/**
 * Also finds what JSON.parse hides: repeated property names, and numbers with more digits than a
 * double keeps. Gives all faults in document order.
 */
export function locateFaults(text: string, faults: readonly DocumentFault[]): LocatedFault[] {
  const root = parseTree(text, [], STRICT);
  const located = faults.map((fault): FaultAt => {
    const { path, message } = fault;
    return { offset: root ? offsetOf(root, fault) : 0, path: pathText(path), message };
  });
  const told = new Set(located.map(({ offset }) => offset));
  const unseen = root ? unseenFaults(text, root, []) : [];
  const all = [...located, ...unseen.filter(({ offset }) => !told.has(offset))];
  return withLines(
    text,
    all.sort((left, right) => left.offset - right.offset),
  );
}

/** For a fault about something missing, the innermost value that encloses it. */
function offsetOf(root: Node, { path, atName }: DocumentFault): number {
  let node = root;
  for (const step of path) {
    const inner =
      typeof step === 'number'
        ? node.children?.[step]
        : // JSON.parse keeps the last of two values with one name, so the fault is there.
          node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
    if (!inner) return node.offset;
    node = inner;
  }
  return (atName ? node.parent : node)?.offset ?? 0;
}

function unseenFaults(text: string, node: Node, path: DocumentPath): FaultAt[] {
  const { type, offset, length, children = [] } = node;
  if (type === 'number' && !isExactDouble(text.slice(offset, offset + length))) {
    const message = 'has more digits than a double keeps; write at most 15';
    return [{ offset, path: pathText(path), message }];
  }
  if (type === 'array') {
    return children.flatMap((child, index) => unseenFaults(text, child, [...path, index]));
  }
  const names = new Set<string>();
  return children.flatMap(({ offset: at, children: [name, value] = [] }) => {
    const inner = [...path, name?.value];
    const message = `the name ${shown(name?.value)} is given twice in this object; keep one`;
    const repeated = names.has(name?.value) ? [{ offset: at, path: pathText(inner), message }] : [];
    names.add(name?.value);
    return value ? [...repeated, ...unseenFaults(text, value, inner)] : repeated;
  });
}

/** `faults` must be in document order. */
export function withLines(text: string, faults: readonly FaultAt[]): LocatedFault[] {
  const lineBreak = /\r\n|\r|\n/g;
  let [line, start, end] = [0, 0, 0];
  return faults.map(({ offset, path, message }) => {
    while (end <= offset) {
      line += 1;
      start = end;
      end = lineBreak.test(text) ? lineBreak.lastIndex : Number.POSITIVE_INFINITY;
    }
    return { line, column: offset - start + 1, path, message };
  });
}

/** At most one for each line, since one slip causes several. */
export function locateSyntaxFaults(text: string): LocatedFault[] {
  const byLine = new Map<number, LocatedFault>();
  visit(
    text,
    {
      onError: (code, _offset, _length, line, character) => {
        if (byLine.has(line)) return;
        const message = SYNTAX_MESSAGES[printParseErrorCode(code)] ?? syntaxMessage(code);
        byLine.set(line, { line: line + 1, column: character + 1, path: '', message });
      },
    },
    STRICT,
  );
  return [...byLine.values()];
}

const SYNTAX_MESSAGES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is not JSON; text goes in double quotes',
  InvalidNumberFormat: 'this number is not written as JSON writes numbers',
  PropertyNameExpected: 'a property name in double quotes is needed here',
  ValueExpected: 'a value is needed here; the comma before it may be one too many',
  ColonExpected: 'a ":" is needed here',
  CommaExpected: 'a "," is needed here',
  CloseBraceExpected: 'the document ends inside an object; a "}" is missing',
  CloseBracketExpected: 'the document ends inside an array, or a "]" is missing',
  EndOfFileExpected: 'there is more after the end of the document; remove it',
  InvalidCommentToken: 'JSON has no comments; remove it',
  UnexpectedEndOfComment: 'JSON has no comments; remove it',
  UnexpectedEndOfString: 'this text has no closing double quote on its line',
  UnexpectedEndOfNumber: 'this number is cut off',
  InvalidUnicode: 'a \\u escape needs four hexadecimal digits',
  InvalidEscapeCharacter: 'this backslash escapes nothing; write \\\\ for a backslash',
  InvalidCharacter: 'a control character must be escaped, such as \\n or \\t',
};

function syntaxMessage(code: ParseErrorCode): string {
  return `this is not JSON (${printParseErrorCode(code)})`;
}
