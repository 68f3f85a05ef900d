/**
 * Holds the client for partners to its budget: each entry as browsers load it, gzipped, with nothing
 * of Node.js in it. Exit code 1 if one has grown too large.
 */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

const SOURCE = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));
const KIB = 1_000;
/** What is loaded at once. The menu has the pricing module of the platform in it. */
const LIMITS = { index: 12 * KIB, menu: 13 * KIB, webhooks: 4 * KIB };

const bundle = await rolldown({
  input: Object.fromEntries(Object.keys(LIMITS).map((name) => [name, `${SOURCE}${name}.ts`])),
  platform: 'browser',
  transform: { target: 'es2023' },
});
const { output } = await bundle.generate({
  format: 'esm',
  minify: true,
  entryFileNames: '[name].js',
});
await bundle.close();
const texts = new Map(output.map((one) => [one.fileName, one.type === 'chunk' ? one.code : '']));
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
      /(?:import|from)\s*["'`]\.\/([^"'`]+)["'`]/g,
    )) {
      found.add(name);
    }
  }
  return [...found];
}
