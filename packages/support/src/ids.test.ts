import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import { v5, version } from 'uuid';
import { machineClock } from './clock.ts';
import { derivedGuid, newGuid, parseGuid } from './ids.ts';

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

test('new GUIDs are UUIDv7, each a later one than the one before, and none is made twice', () => {
  const startMs = machineClock.nowMs() + 1;
  mock.timers.enable({ apis: ['Date'], now: startMs });
  const guids = Array.from({ length: 1_000 }, (_, n) => {
    if (n > 0 && n % 100 === 0) mock.timers.tick(1);
    return newGuid();
  });
  mock.timers.reset();
  assert.deepEqual(guids, guids.toSorted());
  assert.equal(new Set(guids).size, guids.length);
  assert.ok(guids.every((guid) => parseGuid(guid) === guid && version(guid) === 7));
  const times = guids.map((guid) => Number.parseInt(guid.replaceAll('-', '').slice(0, 12), 16));
  assert.ok(times.every((time, n) => time === startMs + Math.floor(n / 100)));
  // What is random is not the same for those of one filling, nor from one to the next.
  assert.ok(new Set(guids.map((guid) => guid.slice(-10))).size > 990);
});
