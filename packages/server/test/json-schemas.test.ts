import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protocolSchemas } from '@servery/card-simulator/protocol.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { configurationDocumentSchema } from '../src/configuration/document/file-schema.ts';
import { groupDocumentSchema } from '../src/group-document/schema.ts';
import { restaurantSchema } from '../src/restaurants/document/info-schema.ts';

const judge = new Ajv2020({ strict: true });

/** Where a schema is none of JSON Schema 2020-12; empty when it is one. */
function faultsOf(schema: object): string[] {
  judge.validateSchema(schema);
  return (judge.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

// The product does not ask this when it starts.
test('what documents and messages are compared with are schemas of JSON Schema 2020-12', () => {
  const documents = [groupDocumentSchema(), configurationDocumentSchema(), restaurantSchema()];
  for (const schema of [...documents, ...protocolSchemas]) assert.deepEqual(faultsOf(schema), []);
});

test('a schema with a keyword of a wrong value is told', () => {
  const schema = { type: 'object', properties: { a: { required: 'b' } } };
  assert.deepEqual(faultsOf(schema), ['/properties/a/required must be array']);
});
