import path from 'node:path';
import { PROGRAMS_VARIABLE } from '../packages/support/test/program.ts';
import { buildPrograms, PROGRAMS } from './package/programs.ts';

/**
 * Has the tests start what is published, not its sources: a run starts some hundreds of programs,
 * and loading as many modules each is most of their work.
 */
export async function usePrograms(folder: string): Promise<void> {
  await buildPrograms(folder);
  const files = Object.entries(PROGRAMS).map(([source, file]) => [source, path.join(folder, file)]);
  process.env[PROGRAMS_VARIABLE] = JSON.stringify(Object.fromEntries(files));
}
