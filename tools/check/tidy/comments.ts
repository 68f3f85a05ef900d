import type { Comment, Node } from 'oxc-parser';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const DIRECTIVE = /^(biome-|@ts-|@type\b|#|node:coverage|\/ <reference)/;
const BEGINNING = /^[\p{Lu}\d"'“‘`]/u;
const ENDING = /[.:?!`]$/;
const SHOWN = 50;
const LATER = /\b(TODO|FIXME|XXX)\b/;

/** A comment as it reads: lines that follow each other are one. */
interface Remark {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isLine: boolean;
}

/** Holds comments to sentences, and to what is true now rather than what is to be done. */
export function checkComments(source: Source): Finding[] {
  const { path, lineAt } = source;
  return remarksOf(source).flatMap(({ text, start }) => {
    const finding = (rule: string, message: string) => ({
      path,
      line: lineAt(start),
      rule,
      message,
    });
    if (LATER.test(text)) {
      return [finding('later', 'A comment defers work. Use an issue, or do it now, instead.')];
    }
    const prose = text.replace(/(^|\n)\s*@[a-z][\s\S]*$/, '').trim();
    if (DIRECTIVE.test(text) || prose === '') return [];
    if (BEGINNING.test(prose) && ENDING.test(prose)) return [];
    const shown =
      prose.length > SHOWN ? `${prose.slice(0, SHOWN / 2)} … ${prose.slice(-SHOWN / 2)}` : prose;
    const quoted = `\`${shown.replaceAll('\n', ' ')}\``;
    const message = `${quoted} is no sentence. Use one with a capital and a full stop instead.`;
    return [finding('sentence', message)];
  });
}

function remarksOf({ comments, text }: Source): Remark[] {
  const remarks: Remark[] = [];
  for (const comment of comments) {
    const last = remarks.at(-1);
    const isLine = comment.type === 'Line';
    if (last?.isLine && isLine && isOwnLine(text, comment) && follows(text, last, comment)) {
      const joined = `${last.text}\n${comment.value.trim()}`;
      remarks[remarks.length - 1] = { ...last, text: joined, end: comment.end };
    } else {
      remarks.push({ text: textOf(comment), start: comment.start, end: comment.end, isLine });
    }
  }
  return remarks;
}

function isOwnLine(text: string, { start }: Comment): boolean {
  return /^\s*$/.test(text.slice(text.lastIndexOf('\n', start) + 1, start));
}

function follows(text: string, last: Remark, { start }: Comment): boolean {
  const startsLine = /^\s*$/.test(text.slice(text.lastIndexOf('\n', last.start) + 1, last.start));
  return startsLine && /^\r?\n[ \t]*$/.test(text.slice(last.end, start));
}

function textOf({ value }: Comment): string {
  return value
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim();
}

/** Holds every export to a doc comment: what it takes and gives, its errors, its rule. */
export function checkDocumented(source: Source): Finding[] {
  const { path, lineAt } = source;
  const documented = new Set<string>();
  return source.nodes.flatMap(({ node }) => {
    if (node.type !== 'ExportNamedDeclaration' && node.type !== 'ExportDefaultDeclaration') {
      return [];
    }
    const names = namesOf(node.declaration);
    if (names.length === 0) return [];
    // A type and its schema, or overloads, share a name and its comment.
    if (names.every((name) => documented.has(name))) return [];
    for (const name of names) documented.add(name);
    if (hasDocComment(source, node.start)) return [];
    const message =
      `\`${names.join(', ')}\` is exported without a word. Use a doc comment that says what it ` +
      'takes and gives instead.';
    return [{ path, line: lineAt(node.start), rule: 'documented', message }];
  });
}

function namesOf(declaration: Node | null): string[] {
  if (!declaration) return [];
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : 'it'));
  }
  if (!('id' in declaration)) return ['default'];
  const { id } = declaration;
  return [id && 'name' in id && typeof id.name === 'string' ? id.name : 'default'];
}

function hasDocComment({ comments, text }: Source, start: number): boolean {
  return comments.some(
    ({ type, value, end }) =>
      type === 'Block' &&
      value.startsWith('*') &&
      end <= start &&
      /^(\s|\/\/ biome-ignore.*)*$/.test(text.slice(end, start)),
  );
}
