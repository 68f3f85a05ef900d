import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { derivedGuid } from './ids.ts';

test('a derived GUID is a UUIDv5, as in the example of RFC 9562', () => {
  const dns = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';
  assert.equal(derivedGuid(dns, 'www.example.com'), '2ed6657d-e927-568b-95e1-2665a8aea6a2');
});

test('a derived GUID is the one that any other program derives', () => {
  const name = fc.string({ unit: 'binary' }).map((text) => text.toWellFormed());
  fc.assert(
    fc.property(fc.uuid(), name, (namespace, text) => {
      assert.equal(derivedGuid(namespace, text), v5(text, namespace));
      assert.equal(derivedGuid(namespace.toUpperCase(), text), v5(text, namespace));
    }),
  );
});
