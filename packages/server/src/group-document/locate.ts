import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import { type DocumentFault, type DocumentPath, pathText } from '../document/faults.ts';
import { shown } from '../document/shown.ts';
import { isExactDouble } from '../http/pipeline/json.ts';
import type { LocatedFault } from './faults.ts';

const STRICT = { disallowComments: true, allowTrailingComma: false };

interface Place {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

interface Branch {
  readonly children: Map<string | number, Branch>;
  readonly path: DocumentPath;
  name: Place | null;
  value: Place | null;
}

interface Frame {
  readonly parent: Frame | null;
  readonly branch: Branch | null;
  readonly names: Set<string> | null;
  step: string | number;
}

/**
 * Also finds what JSON.parse hides: repeated property names, and numbers with more digits than a
 * double keeps. Gives all faults in document order.
 */
export function locateFaults(text: string, faults: readonly DocumentFault[]): LocatedFault[] {
  const root = branch([]);
  for (const fault of faults) grow(root, fault.path);
  const unseen = walk(text, root);
  const located = faults.map((fault) => {
    const found = descend(root, fault.path);
    const place = (fault.atName ? found?.name : found?.value) ?? nearestPlace(root, fault.path);
    return { ...place, path: pathText(fault.path), message: fault.message };
  });
  const told = new Set(located.map(({ offset }) => offset));
  return [...located, ...unseen.filter(({ offset }) => !told.has(offset))]
    .sort((left, right) => left.offset - right.offset)
    .map(({ line, column, path, message }) => ({ line, column, path, message }));
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
  ValueExpected: 'a value is needed here; a comma before it may be too many',
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

function branch(path: DocumentPath): Branch {
  return { children: new Map(), path, name: null, value: null };
}

function grow(root: Branch, path: DocumentPath): void {
  let at = root;
  for (const step of path) {
    let next = at.children.get(step);
    if (!next) {
      next = branch([...at.path, step]);
      at.children.set(step, next);
    }
    at = next;
  }
}

function descend(root: Branch, path: DocumentPath): Branch | null {
  let at: Branch | undefined = root;
  for (const step of path) {
    at = at.children.get(step);
    if (!at) return null;
  }
  return at;
}

/** The innermost value in the text that encloses the path, for faults about missing things. */
function nearestPlace(root: Branch, path: DocumentPath): Place {
  let place = root.value;
  let at: Branch | undefined = root;
  for (const step of path) {
    at = at.children.get(step);
    if (!at) break;
    place = at.value ?? place;
  }
  return place ?? { offset: 0, line: 1, column: 1 };
}

function walk(text: string, root: Branch): (LocatedFault & { offset: number })[] {
  const unseen: (LocatedFault & { offset: number })[] = [];
  let frame: Frame | null = null;

  const enterValue = (place: Place): Branch | null => {
    const here = frame ? (frame.branch?.children.get(frame.step) ?? null) : root;
    // JSON.parse keeps the last of two values with one name, so the fault is there.
    if (here) here.value = place;
    return here;
  };
  const open = (names: Set<string> | null, place: Place) => {
    const here = enterValue(place);
    frame = { parent: frame, branch: here, names, step: names ? '' : 0 };
  };
  const close = () => {
    frame = frame?.parent ?? null;
  };

  visit(
    text,
    {
      onObjectBegin: (offset, _length, line, character) => {
        open(new Set(), placeOf(offset, line, character));
      },
      onArrayBegin: (offset, _length, line, character) => {
        open(null, placeOf(offset, line, character));
      },
      onObjectEnd: close,
      onArrayEnd: close,
      onLiteralValue: (value, offset, length, line, character, enclosing) => {
        const place = placeOf(offset, line, character);
        enterValue(place);
        if (typeof value !== 'number' || isExactDouble(text.slice(offset, offset + length))) return;
        const message = 'has more digits than a double keeps; write at most 15';
        unseen.push({ ...place, path: pathText(enclosing()), message });
      },
      onSeparator: (character) => {
        if (character === ',' && frame && typeof frame.step === 'number') frame.step += 1;
      },
      onObjectProperty: (name, offset, _length, line, character, enclosing) => {
        if (!frame) return;
        const place = placeOf(offset, line, character);
        frame.step = name;
        const here = frame.branch?.children.get(name);
        if (here) here.name = place;
        if (frame.names?.has(name)) {
          const path = pathText([...enclosing(), name]);
          const message = `the name ${shown(name)} is given twice in this object; keep one`;
          unseen.push({ ...place, path, message });
        }
        frame.names?.add(name);
      },
    },
    STRICT,
  );
  return unseen;
}

function placeOf(offset: number, line: number, character: number): Place {
  return { offset, line: line + 1, column: character + 1 };
}
