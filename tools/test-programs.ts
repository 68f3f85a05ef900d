import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROGRAMS_VARIABLE } from '../packages/support/test/program.ts';
import { buildPrograms, PROGRAMS } from './package/programs.ts';

const SERVER = 'packages/server/src/main.ts';

/**
 * Has the tests start what is published, not its sources: a run starts some hundreds of programs,
 * and loading as many modules each is most of their work.
 */
export async function usePrograms(folder: string): Promise<void> {
  await buildPrograms(folder);
  const keyPairs = new URL('test-key-pairs.mjs', import.meta.url);
  const server = 'test-server.mjs';
  await writeFile(
    path.join(folder, server),
    `import '${keyPairs}';\nawait import('./${PROGRAMS[SERVER]}');\n`,
  );
  const files = Object.entries({ ...PROGRAMS, [SERVER]: server }).map(([source, file]) => [
    source,
    path.join(folder, file),
  ]);
  process.env[PROGRAMS_VARIABLE] = JSON.stringify(Object.fromEntries(files));
}
