import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Folders whose test files share a process: most of a short file's time is the start of Node.js and
 * the loading of the same modules. A file in there must not change what belongs to the process, nor
 * await at its top level. The files keep their own databases, hooks, and order.
 */
const FOLDERS = ['packages/server/src', 'packages/server/test/stock'];

/** What is run in the place of `files`, and what removes it again. */
export interface GroupedFiles {
  readonly files: readonly string[];
  remove(): void;
}

/** Has each folder's files run in one process, by a module that is written for this run. */
export function groupFiles(files: readonly string[]): GroupedFiles {
  const folder = mkdtempSync(path.join(tmpdir(), 'servery-groups-'));
  const folderOf = (file: string) => FOLDERS.find((each) => file.startsWith(`${each}/`));
  const groups = FOLDERS.flatMap((each) => {
    const grouped = files.filter((file) => folderOf(file) === each);
    if (grouped.length === 0) return [];
    const group = path.join(folder, `${each.replaceAll('/', '-')}.mjs`);
    const own = JSON.stringify(import.meta.url);
    const list = JSON.stringify(grouped);
    writeFileSync(group, `import { runTogether } from ${own};\nrunTogether(${list});\n`);
    return [group];
  });
  return {
    files: [...groups, ...files.filter((file) => folderOf(file) === undefined)],
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Loads test files, each in a suite by its name: its hooks are for its own tests. */
export function runTogether(files: readonly string[]): void {
  const require = createRequire(import.meta.url);
  for (const file of files) {
    // At once, not by import(): only what runs within the call belongs to the suite.
    describe(file, () => {
      require(path.join(ROOT, file));
    });
  }
}
