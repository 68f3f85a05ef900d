import { posix } from 'node:path';
import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

/** A layer. Arrows between layers point down; see ARCHITECTURE.md. */
type Room =
  | 'webhooks'
  | 'contract'
  | 'support'
  | 'postgres'
  | 'card-simulator'
  | 'server-support'
  | 'freshness'
  | 'database'
  | 'http'
  | 'reach'
  | 'text'
  | 'document'
  | 'feature'
  | 'above'
  | 'wiring'
  | 'tests'
  | 'cli'
  | 'acceptance'
  | 'bench'
  | 'tools';

const SERVER = 'packages/server/src/';
const WIRING = ['boot', 'config'];
const BELOW = ['support', 'freshness', 'database', 'http', 'reach', 'text', 'document'];
const ABOVE = ['sandbox', 'group-document', 'metrics', 'whoami'];
const SERVER_ROOMS: readonly Room[] = [
  'webhooks',
  'contract',
  'support',
  'postgres',
  'card-simulator',
  'server-support',
  'freshness',
  'database',
  'http',
  'reach',
  'text',
  'document',
  'feature',
  'above',
  'wiring',
];

/** What every room above them may import. */
const BASE: readonly Room[] = ['support', 'postgres', 'server-support', 'freshness', 'database'];

/** Beside itself, what each room may import. */
const MAY_IMPORT: Readonly<Record<Room, readonly Room[]>> = {
  webhooks: [],
  contract: ['webhooks'],
  support: [],
  postgres: ['support'],
  'card-simulator': ['support'],
  'server-support': ['support'],
  freshness: ['support', 'postgres', 'server-support'],
  database: ['support', 'postgres', 'server-support', 'freshness'],
  reach: ['contract', ...BASE],
  text: ['support', 'server-support'],
  http: ['contract', ...BASE, 'reach', 'text', 'document'],
  document: ['contract', ...BASE, 'text', 'http'],
  feature: ['webhooks', 'card-simulator', 'contract', 'http', ...BASE, 'reach', 'text', 'document'],
  above: [
    'webhooks',
    'card-simulator',
    'contract',
    'http',
    ...BASE,
    'reach',
    'text',
    'document',
    'feature',
  ],
  wiring: SERVER_ROOMS,
  tests: [...SERVER_ROOMS, 'cli'],
  cli: SERVER_ROOMS,
  acceptance: ['contract', 'webhooks'],
  bench: ['contract', 'webhooks'],
  tools: [...SERVER_ROOMS, 'tests', 'cli', 'acceptance', 'bench'],
};

/** Files that only the named ones may import. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  [`${SERVER}main.ts`]: [],
  [`${SERVER}boot/worker-main.ts`]: [],
  [`${SERVER}boot/run.ts`]: [`${SERVER}main.ts`, 'packages/cli/'],
};

/** Packages whose types alone are for the product, with what builds the values instead. */
const TYPES_ALONE: Readonly<Record<string, string>> = {
  // It is 370 modules, a fifth of the start of every process that loads it.
  typebox: '`Type` of packages/contract/src/schemas/type.ts',
};

/** Which room a file stands in, or null outside of them all. */
function roomOf(path: string): Room | null {
  const [top = '', name = '', kind = '', folder = ''] = path.split('/');
  if (top === 'packages' && kind === 'test') return 'tests';
  if (path.startsWith(SERVER)) {
    if (WIRING.includes(folder) || folder.includes('.')) return 'wiring';
    if (ABOVE.includes(folder)) return 'above';
    if (folder === 'support') return 'server-support';
    return BELOW.includes(folder) ? (folder as Room) : 'feature';
  }
  const room = top === 'packages' ? name : top;
  return room in MAY_IMPORT ? (room as Room) : null;
}

/** The path that an import leads to, or null when it leads out of the repository. */
function resolveImport(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  const [, name, rest] = /^@servery\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name ? `packages/${name}/src/${rest ?? 'index.ts'}` : null;
}

/** Holds the arrows between packages and rooms, by reading what a file imports. */
export function checkArrows(source: Source): Finding[] {
  return source.imports.flatMap(({ specifier, line }) => {
    const target = resolveImport(source.path, specifier);
    const message = target && arrowMessage(source, target);
    return message ? [{ path: source.path, line, rule: 'arrows', message }] : [];
  });
}

function arrowMessage({ path, isTest }: Source, target: string): string | null {
  const from = roomOf(path);
  const to = roomOf(target);
  if (!from || !to) return null;
  if (from !== to && !(MAY_IMPORT[from] ?? []).includes(to)) {
    return `${from} imports ${to} (${target}). Use an argument of its own narrow type instead.`;
  }
  const keepers = KEPT[target];
  if (keepers && !isTest && !keepers.some((keeper) => path.startsWith(keeper))) {
    return `${target} is imported from below. Use an argument instead: only wiring knows it.`;
  }
  if (from === 'feature' && to === 'feature' && !isTest && isForeignRoutes(path, target)) {
    return `A feature imports another's routes (${target}). Use its decisions or store instead.`;
  }
  return null;
}

function isForeignRoutes(path: string, target: string): boolean {
  return target.endsWith('/routes.ts') && posix.dirname(path) !== posix.dirname(target);
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
  const known = new Set(sources.map(({ path }) => path));
  const arrows = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.flatMap(({ specifier }) => {
        const target = resolveImport(path, specifier);
        return target && known.has(target) ? [target] : [];
      }),
    ]),
  );
  const settled = new Set<string>();
  const findings: Finding[] = [];
  const walk = (path: string, trail: readonly string[]) => {
    const at = trail.indexOf(path);
    if (at >= 0) findings.push(circle([...trail.slice(at), path]));
    if (at >= 0 || settled.has(path)) return;
    for (const target of arrows.get(path) ?? []) walk(target, [...trail, path]);
    settled.add(path);
  };
  for (const path of known) walk(path, []);
  return findings;
}

function circle(trail: readonly string[]): Finding {
  const [path = ''] = trail;
  const shown = trail.join(' → ');
  const message = `Files import each other: ${shown}. Use a third file for what both need instead.`;
  return { path, line: 1, rule: 'circle', message };
}
