import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { arranger } from './arrange.ts';

const arrange = arranger(
  Type.Object({
    entityType: Type.Literal('Dish'),
    name: Type.String(),
    size: Type.Unsafe({ type: ['integer', 'null'] }),
    unit: Type.String({ default: 'NONE' }),
    tags: Type.Array(Type.Object({ label: Type.String(), weight: Type.Number({ default: 1 }) })),
    maker: Type.Unsafe({ anyOf: [Type.Object({ name: Type.String() }), { type: 'null' }] }),
    box: Type.Object({ open: Type.Boolean({ default: false }) }),
    prices: Type.Unsafe({
      type: 'object',
      additionalProperties: Type.Object({ cents: Type.Integer(), note: Type.String() }),
    }),
  }),
);

test('API-10: every field is there, in the order of the schema, and no other', () => {
  const stored = {
    prices: { '11': { note: 'n', cents: 5 } },
    box: { open: true },
    maker: { name: 'Ada', age: 3 },
    tags: [{ weight: 2, label: 'hot' }],
    unit: 'LB',
    size: 0,
    name: 'Soup',
    entityType: 'Other',
    internal: 'secret',
  };
  assert.equal(
    JSON.stringify(arrange(stored)),
    JSON.stringify({
      entityType: 'Dish',
      name: 'Soup',
      size: 0,
      unit: 'LB',
      tags: [{ label: 'hot', weight: 2 }],
      maker: { name: 'Ada' },
      box: { open: true },
      prices: { '11': { cents: 5, note: 'n' } },
    }),
  );
});

test('API-10: what has no value is the default, empty or null', () => {
  const empty = {
    entityType: 'Dish',
    name: null,
    size: null,
    unit: 'NONE',
    tags: [],
    maker: null,
    box: { open: false },
    prices: {},
  };
  assert.deepEqual(arrange({}), empty);
  assert.deepEqual(arrange(null), empty);
  assert.deepEqual(arrange({ maker: null, size: null }), empty);
});

test('a schema that is neither a value nor a value or null is refused when it is compiled', () => {
  const either = Type.Union([Type.Object({}), Type.Array(Type.String())]);
  assert.throws(() => arranger(either), /only "a value or null"/);
});
