import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { arranger, storedForm } from './arrange.ts';

const schema = Type.Object({
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
});
const arrange = arranger(schema);

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

test('a form knows what is arranged: all fields, in their order, and no other, also inside', () => {
  const { isArranged } = storedForm(schema);
  const whole = arrange({ tags: [{ label: 'hot' }], maker: { name: 'Ada' }, prices: { '1': {} } });
  assert.ok(isArranged(whole));
  assert.ok(isArranged(arrange({})));
  const others = [
    null,
    [],
    {},
    { ...(whole as object), age: 3 },
    Object.fromEntries(Object.entries(whole as object).reverse()),
    ...Object.keys(whole as object).map((name) => ({ ...(whole as object), [name]: undefined })),
    { ...(whole as object), entityType: 'Other' },
    { ...(whole as object), tags: [{ label: 'hot' }] },
    { ...(whole as object), tags: {} },
    { ...(whole as object), maker: {} },
    { ...(whole as object), box: {} },
    { ...(whole as object), prices: { '1': { cents: 5 } } },
  ];
  for (const other of others) {
    assert.ok(!isArranged(other), JSON.stringify(other));
    assert.ok(isArranged(arrange(other)), JSON.stringify(other));
  }
});

test('what is left without defaults does not change with a new field, and says the same', () => {
  const size = { type: 'object', properties: { cents: {} } };
  const more = { type: 'object', properties: { cents: {}, note: { default: 'x' } } };
  const formOf = (inner: object, newer: object) =>
    storedForm({
      properties: {
        name: {},
        unit: { default: 'NONE' },
        size: inner,
        sizes: { items: inner },
        byKey: { additionalProperties: inner },
        maybe: { anyOf: [inner, { type: 'null' }] },
        ...newer,
      },
    });
  const before = formOf(size, {});
  const after = formOf(more, { tags: { items: {} }, kind: { default: 'K' }, box: more });
  const stored = [
    {},
    { name: 'Soup', unit: 'LB', size: { cents: 0 }, sizes: [{}, { cents: 5 }, {}] },
    { unit: null, byKey: { a: {}, b: { cents: false } }, maybe: {} },
    { name: '', maybe: { cents: 1 } },
  ].map(before.arrange);
  const texts = stored.map((document) => {
    const left = before.withoutDefaults(document);
    assert.deepEqual(before.arrange(left), document);
    assert.deepEqual(after.withoutDefaults(after.arrange(document)), left);
    return JSON.stringify(left);
  });
  assert.equal(new Set(texts).size, stored.length);
});
