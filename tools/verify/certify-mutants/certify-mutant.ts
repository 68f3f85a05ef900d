import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Demo } from '../../../acceptance/src/demo.ts';
import { servery } from '../../../packages/cli/test/command.ts';
import type { Mutant } from './mutants.ts';

const REFERENCE = fileURLToPath(
  new URL('../../../docs/guides/certify/integration.mjs', import.meta.url),
);
/** Below `node_modules`, where an import finds the client. */
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/certify', import.meta.url));

interface Platform {
  readonly baseUrl: string;
  readonly demo: Demo;
}

/** How each scenario ended for an integration: the reference, or one with a mistake. */
export async function certified(
  { baseUrl, demo }: Platform,
  mutant: Mutant | null,
  only?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const file = mutant === null ? REFERENCE : await writeMutant(mutant);
  const { clientId, clientSecret } = demo.clients.operator;
  const names = only === undefined ? [] : ['--only', only.join(',')];
  const command = `"${process.execPath}" "${file}"`;
  const words = ['certify', '--command', command, '--url', baseUrl, '--json', ...names];
  const { out, err } = await servery(words, {
    env: { SERVERY_CLIENT_ID: clientId, SERVERY_CLIENT_SECRET: clientSecret },
  });
  if (out === '') throw new Error(`servery certify said nothing: ${err}`);
  const { checks } = JSON.parse(out) as {
    readonly checks: readonly { readonly title: string; readonly outcome: string }[];
  };
  return new Map(checks.map(({ title, outcome }) => [title.split(':')[0] ?? '', outcome]));
}

async function writeMutant({ name, changes }: Mutant): Promise<string> {
  let source = await readFile(REFERENCE, 'utf8');
  for (const [from, to] of changes) {
    if (!source.includes(from)) throw new Error(`${name}: the reference has no ${from}`);
    source = source.replace(from, () => to);
  }
  await mkdir(FOLDER, { recursive: true });
  const file = path.join(FOLDER, `${name}.mjs`);
  await writeFile(file, source);
  return file;
}
