import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { operations, schemas } from '@servery/contract';
import { configurationDocumentSchema } from '../src/configuration/document/file-schema.ts';
import { readGroupDocument } from '../src/group-document/read-document.ts';
import { groupDocumentSchema } from '../src/group-document/schema.ts';

const docs = (name: string) =>
  readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');

test('group document: the schema for editors is the one that documents are checked with', () => {
  // Written by "npm run docs".
  const published = JSON.parse(docs('group-document.schema.json'));
  assert.deepEqual(published, JSON.parse(JSON.stringify(groupDocumentSchema())));
});

test('configuration document: its schema for editors is the one it is checked with', () => {
  const published = JSON.parse(docs('configuration-document.schema.json'));
  assert.deepEqual(published, JSON.parse(JSON.stringify(configurationDocumentSchema())));
});

test('group document: the example of its page can be imported as it stands there', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(docs('group-document.md')) ?? [];
  const { restaurants, connections } = readGroupDocument(example);
  assert.equal(restaurants.length, 1);
  assert.equal(connections.length, 1);
});

const backOffice = operations.filter((each) => each.interface === 'backOffice');

/** The required fields of a body, as the page names them. */
function bodyText(schema: object): string {
  const required: readonly string[] = Reflect.get(schema, 'required') ?? [];
  return `{${required.map((name) => `"${name}"`).join(', ')}}`;
}

test('backOffice: its page lists every operation with its request and scope', () => {
  const rows = docs('interfaces/back-office.md')
    .split('\n')
    .filter((line) => line.startsWith('| `backOffice.'))
    .map((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, text]) => text));
  const expected = backOffice.map(({ id, method, path, scope, requestBody }) => {
    const shown = path.replace('/backoffice/v1', '').replace(/^(.*\{paymentUuid\})\//, '…/');
    const body = requestBody ? [bodyText(schemas[requestBody.schema])] : [];
    return [id, `${method} ${shown}`, ...body, ...(scope === null ? [] : [scope])];
  });
  assert.deepEqual(rows, expected);
});

const PAGES = [
  'interfaces/back-office.md',
  'restaurants.md',
  'people.md',
  'accounts.md',
  'connections.md',
  'configuration-drafts.md',
  'stock.md',
  'webhooks.md',
];

/** The blocks of the page that its reader pastes into a shell. */
function shellBlocks(page: string): string[] {
  return [...docs(page).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}

test('backOffice: what its pages type into a shell is made there, or where they say', () => {
  const [functions = ''] = shellBlocks('interfaces/back-office.md');
  for (const page of PAGES) {
    const own = shellBlocks(page).join('\n');
    const known = functions + own;
    const made = new Set([...known.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
    const used = [...own.matchAll(/\$\{?([A-Z_]+)/g)].map(([, name]) => name);
    assert.deepEqual(
      used.filter((name) => !made.has(name)),
      [],
      page,
    );
    for (const [, ...texts] of own.matchAll(/\| field (?:"([^"]*)"|'([^']*)'|([^\s)]+))/g)) {
      // As the function of the page puts it together.
      assert.doesNotThrow(() => new Function(`JSON.parse(it).${texts.join('')}`), page);
    }
  }
});

test('backOffice: its pages call every operation once or more', () => {
  const pages = PAGES.map(docs).join('\n');
  const calls = [...pages.matchAll(/\b(get|post|patch|put|delete) "?(\/[^\s"?]*)/g)].map(
    ([, command = '', path = '']) => `${command.toUpperCase()} ${path.replaceAll(/\$\w+/g, '*')}`,
  );
  const named = backOffice.map(
    ({ method, path }) =>
      `${method} ${path.replace('/backoffice/v1', '').replaceAll(/\{\w+\}/g, '*')}`,
  );
  assert.deepEqual([...new Set(calls)].sort(), named.sort());
});
