import type { Document, LineCounter, YAMLError } from 'yaml';
import { CommandFailure, exitCodes } from './exit-codes.ts';
import { readBytes } from './files.ts';

export interface Structured {
  readonly file: string;
  readonly value: unknown;
  /** `file:line` of the value at a path, or of the nearest thing around it that there is. */
  readonly placeOf: (path: readonly (string | number)[]) => string;
}

/**
 * What the platform says of a place in a document, for example `changes[3].name: is missing`,
 * behind the file and the line of that place.
 */
export function placed({ placeOf }: Structured, fault: string): string {
  const [, where = ''] = /^((?:[^\s:"]|"(?:[^"\\]|\\.)*")+): /.exec(fault) ?? [];
  return `${placeOf(stepsOf(where.replace(/^document\.?/, '')))}: ${fault}`;
}

/** `configuration.menuItems[3].name` as the steps that lead there. */
function stepsOf(where: string): (string | number)[] {
  return [...where.matchAll(/\[(\d+)\]|\["([^"]+)"\]|([^.[\]]+)/g)].map(([, index, own, name]) =>
    index === undefined ? (own ?? name ?? '') : Number(index),
  );
}

/** Aliases are a convenience; more of them than this would fill the memory. */
const ALIASES_AT_MOST = 100;
const FAULTS_SHOWN = 10;

/**
 * Reads one JSON or YAML document from a file, or from standard input for `-`. Throws
 * CommandFailure that tells file and line of what is wrong: syntax, a key that stands twice,
 * several documents, tags, and aliases that would grow beyond measure.
 */
export async function readStructured(file: string): Promise<Structured> {
  const source = (await readBytes(file)).toString().replace(/^\u{feff}/u, '');
  const { LineCounter, parseAllDocuments } = await import('yaml');
  const counter = new LineCounter();
  const name = file === '-' ? 'standard input' : file;
  const documents = parseAllDocuments(source, {
    lineCounter: counter,
    uniqueKeys: true,
    strict: true,
    prettyErrors: false,
  });
  const list = Array.isArray(documents) ? documents : [];
  const [document] = list;
  if (!document) throw faulty(`${name} is empty. Write a JSON or YAML document.`);
  const second = list[1];
  if (second) {
    const { line } = counter.linePos(second.range[0]);
    throw faulty(`${name}:${line}: a second document begins here. Write only one.`);
  }
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) throw faulty(faultsText(name, counter, faults));
  return {
    file: name,
    value: await contentOf(name, counter, document),
    placeOf: placesOf(name, counter, document),
  };
}

async function contentOf(name: string, counter: LineCounter, document: Document): Promise<unknown> {
  try {
    return document.toJS({ maxAliasCount: ALIASES_AT_MOST });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    const { visit } = await import('yaml');
    visit(document, {
      Alias(_key, alias) {
        if (alias.resolve(document)) return;
        const { line, col } = counter.linePos(alias.range?.[0] ?? 0);
        const { source } = alias;
        throw faulty(`${name}:${line}:${col}: *${source} has no anchor &${source} before it.`);
      },
    });
    throw faulty(`${name} uses far too many aliases. Write those parts out.`);
  }
}

function faultsText(name: string, counter: LineCounter, faults: readonly YAMLError[]): string {
  const lines = faults.slice(0, FAULTS_SHOWN).map(({ pos, message }) => {
    const { line, col } = counter.linePos(pos[0]);
    return `${name}:${line}:${col}: ${message}`;
  });
  const more = faults.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}

function placesOf(name: string, counter: LineCounter, document: Document): Structured['placeOf'] {
  return (path) => {
    for (let length = path.length; length >= 0; length -= 1) {
      const part = path.slice(0, length);
      const node = length === 0 ? document.contents : document.getIn(part, true);
      const range = (node as { range?: readonly [number, number, number] } | undefined)?.range;
      if (range) return `${name}:${counter.linePos(range[0]).line}`;
    }
    return name;
  };
}

function faulty(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.invalid);
}
