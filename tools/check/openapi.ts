import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openApiDocument, openApiFiles } from '@servery/contract';
import { readArguments, readOrEnd, toggle } from '../../bench/src/command-line.ts';

const line = {
  command: 'npm run openapi',
  about: 'Writes the OpenAPI documents, so that they are what the contract says.',
  words: null,
  flags: { check: toggle('compares instead, and fails when they are not') },
};

/**
 * Writes the OpenAPI documents that the contract derives to packages/contract/openapi. With
 * `--check` it compares instead, and fails when a committed document is not what the contract says.
 */
const folder = fileURLToPath(new URL('../../packages/contract/openapi/', import.meta.url));
const isCheck = readOrEnd(() => readArguments(line, process.argv.slice(2))).values.check;

await mkdir(folder, { recursive: true });
for (const [file, subject] of Object.entries(openApiFiles)) {
  const text = `${JSON.stringify(openApiDocument(subject), null, 2)}\n`;
  if (!isCheck) await writeFile(folder + file, text);
  else compare(file, await readFile(folder + file, 'utf8').catch(() => ''), text);
}
for (const file of (await readdir(folder)).filter((name) => !(name in openApiFiles))) {
  if (isCheck) complain(`${file} is none of the documents`);
  else await rm(folder + file);
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
  process.stderr.write(`packages/contract/openapi/${what}: run "npm run openapi".\n`);
}
