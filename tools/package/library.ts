import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import { writeDeclarations } from './declarations.ts';
import { publishedManifest, readManifest } from './manifest.ts';
import { ROOT } from './programs.ts';

export interface LibraryOptions {
  /** Sources that it starts as processes, beside its exports. */
  readonly programs?: readonly string[];
  /** Published packages that it needs, besides those that it imports. */
  readonly needs?: readonly string[];
}

const OWN_URL = /(new URL\('\.\/[^/']+)\.ts(', import\.meta\.url\))/g;

/** In a package, a source lies beside the others as JavaScript. */
const ownUrls: Plugin = {
  name: 'own-urls',
  transform: {
    filter: { code: OWN_URL },
    // Nothing moves.
    handler: (source) => ({ code: source.replaceAll(OWN_URL, '$1.js$2'), map: null }),
  },
};

/**
 * Writes a package for other people's programs: each of its exports as one file of JavaScript with a
 * source map, and its declarations. It depends on no package but those that are published here.
 */
export async function writeLibrary(
  source: string,
  folder: string,
  { programs = [], needs = [] }: LibraryOptions = {},
): Promise<void> {
  const own = readManifest(source);
  const { version, dependencies = {}, peerDependencies = {}, peerDependenciesMeta } = own;
  const outside = Object.keys({ ...dependencies, ...peerDependencies });
  const needed = [...Object.keys(dependencies), ...needs].map((name) => [name, version]);
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
    input: Object.fromEntries([
      ...entries.map(({ stem, file }) => [stem, file]),
      ...programs.map((file) => [path.basename(file, '.ts'), path.join(source, file)]),
    ]),
    platform: 'neutral',
    external: [/^node:/, ...outside.map((name) => new RegExp(`^${name}(/|$)`))],
    plugins: [ownUrls],
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
    outside,
  );
  const exported = entries.map(({ name, file, stem }) => [
    name,
    { types: `./${declared.get(file)}`, default: `./dist/${stem}.js` },
  ]);
  const manifest = {
    ...publishedManifest(own),
    sideEffects: false,
    exports: Object.fromEntries(exported),
    ...(needed.length > 0 && { dependencies: Object.fromEntries(needed) }),
    ...(peerDependenciesMeta && { peerDependencies, peerDependenciesMeta }),
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
