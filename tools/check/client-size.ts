/**
 * Holds the client for partners to its budget: each entry as browsers load it, gzipped, with nothing
 * of Node.js in it. Exit code 1 if one has grown too large.
 */
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const SOURCE = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));
const KIB = 1_000;
/** What is loaded at once. The menu has the pricing module of the platform in it. */
const LIMITS = { index: 12 * KIB, menu: 13 * KIB, webhooks: 4 * KIB };

const { outputFiles } = await build({
  entryPoints: Object.keys(LIMITS).map((name) => `${SOURCE}${name}.ts`),
  ...{ bundle: true, splitting: true, minify: true, write: false, outdir: '/' },
  ...{ format: 'esm', platform: 'browser', target: 'es2023', logLevel: 'error', metafile: false },
});
const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
for (const [name, limit] of Object.entries(LIMITS)) {
  const loaded = withImports(`${name}.js`);
  // As one file would be compressed, which is what applications make of it.
  const size = gzipSync(loaded.map((file) => texts.get(file) ?? '').join('\n'), {
    level: 9,
  }).length;
  const verdict = size <= limit ? 'fits' : 'is too large';
  console.log(`${name}: ${(size / KIB).toFixed(1)} of ${limit / KIB} kB ${verdict}`);
  if (size > limit) process.exitCode = 1;
}

/** With the files that it imports at once. */
function withImports(first: string): string[] {
  const found = new Set([first]);
  // A set grows while it is walked.
  for (const file of found) {
    for (const [, name = ''] of (texts.get(file) ?? '').matchAll(
      /(?:import|from)\s*"\.\/([^"]+)"/g,
    )) {
      found.add(name);
    }
  }
  return [...found];
}
