import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FaultList, pathText } from './faults.ts';
import { shapeOf } from './shape.ts';
import { validate } from './validate.ts';

const backOffice = { refusesUnknown: true, lowersGuids: true };

/** The faults of a value, a sentence each. */
function faultsOf(schema: object, value: unknown): string[] {
  const faults = new FaultList();
  validate(value, shapeOf(schema), faults, backOffice);
  return faults.kept.map(({ path, message }) => `${pathText(path) || 'The body'} ${message}`);
}

test('validate: each keyword says what is allowed', () => {
  const rows: readonly (readonly [schema: object, wrong: unknown, told: string])[] = [
    [{ type: 'boolean' }, 1, 'must be true or false'],
    [
      { type: ['string', 'null'] },
      1,
      'must be a string or null: put it in quotation marks, for example "4000"',
    ],
    [{ type: ['boolean', 'null'] }, 1, 'must be true, false or null'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'object', properties: {} }, [], 'must be an object'],
    [{ type: 'string', enum: ['a', 'b', null] }, 'c', 'must be one of a, b'],
    [{ type: 'string', const: 'a' }, 'b', 'must be a'],
    [{ type: 'string', minLength: 1, maxLength: 9 }, '', 'must have 1 to 9 characters'],
    [{ type: 'string', maxLength: 2 }, 'abc', 'has 3 characters; at most 2 are allowed'],
    [{ type: 'string', pattern: '^a$' }, 'b', 'must match ^a$'],
    [{ type: 'string', pattern: '^a$', '~must': 'be an a' }, 'b', 'must be an a'],
    [{ type: 'string', format: 'date' }, '2026-02-30', 'must be a date, for example 2026-01-31'],
    [
      { type: 'string', format: 'duration' },
      '5 min',
      'must be a duration, for example PT5M or P1DT2H',
    ],
    [{ type: 'number', minimum: 1, maximum: 2 }, 3, 'must be from 1 to 2'],
    [{ type: 'number', minimum: 1 }, 0, 'must be at least 1'],
    [{ type: 'number', exclusiveMinimum: 0 }, 0, 'must be greater than 0'],
    [{ type: 'array', maxItems: 1 }, [1, 2], 'has 2 elements; at most 1 are allowed'],
    [{ type: 'array', minItems: 1 }, [], 'must have at least 1 element'],
    [
      { type: 'array', uniqueItems: true },
      ['b', 'a', 'a'],
      'must not have an element twice, as at 1 and 2',
    ],
  ];
  for (const [schema, wrong, told] of rows) {
    assert.deepEqual(faultsOf(schema, wrong), [`The body ${told}`], JSON.stringify(schema));
  }
});

test('validate: null and a field that the handler demands count as absent', () => {
  const properties = {
    note: { type: 'string', '~nullIsAbsent': true },
    key: { type: 'string', '~mayBeAbsent': true },
    name: { type: 'string' },
  };
  const schema = { type: 'object', properties, required: ['key', 'name'] };
  const value = { note: null, name: 'x' };
  assert.deepEqual(faultsOf(schema, value), []);
  assert.deepEqual(value, { name: 'x' });
  assert.deepEqual(faultsOf(schema, { key: null, name: 'x' }), ['key must be a string']);
});

test('validate: null is allowed where the server alone allows it', () => {
  const schema = { type: 'object', properties: { urls: { type: 'object', '~mayBeNull': true } } };
  const value = { urls: null };
  assert.deepEqual(faultsOf(schema, value), []);
  assert.deepEqual(value, { urls: null });
});

test('validate: one of several formats has to fit, and one that the handler checks may be any', () => {
  const formats = { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }], '~must': 'be an address' };
  const schema = { type: 'string', ...formats };
  for (const address of ['192.0.2.1', '2001:db8::1'])
    assert.deepEqual(faultsOf(schema, address), []);
  for (const text of ['192.0.2', 'fe80::1%eth0']) {
    assert.deepEqual(faultsOf(schema, text), ['The body must be an address']);
  }
  const asSent = { type: 'string', format: 'date-time', '~reads': 'asSent' };
  assert.deepEqual(faultsOf(asSent, 'yesterday'), []);
  assert.equal(faultsOf(asSent, 'x'.repeat(256)).length, 1);
});

test('validate: of two schemas one has to fit', () => {
  const branch = (maxLength: number) => ({
    type: 'object',
    properties: { text: { type: 'string', maxLength } },
  });
  const schema = { anyOf: [branch(2), branch(4), { type: 'null' }] };
  assert.deepEqual(faultsOf(schema, { text: 'abcd' }), []);
  assert.deepEqual(faultsOf(schema, null), []);
  assert.equal(faultsOf(schema, { text: 'abcde' }).length, 1);
  assert.deepEqual(faultsOf(schema, 7), ['The body must be an object or null']);
});

test('validate: stored texts keep every character that fits', () => {
  const note = { type: 'string', maxLength: 21, '~reads': 'words' };
  const schema = {
    type: 'object',
    properties: { note, name: { ...note, '~reads': 'wholeWords' } },
  };
  const value = { note: '😀'.repeat(21) };
  validate(value, shapeOf(schema), new FaultList(), backOffice);
  assert.equal(value.note, '😀'.repeat(21));
  value.note = '😀 4111 1111 1111 1111';
  validate(value, shapeOf(schema), new FaultList(), backOffice);
  assert.equal(value.note, '😀 [card number remove');
  value.note = 'cut \ud83d';
  validate(value, shapeOf(schema), new FaultList(), backOffice);
  assert.equal(value.note, 'cut \ufffd');
  assert.deepEqual(faultsOf(schema, { name: 'cut \ud83d' }), [
    'name has half of a surrogate pair (\\ud800 to \\udfff); write both halves',
  ]);
});

test('validate: what is wrong or missing is told with what may be sent', () => {
  const status = { type: 'string', enum: ['IN_STOCK', 'OUT_OF_STOCK'] };
  const item = { type: 'string', format: 'uuid' };
  const place = { type: 'object', properties: { item }, required: ['item'] };
  const schema = {
    type: 'object',
    properties: {
      ...{ status, item: { ...item, type: ['string', 'null'] }, place },
      states: { type: 'array', items: status, maxItems: 2 },
      share: { type: 'number', '~must': 'be a fraction from 0 to 1' },
    },
    required: ['status'],
  };
  const wrong = { item: 7, place: 7, states: 'x', share: 'half' };
  assert.deepEqual(faultsOf(schema, wrong), [
    'status is required and missing: send one of IN_STOCK, OUT_OF_STOCK',
    'item must be null or a GUID, for example 0b8f0ee5-7f0d-4b1c-9d38-3c8a2f5f3b11',
    'place must be an object with item',
    'states must be a list of at most 2 strings from IN_STOCK, OUT_OF_STOCK',
    'share must be a fraction from 0 to 1',
  ]);
  assert.deepEqual(faultsOf(schema, { status: 7 }), [
    'status must be one of IN_STOCK, OUT_OF_STOCK',
  ]);
});

test('validate: absent fields get their default, and texts are read as the schema says', () => {
  const schema = {
    type: 'object',
    properties: {
      legacy: { type: 'boolean', default: false, '~fills': true },
      kept: { type: 'boolean', default: false },
      note: { type: ['string', 'null'], maxLength: 40, '~reads': 'words' },
      email: { type: 'string', maxLength: 254, '~reads': 'email' },
    },
  };
  const value = { note: ' call 4111 1111 1111 1111 ', email: ' Ada@Example.com' };
  validate(value, shapeOf(schema), new FaultList(), backOffice);
  assert.deepEqual(Object.keys(value), ['note', 'email', 'legacy']);
  assert.equal(value.email, 'ada@example.com');
  assert.doesNotMatch(value.note, /4111/);
  assert.deepEqual(faultsOf(schema, { note: ' ' }), ['note must have 1 to 40 characters']);
  assert.deepEqual(faultsOf(schema, { email: 'ada' }), [
    'email must be an email address, for example ada@example.com',
  ]);
});

test('validate: looking comes to an end where every value is wrong', () => {
  const schema = { type: 'array', items: { type: 'string' }, maxItems: 10_000 };
  const faults = new FaultList(5_000);
  validate(
    Array.from({ length: 10_000 }, () => 7),
    shapeOf(schema),
    faults,
    backOffice,
  );
  assert.equal(faults.count, 5_000);
  assert.equal(faults.areOfElements, false, 'what was not looked at is not sound');
  assert.equal(faults.isSound([9_999]), false);
});

test('validate: sound elements are known beside faulty ones', () => {
  const schema = {
    type: 'array',
    items: { type: 'object', required: ['a'], properties: { a: {} } },
  };
  const faults = new FaultList();
  validate([{ a: 1 }, {}, { a: 1, b: 2 }], shapeOf(schema), faults, backOffice);
  assert.equal(faults.areOfElements, true);
  assert.deepEqual(
    [0, 1, 2].map((index) => faults.isSound([index])),
    [true, false, false],
  );
});
