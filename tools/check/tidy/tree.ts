import type { Finding } from './finding.ts';
import type { Source } from './source.ts';

const PAGE = 'ARCHITECTURE.md';
const SERVER = 'packages/server/src/';
/** How deep the folders of the server are named. */
const LEVELS = 2;

/**
 * Compares the folders that ARCHITECTURE.md names in its fenced trees with those that are there:
 * every package, the folders of the server two levels deep, and nothing that doesn't exist.
 */
export function checkTree(sources: readonly Source[]): Finding[] {
  const page = sources.find(({ path }) => path === PAGE);
  if (!page) return [];
  const folders = foldersOf(sources);
  const trees = [...page.text.matchAll(/^```\w*\n(.*?)^```/gms)];
  const words = trees.flatMap(({ 1: tree = '', index }) =>
    [...tree.matchAll(/(?<![\w/.@-])(?:[\w-]+\/)+(?![\w*<])/g)].map((word) => ({
      folder: word[0].slice(0, -1),
      line: page.lineAt(index + word.index) + 1,
    })),
  );
  const named = new Set(words.flatMap(({ folder }) => folder.split('/')));
  const finding = (line: number, message: string): Finding => ({
    ...{ path: PAGE, line, rule: 'tree', message },
  });
  return [
    ...words
      .filter(({ folder }) => !folders.some((path) => `/${path}`.endsWith(`/${folder}`)))
      .map(({ folder, line }) => finding(line, `There is no folder \`${folder}/\`. Use its name.`)),
    ...folders
      .filter((path) => mustBeNamed(path) && !named.has(path.split('/').at(-1) ?? ''))
      .map((path) => finding(1, `No tree names \`${path}/\`. Use a line that says what it is.`)),
  ];
}

function mustBeNamed(path: string): boolean {
  if (/^packages\/[^/]+$/.test(path)) return true;
  return path.startsWith(SERVER) && path.slice(SERVER.length).split('/').length <= LEVELS;
}

/** Every folder that holds a file, at any depth. */
function foldersOf(sources: readonly Source[]): string[] {
  const folders = sources.flatMap(({ path }) => {
    const parts = path.split('/').slice(0, -1);
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(folders)];
}
