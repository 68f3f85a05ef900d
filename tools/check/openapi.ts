import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Operation, openApiDocument, openApiFiles, operations } from '@servery/contract';
import { readArguments, readOrEnd, toggle } from '../../bench/src/command-line.ts';

const line = {
  command: 'npm run openapi',
  about: 'Writes the OpenAPI documents and the tables of operations of the client.',
  words: null,
  flags: { check: toggle('compares instead, and fails when they are not') },
};

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = 'packages/contract/openapi/';
const client = 'packages/client/src/';
const isCheck = readOrEnd(() => readArguments(line, process.argv.slice(2))).values.check;

await mkdir(root + documents, { recursive: true });
for (const [file, subject] of Object.entries(openApiFiles)) {
  const text = `${JSON.stringify(openApiDocument(subject), null, 2)}\n`;
  await writeOrCompare(documents + file, text);
}
for (const file of (await readdir(root + documents)).filter((name) => !(name in openApiFiles))) {
  if (isCheck) complain(`${documents}${file} is none of the documents`);
  else await rm(root + documents + file);
}
const isOfOffice = ({ id }: Operation) => id.startsWith('backOffice.');
await writeTable('operations', 'partners and everyone', (one) => !isOfOffice(one));
await writeTable('office-operations', 'the back office', isOfOffice);

/** Writes the module that gives the client the method and path of these operations. */
async function writeTable(
  name: string,
  whose: string,
  isIn: (one: Operation) => boolean,
): Promise<void> {
  const sorted = operations.filter(isIn).toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const rows = sorted.map(
    ({ id, method, path, requestBody }) =>
      `  '${id}': ['${method}', '${path}'${requestBody ? ", 'body'" : ''}],`,
  );
  const table = name.replace(/-(.)/, (_, letter: string) => letter.toUpperCase());
  const text = `// Generated from the contract: run "npm run openapi".

/** Method and path of the operations of ${whose} by their ids, and whether each takes a body. */
export const ${table} = {
${rows.join('\n')}
} as const;
`;
  await writeOrCompare(`${client}${name}.ts`, formatted(text, `${client}${name}.ts`));
}

function formatted(text: string, file: string): string {
  const biome = `${root}node_modules/.bin/biome`;
  const args = ['format', `--stdin-file-path=${file}`];
  const { stdout, stderr, status } = spawnSync(biome, args, {
    cwd: root,
    input: text,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Biome cannot format ${file}: ${stderr}`);
  return stdout;
}

async function writeOrCompare(file: string, text: string): Promise<void> {
  if (isCheck) compare(file, await readFile(root + file, 'utf8').catch(() => ''), text);
  else await writeFile(root + file, text);
}

function compare(file: string, committed: string, derived: string): void {
  if (committed === derived) return;
  const lines = committed.split('\n');
  const at = derived.split('\n').findIndex((line, index) => line !== lines[index]);
  const [was, is] = [lines[at] ?? '', derived.split('\n')[at] ?? ''].map((line) => line.trim());
  complain(`${file}:${at + 1} is "${was}" and should be "${is}"`);
}

function complain(what: string): void {
  process.exitCode = 1;
  process.stderr.write(`${what}: run "npm run openapi".\n`);
}
