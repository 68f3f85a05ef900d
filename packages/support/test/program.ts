import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The folder of the programs that a whole run starts in the place of their sources. */
export const PROGRAMS_VARIABLE = 'SERVERY_TEST_PROGRAMS';

/** What to start for a source file, by its path in the repository. */
export function programFile(source: string): string {
  const folder = process.env[PROGRAMS_VARIABLE];
  if (!folder) return path.join(ROOT, source);
  return path.join(folder, source.replace(/\.ts$/, '.mjs'));
}
