import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { writeDeclarations } from './declarations.ts';
import { publishedManifest, readManifest } from './manifest.ts';
import { ROOT } from './programs.ts';

/**
 * Writes a package for other people's programs: each of its exports as one file of JavaScript with a
 * source map, and its declarations. It depends on nothing.
 */
export async function writeLibrary(source: string, folder: string): Promise<void> {
  const own = readManifest(source);
  const entries = Object.entries(own.exports ?? {}).map(([name, file]) => ({
    // Inside the repository, an export has the name of its source.
    name: name.replace(/\.ts$/, ''),
    file: path.join(source, file),
    stem: path.basename(file, '.ts'),
  }));
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const bundle = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(entries.map(({ stem, file }) => [stem, file])),
    platform: 'neutral',
    external: /^node:/,
  });
  const { output } = await bundle.write({
    dir: path.join(folder, 'dist'),
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[hash].js',
  });
  await bundle.close();
  for (const one of output) {
    const foreign = one.type === 'chunk' && one.moduleIds.find((id) => id.includes('node_modules'));
    if (foreign) throw new Error(`${own.name} would hold ${foreign}: it is to depend on nothing`);
  }
  const declared = await writeDeclarations(
    entries.map(({ file }) => file),
    folder,
  );
  const exported = entries.map(({ name, file, stem }) => [
    name,
    { types: `./${declared.get(file)}`, default: `./dist/${stem}.js` },
  ]);
  const manifest = {
    ...publishedManifest(own),
    sideEffects: false,
    exports: Object.fromEntries(exported),
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
