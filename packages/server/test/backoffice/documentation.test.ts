import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readGroupDocument } from '../../src/backoffice/group-document/read-document.ts';
import { groupDocumentSchema } from '../../src/backoffice/group-document/schema.ts';

const docs = (name: string) =>
  readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');

test('group document: the schema for editors is the one that documents are checked with', () => {
  // Written by "node tools/docs.ts".
  const published = JSON.parse(docs('group-document.schema.json'));
  assert.deepEqual(published, JSON.parse(JSON.stringify(groupDocumentSchema())));
});

test('group document: the example of its page can be imported as it stands there', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(docs('group-document.md')) ?? [];
  const { restaurants, connections } = readGroupDocument(example);
  assert.equal(restaurants.length, 1);
  assert.equal(connections.length, 1);
});
