import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { operations } from '@servery/contract';
import { configurationDocumentSchema } from '../src/configuration/document/file-schema.ts';
import { readGroupDocument } from '../src/group-document/read-document.ts';
import { groupDocumentSchema } from '../src/group-document/schema.ts';

const docs = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');

/** A schema without the keywords that only the server reads. */
function publishedOf(schema: object): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => (key.startsWith('~') ? undefined : value)),
  );
}

test('group document: the schema for editors is the one that documents are checked with', () => {
  // Written by "npm run docs".
  const published = JSON.parse(docs('reference/group-document.schema.json'));
  assert.deepEqual(published, publishedOf(groupDocumentSchema()));
});

test('configuration document: its schema for editors is the one it is checked with', () => {
  const published = JSON.parse(docs('reference/configuration-document.schema.json'));
  assert.deepEqual(published, publishedOf(configurationDocumentSchema()));
});

test('group document: the example of its page can be imported as it stands there', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(docs('reference/group-document.md')) ?? [];
  const { restaurants, connections } = readGroupDocument(example);
  assert.equal(restaurants.length, 1);
  assert.equal(connections.length, 1);
});

const backOffice = operations.filter((each) => each.interface === 'backOffice');

const PAGES = [
  'reference/back-office.md',
  'guides/manage-restaurants.md',
  'guides/manage-people.md',
  'guides/manage-api-accounts.md',
  'guides/connect-partners.md',
  'guides/edit-configuration.md',
  'guides/manage-stock.md',
  'guides/run-orders.md',
  'guides/manage-webhook-endpoints.md',
];

/** The blocks of the page that its reader pastes into a shell. */
function shellBlocks(page: string): string[] {
  return [...docs(page).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
}

test('backOffice: what its pages type into a shell is made there, or where they say', () => {
  const [functions = ''] = shellBlocks('reference/back-office.md');
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
