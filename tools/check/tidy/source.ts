import { type Comment, type Node, type ParseResult, parseSync, visitorKeys } from 'oxc-parser';

/** A node of the syntax tree with the node that it stands in. */
export interface Placed {
  readonly node: Node;
  readonly parent: Node | null;
}

/** A file that another one names in an `import`, `export … from` or `import()`. */
interface Import {
  /** The text between the quotes. */
  readonly specifier: string;
  /** The line of the statement, counted from 1. */
  readonly line: number;
  /** Whether only types come from it: then nothing is loaded. */
  readonly isOfTypes: boolean;
}

/** A file under judgement. What comes from the syntax tree is empty where there is no code. */
export interface Source {
  /** The path below the root of the repository, with `/` on every machine. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly isCode: boolean;
  /** Tests, their set-up, and the black-box suite. */
  readonly isTest: boolean;
  readonly nodes: readonly Placed[];
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
  /** The line of an offset into the text, counted from 1. */
  lineAt(offset: number): number;
}

const CODE = /\.(ts|tsx|mts|mjs|js)$/;
const TEST = /\.test\.ts$|^packages\/[^/]+\/test\/|^acceptance\//;

/** Reads a file by its path below the repository's root and its text. Throws on broken syntax. */
export function readSource(path: string, text: string): Source {
  const isCode = CODE.test(path);
  const lineAt = lineFinder(text);
  const parsed = isCode ? parse(path, text) : null;
  return {
    path,
    text,
    lines: text.split('\n'),
    isCode,
    isTest: TEST.test(path),
    nodes: parsed ? placeNodes(parsed.program) : [],
    comments: parsed?.comments.filter(({ start }) => !text.startsWith('#!', start)) ?? [],
    imports: parsed ? importsOf(parsed, text, lineAt) : [],
    lineAt,
  };
}

function parse(path: string, text: string): ParseResult {
  const parsed = parseSync(path, text);
  const [error] = parsed.errors;
  if (error) throw new Error(`${path} is no TypeScript: ${error.message}. Run the type check.`);
  return parsed;
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function placeNodes(root: Node): Placed[] {
  const placed: Placed[] = [{ node: root, parent: null }];
  // The list grows while it is read, which is a walk without recursion.
  for (const { node } of placed) {
    for (const key of visitorKeys[node.type] ?? []) {
      const value = (node as unknown as Record<string, unknown>)[key];
      for (const child of Array.isArray(value) ? value : [value]) {
        if (child) placed.push({ node: child as Node, parent: node });
      }
    }
  }
  return placed;
}

function importsOf({ module }: ParseResult, text: string, lineAt: Source['lineAt']): Import[] {
  const areTypes = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every(({ isType }) => isType);
  const fixed = module.staticImports.map(({ start, moduleRequest, entries }) => ({
    specifier: moduleRequest.value,
    line: lineAt(start),
    isOfTypes: areTypes(entries),
  }));
  const passedOn = module.staticExports.flatMap(({ start, entries }) =>
    entries.slice(0, 1).flatMap(({ moduleRequest }) => {
      if (!moduleRequest) return [];
      const isOfTypes = areTypes(entries);
      return [{ specifier: moduleRequest.value, line: lineAt(start), isOfTypes }];
    }),
  );
  const atRunTime = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const literal = /^['"`]([^'"`$]+)['"`]$/.exec(
      text.slice(moduleRequest.start, moduleRequest.end),
    );
    return literal?.[1] ? [{ specifier: literal[1], line: lineAt(start), isOfTypes: false }] : [];
  });
  return [...fixed, ...passedOn, ...atRunTime];
}
