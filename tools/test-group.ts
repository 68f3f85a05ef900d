import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** The files of a place share processes: those that begin with the same words. */
const PLACES = [
  // Beside what they test: they need nothing that runs.
  /^packages\/(?=[^/]+\/src\/)/,
  /^packages\/(server|cli|client|testing|card-simulator|console|mcp|pricing|webhooks)\/test\//,
  /^acceptance\/src\//,
  /^bench\/src\//,
  /^tools\/check\/docs\//,
  /^tools\/verify\//,
];

/** The files there await at their top level, so they can't be loaded within a suite. */
const AWAITING = /^acceptance\//;

/** Places whose files run with those of another, which load the same modules. */
const WITH: Readonly<Record<string, string>> = {
  'packages/testing/test/': 'packages/client/test/',
  'packages/mcp/test/': 'packages/client/test/',
  'tools/check/docs/': 'packages/client/test/',
};

/** More of them would be one long process at the end, or too long for the limit of a file. */
const MOST_FILES = 64;

/** Files there that keep their own process. */
const APART = new Set([
  // They await at their top level, so they can't be loaded within a suite.
  'packages/cli/src/data-dir.test.ts',
  'packages/server/test/http/discard.test.ts',
  'tools/verify/certify-mutants.test.ts',
  'tools/verify/conform-faults.test.ts',
  // They need a PostgreSQL that no other file uses.
  'packages/cli/test/doctor.test.ts',
  'packages/server/test/freshness/crash.test.ts',
  // It takes half a minute: a start is nothing to it.
  'packages/server/test/access/access-matrix.test.ts',
]);

/** What is begun first, the longest: at the end, all processors should have something to do. */
const LONGEST = [
  /^acceptance\//,
  /^packages\/server\/test\/access\/access-matrix/,
  /^packages\/console\//,
  /^packages\/(cli|client|mcp)\/test\//,
  /^tools\/verify\//,
  /^packages\/server\/test\//,
  /^tools\/measure\//,
  /^packages\/postgres\/test\//,
];

/** What is run in the place of `files`, and what removes it again. */
export interface GroupedFiles {
  readonly files: readonly string[];
  remove(): void;
}

/**
 * Has the test files of each folder of these places run in one process, by a module that is written
 * for this run: most of a short file's time is the start of Node.js and the loading of the same
 * modules. A file there must not change what belongs to the process. Each keeps its own database,
 * hooks, and order.
 */
export function groupFiles(files: readonly string[]): GroupedFiles {
  const written = mkdtempSync(path.join(tmpdir(), 'servery-groups-'));
  const placeOf = (file: string) => {
    const place = APART.has(file) ? null : PLACES.map((each) => each.exec(file)?.[0]).find(Boolean);
    return place ? (WITH[place] ?? place) : file;
  };
  const groups = [...Map.groupBy(files, placeOf)].flatMap(([place, all]) =>
    split(all, MOST_FILES).map((group, index) => {
      const name = group.length === 1 ? place : `${place}${index + 1}`;
      return writeGroup(path.join(written, `${rankOf(group)}`, `${name}.mjs`), group);
    }),
  );
  return { files: groups, remove: () => rmSync(written, { recursive: true, force: true }) };
}

/** The runner sorts its files by their names. */
function rankOf([file = '']: readonly string[]): number {
  const rank = LONGEST.findIndex((each) => each.test(file));
  return rank < 0 ? LONGEST.length : rank;
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

/** Loads test files one after the other, then runs their tests. */
export async function runInTurn(files: readonly string[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Where nothing is left to run, a file that comes later is over as it begins: so are its hooks.
  if (files.length > 1) before(() => promise);
  try {
    for (const file of files) await import(path.join(ROOT, file));
  } finally {
    resolve();
  }
}

function split(files: readonly string[], most: number): readonly string[][] {
  const count = Math.ceil(files.length / most);
  return Array.from({ length: count }, (_, part) =>
    files.filter((_file, index) => index % count === part),
  );
}

function writeGroup(module: string, files: readonly string[]): string {
  const following = new URL('test-following.ts', import.meta.url);
  const keyPairs = new URL('test-key-pairs.mjs', import.meta.url);
  // A file alone needs no suite.
  const isInTurn = files.length === 1 || files.some((file) => AWAITING.test(file));
  const run = isInTurn ? 'runInTurn' : 'runTogether';
  mkdirSync(path.dirname(module), { recursive: true });
  writeFileSync(
    module,
    `import { endFollowing } from '${following}';
import '${keyPairs}';
const { ${run} } = await import('${import.meta.url}');
await ${run}(${JSON.stringify(files)});
endFollowing();
`,
  );
  return module;
}
