import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** JSON with what a whole run starts in the place of source files, by their paths. */
export const PROGRAMS_VARIABLE = 'SERVERY_TEST_PROGRAMS';

/** What to start for a source file, by its path in the repository. */
export function programFile(source: string): string {
  const programs: Readonly<Record<string, string>> = JSON.parse(
    process.env[PROGRAMS_VARIABLE] ?? '{}',
  );
  return programs[source] ?? path.join(ROOT, source);
}
