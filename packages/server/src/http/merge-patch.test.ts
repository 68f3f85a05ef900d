import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mergePatch } from './merge-patch.ts';

/** The examples of RFC 7396, appendix A: target, patch, result. */
const examples: readonly (readonly [unknown, unknown, unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

test('merge patch: every example of RFC 7396 comes out as it says', () => {
  for (const [target, patch, result] of examples) {
    assert.deepEqual(mergePatch(target, patch), result, JSON.stringify([target, patch]));
  }
});

/** Values as JSON can write them, without minus zero. */
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const hasNull = (value: unknown): boolean =>
  value === null || (isObject(value) && Object.values(value).some(hasNull));

/** The patch that makes one value of another, where there is one (RFC 7396, section 1). */
function difference(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return to;
  const names = new Set([...Object.keys(from), ...Object.keys(to)]);
  const entries = [...names].flatMap((name): [string, unknown][] => {
    if (!Object.hasOwn(to, name)) return [[name, null]];
    if (!Object.hasOwn(from, name)) return [[name, to[name]]];
    return [[name, difference(from[name], to[name])]];
  });
  return Object.fromEntries(entries);
}

test('merge patch: a patch of the difference makes one value of any other', () => {
  fc.assert(
    fc.property(
      json,
      json.filter((value) => !hasNull(value)),
      (from, to) => {
        assert.deepEqual(mergePatch(from, difference(from, to)), to);
      },
    ),
    { numRuns: 500 },
  );
});

test('merge patch: a patch applied again changes nothing, and neither argument is changed', () => {
  fc.assert(
    fc.property(json, json, (target, patch) => {
      const before = JSON.stringify([target, patch]);
      const once = mergePatch(target, patch);
      assert.deepEqual(mergePatch(once, patch), once);
      assert.equal(JSON.stringify([target, patch]), before);
    }),
    { numRuns: 500 },
  );
});

test('merge patch: a name of what objects inherit is a name like any other', () => {
  const patch = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": 1}');
  const merged = mergePatch({}, patch) as Record<string, unknown>;
  assert.deepEqual(Object.keys(merged), ['__proto__', 'constructor']);
  assert.equal(Object.getPrototypeOf(merged), Object.prototype);
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
});
