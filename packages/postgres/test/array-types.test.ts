import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../support/test/any-character.ts';
import { parseArray } from '../src/array-types.ts';
import { createEmptyDatabase, type TestDatabase } from './test-database.ts';

let testDatabase: TestDatabase;
before(async () => {
  testDatabase = await createEmptyDatabase();
});
after(() => testDatabase.drop());

/** Anything that PostgreSQL has as text. */
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }).filter((text) => !text.includes('\0')),
  fc.constantFrom('', 'NULL', 'null', ' ', '"', '\\', '{', '}', ',', '{a,"b"}', 'a b', '\n'),
);

test('arrays: texts come back as they were sent, whatever is in them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(anyText)), async (texts) => {
      const [row] = await testDatabase.database.sql<{ texts: string[] }[]>`
        select ${texts}::text[] as texts`;
      assert.deepEqual(row?.texts, texts);
    }),
  );
});

test('arrays: of each type that statements send or read', async () => {
  const { sql } = testDatabase.database;
  const guid = '01a2004a-7109-707e-8455-775cf71edd0f';
  const [row] = await sql`
    select ${[guid, null]}::uuid[] as uuids, ${[1, -2]}::integer[] as integers,
      ${[3]}::smallint[] as smallints, ${['0.50']}::numeric[] as numerics,
      array[]::text[] as none, null::text[] as nothing`;
  assert.deepEqual(
    { ...row },
    {
      ...{ uuids: [guid, null], integers: [1, -2], smallints: [3], numerics: ['0.50'] },
      ...{ none: [], nothing: null },
    },
  );
});

test('arrays: one of two dimensions is refused, not read as something else', () => {
  assert.throws(() => parseArray('{{a,b},{c,d}}', String), /not of one dimension: \{\{a,b/);
  assert.throws(() => parseArray('{"a"b}', String), /not of one dimension/);
});
