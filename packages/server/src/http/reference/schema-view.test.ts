import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, schemaSection, schemasBehind, typeOf } from './schema-view.ts';

const reference = { $ref: '#/components/schemas/Item' };

test('reference: types are words, and a schema that is named is a link', () => {
  const link = '<a href="#schema-Item">Item</a>';
  for (const [schema, words] of [
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: ['number', 'null'], format: 'double' }, 'number or null'],
    [{ type: 'array', items: reference }, `list of ${link}`],
    [{ type: ['array', 'null'], items: { type: 'string' } }, 'list of string or null'],
    [{ anyOf: [reference, { type: 'null' }] }, `${link} or null`],
    [{ const: 'A' }, '&quot;A&quot;'],
  ] as const) {
    assert.equal(typeOf(schema).text, words);
  }
});

test('reference: a field says whether it may be left out, and what it must be', () => {
  const schema = {
    type: 'object',
    required: ['status'],
    properties: {
      status: { type: 'string', description: 'The <status>.', enum: ['IN', 'OUT'] },
      count: { type: 'integer', minimum: 0, maximum: 5_000, default: 1 },
    },
  };
  const text = fieldsOf(schema, '')?.text ?? '';
  assert.match(text, /<code>status<\/code> <span class="soft">string<\/span>/);
  assert.match(text, /The &lt;status&gt;\..*one of IN, OUT\./);
  assert.match(text, /<code>count<\/code> <span class="soft">integer, optional<\/span>/);
  assert.match(text, /at least 0; at most 5,000; 1 by default\./);
  assert.match(schemaSection('Text', { type: 'string', maxLength: 1 }).text, /at most 1 character/);
});

test('reference: a page has every schema that one of its schemas names, and only once', () => {
  const schemas = {
    Page: { type: 'array', items: reference },
    Item: {
      type: 'object',
      properties: { parent: reference, owner: { $ref: '#/components/schemas/Owner' } },
    },
    Owner: { type: 'string' },
    Other: { type: 'string' },
  };
  const asked = { $ref: '#/components/schemas/Page' };
  assert.deepEqual(schemasBehind(asked, schemas), ['Item', 'Owner', 'Page']);
});
