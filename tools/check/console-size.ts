/**
 * Holds the built console to its budget: what the first screen needs, and all of it, gzipped.
 * Exit code 1 if it has grown too large.
 */
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../packages/console/dist/', import.meta.url));
const KIB = 1_000;
/** What people wait for on a phone in a kitchen. The pages of the reference are no part of that. */
const LIMITS = {
  firstScripts: 60 * KIB,
  firstStyles: 12 * KIB,
  all: 180 * KIB,
  reference: 10 * KIB,
};
/** The screen that most people see first. */
const FIRST_SCREEN = 'stock';

const page = readFileSync(path.join(FOLDER, 'index.html'), 'utf8');
const entries = [...page.matchAll(/="\.\/(assets\/[^"]+)"/g)].map(([, file = '']) => file);
const all = globSync('assets/*.{js,css}', { cwd: FOLDER }).map((file) =>
  file.replaceAll('\\', '/'),
);
const screen = all.filter((file) => file.startsWith(`assets/${FIRST_SCREEN}-`));
const first = withImports([...entries, ...screen]);
const sizes = {
  firstScripts: sizeOf(first.filter((file) => file.endsWith('.js'))),
  firstStyles: sizeOf(first.filter((file) => file.endsWith('.css'))),
  all: sizeOf(all.filter((file) => !isOfReference(file))),
  reference: sizeOf(all.filter(isOfReference)),
};
if (screen.length === 0) throw new Error(`the built console has no file of ${FIRST_SCREEN}`);
for (const [name, size] of Object.entries(sizes)) {
  const limit = LIMITS[name as keyof typeof LIMITS];
  const verdict = size <= limit ? 'fits' : 'is too large';
  console.log(`${name}: ${(size / KIB).toFixed(1)} of ${limit / KIB} kB ${verdict}`);
  if (size > limit) process.exitCode = 1;
}

function isOfReference(file: string): boolean {
  return file.startsWith('assets/reference-');
}

/** With the files that they import at once. */
function withImports(files: readonly string[]): string[] {
  const found = new Set(files);
  // A set grows while it is walked.
  for (const file of found) {
    if (!file.endsWith('.js')) continue;
    const script = readFileSync(path.join(FOLDER, file), 'utf8');
    for (const [, name = ''] of script.matchAll(/(?:import|from)\s*["']\.\/([^"']+)["']/g)) {
      found.add(`assets/${name}`);
    }
  }
  return [...found];
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((total, file) => total + statSync(path.join(FOLDER, `${file}.gz`)).size, 0);
}
