import { posix } from 'node:path';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** Which packages each package may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  webhooks: [],
  pricing: [],
  contract: ['webhooks'],
  client: ['contract', 'webhooks', 'pricing'],
  testing: ['client', 'contract', 'support'],
  console: ['client', 'contract', 'webhooks'],
  mcp: ['client', 'contract', 'webhooks'],
  support: [],
  postgres: ['support'],
  'card-simulator': ['support'],
  server: [
    ...['contract', 'webhooks', 'pricing', 'support', 'postgres', 'card-simulator'],
    ...['client', 'mcp'],
  ],
  cli: ['client', 'contract', 'mcp', 'webhooks', 'support', 'server', 'postgres', 'card-simulator'],
  acceptance: ['client', 'contract', 'webhooks'],
  bench: ['client', 'contract', 'webhooks'],
};

/** What the folders of the server below all features may import of the server. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  support: [],
  freshness: ['support'],
  database: ['support', 'freshness'],
  text: ['support'],
  document: ['support', 'text'],
  reach: ['support', 'database'],
  http: ['support', 'database', 'freshness', 'text', 'document', 'reach'],
};

/** Who may import the configuration: all others get its values as arguments. */
const WIRING = ['boot', 'config', 'main.ts', 'api.ts', 'api'];

/** The only module of the server for other packages. */
const SERVER_API = 'packages/server/src/api.ts';

/** Packages whose types alone are for the product, with what builds the values instead. */
const TYPES_ALONE: Readonly<Record<string, string>> = {
  // It is 370 modules, a fifth of the start of every process that loads it.
  typebox: '`Type` of packages/contract/src/schemas/type.ts',
};

/** A part of the code that arrows lead between: a package, or a folder of the server. */
interface Part {
  readonly pkg: string;
  /** The folder of the server; for other packages, null. */
  readonly folder: string | null;
}

interface Arrow {
  readonly path: string;
  readonly line: number;
  readonly target: string;
  readonly from: Part;
  readonly to: Part;
}

const nameOf = ({ pkg, folder }: Part) => (folder === null ? pkg : `${pkg}/${folder}`);
const keyOf = ({ from, to }: Arrow) => `${nameOf(from)} → ${nameOf(to)}`;

/** Which part a file belongs to; null for tests and tools, which may import everything. */
function partOf(path: string): Part | null {
  const [top = '', name = '', kind = '', folder = ''] = path.split('/');
  if (top !== 'packages') return top in PACKAGES ? { pkg: top, folder: null } : null;
  if (kind !== 'src') return null;
  return { pkg: name, folder: name === 'server' ? folder : null };
}

/** The path that an import leads to, or null when it leads out of the repository. */
function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [, name, rest] = /^@servery\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  const main = name === 'server' ? 'api.ts' : 'index.ts';
  return name ? `packages/${name}/src/${rest ?? main}` : null;
}

/** Holds the arrows between packages and between folders of the server. */
export function checkArrows(sources: readonly Source[]): Finding[] {
  const arrows = sources.flatMap(arrowsOf);
  const wrong = arrows.flatMap((arrow) => {
    const why = faultOf(arrow);
    return why === null ? [] : [{ arrow, why }];
  });
  const keys = new Set(wrong.map(({ arrow }) => keyOf(arrow)));
  const right = arrows.filter((arrow) => !keys.has(keyOf(arrow)));
  return [
    ...wrong.map(({ arrow, why }) => {
      const message = `${keyOf(arrow)} (${arrow.target}): ${why}`;
      return { path: arrow.path, line: arrow.line, rule: 'arrows', message };
    }),
    ...checkFolders(right),
  ];
}

function arrowsOf({ path, imports }: Source): Arrow[] {
  const from = partOf(path);
  if (!from) return [];
  return imports.flatMap(({ specifier, line }) => {
    const target = resolveImport(path, specifier);
    if (target === null || target.endsWith('package.json')) return [];
    const to = partOf(target) ?? { pkg: 'tests and tools', folder: null };
    return nameOf(from) === nameOf(to) ? [] : [{ path, line, target, from, to }];
  });
}

/** Why an arrow is wrong by itself, and what to do instead; null when it may be. */
function faultOf({ target, from, to }: Arrow): string | null {
  if (from.pkg !== to.pkg) {
    if (!PACKAGES[from.pkg]?.includes(to.pkg)) {
      return 'This package may not know that one. Use an argument of its own type instead.';
    }
    return to.pkg === 'server' && target !== SERVER_API
      ? 'Other packages know only api.ts of the server. Use what it exports instead.'
      : null;
  }
  const [folder, other] = [from.folder ?? '', to.folder ?? ''];
  if (LAYERS[folder] && !LAYERS[folder].includes(other)) {
    return 'This layer is below that one. Use an argument of its own type instead.';
  }
  if (other === 'config' && !WIRING.includes(folder)) {
    return 'Only boot knows the configuration. Use an argument instead.';
  }
  return /\/(partner|office)\//.test(target) && folder !== 'boot'
    ? 'These are the handlers of another feature. Use its decisions or its store instead.'
    : null;
}

/** Finds circles of folders of the server; one finding for each. */
function checkFolders(arrows: readonly Arrow[]): Finding[] {
  const inside = arrows.filter(({ from, to }) => from.pkg === to.pkg);
  const byFolder = Map.groupBy(inside, ({ from }) => nameOf(from));
  const targets = [...byFolder].map(
    ([name, all]) => [name, [...new Set(all.map(({ to }) => nameOf(to)))]] as const,
  );
  return circlesIn(new Map(targets)).map((trail) => {
    const [first, second] = trail;
    const arrow = inside.find(({ from, to }) => nameOf(from) === first && nameOf(to) === second);
    const shown = trail.join(' → ');
    const message = `Folders import each other: ${shown}. Use the lower one for what both need.`;
    return { path: arrow?.path ?? '', line: arrow?.line ?? 1, rule: 'circle', message };
  });
}

/** Holds packages that are slow to load to what is gone when the product runs: their types. */
export function checkLoaded({ path, imports, isTest }: Source): Finding[] {
  if (isTest) return [];
  return imports.flatMap(({ specifier, line, isOfTypes }) => {
    const instead = TYPES_ALONE[specifier];
    if (isOfTypes || !instead) return [];
    const message = `\`${specifier}\` is loaded at run time. Use ${instead} instead.`;
    return [{ path, line, rule: 'loaded', message }];
  });
}

/** Finds circles of files that import each other; one finding for each, at its first file. */
export function checkCircles(sources: readonly Source[]): Finding[] {
  const paths = new Set(sources.map(({ path }) => path));
  const imports = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.flatMap(({ specifier }) => {
        const target = resolveImport(path, specifier);
        return target && paths.has(target) ? [target] : [];
      }),
    ]),
  );
  return circlesIn(imports).map((trail) => {
    const [path = ''] = trail;
    const message = `Files import each other: ${trail.join(' → ')}. Use a third file for what both need instead.`;
    return { path, line: 1, rule: 'circle', message };
  });
}

/** The circles of a graph, each as the nodes on the way from one of them back to itself. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const settled = new Set<string>();
  const circles: string[][] = [];
  const walk = (node: string, trail: readonly string[]) => {
    const at = trail.indexOf(node);
    if (at >= 0) circles.push([...trail.slice(at), node]);
    if (at >= 0 || settled.has(node)) return;
    for (const next of graph.get(node) ?? []) walk(next, [...trail, node]);
    settled.add(node);
  };
  for (const node of graph.keys()) walk(node, []);
  return circles;
}
