import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { flatten } from './flat-statement.ts';
import { makeSql, type SqlValue, type Statement } from './sql.ts';

const sql = makeSql(async () => {
  throw new Error('nothing is sent here');
});

function flat({ strings, values }: Statement<readonly unknown[]>) {
  return flatten(strings, values);
}

test('a statement without pieces has its values where they stand', () => {
  assert.deepEqual(flat(sql`select 1`), { text: 'select 1', values: [] });
  assert.deepEqual(flat(sql`select ${1}, ${[2, 3]} where ${null}`), {
    text: 'select $1, $2 where $3',
    values: [1, [2, 3], null],
  });
});

const pieces = {
  leaf: (value: number) => sql`(${value})`,
  pair: (a: SqlValue, b: SqlValue) => sql`[${a} ${b}]`,
  wrapped: (a: SqlValue) => sql`<${a}>`,
};

/** A statement of random pieces in each other. */
const statements = fc.letrec<{ any: Statement<readonly unknown[]>; slot: SqlValue }>((tie) => ({
  slot: fc.oneof(fc.integer(), tie('any')),
  any: fc.oneof(
    { maxDepth: 4 },
    fc.integer().map(pieces.leaf),
    tie('slot').map(pieces.wrapped),
    fc.tuple(tie('slot'), tie('slot')).map(([a, b]) => pieces.pair(a, b)),
  ),
})).any;

/** The same, in another way. */
function plainly({ strings, values }: Statement<readonly unknown[]>, given: unknown[]): string {
  const parts = values.map((value, index) => {
    const isPiece = typeof value === 'object' && value !== null && 'strings' in value;
    const own = isPiece ? plainly(value, given) : `$${given.push(value)}`;
    return own + strings[index + 1];
  });
  return strings[0] + parts.join('');
}

test('pieces in each other are joined, and their values numbered from left to right', () => {
  fc.assert(
    fc.property(statements, (statement) => {
      const given: unknown[] = [];
      const text = plainly(statement, given);
      assert.deepEqual(flat(statement), { text, values: given });
    }),
    { numRuns: 500 },
  );
});
