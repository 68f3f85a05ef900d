import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVault } from '@servery/support/secret.ts';
import fc from 'fast-check';
import { ApiError } from './errors.ts';
import { pageTokens } from './paging.ts';

const vault = createVault(Buffer.alloc(32, 7));
const tokens = pageTokens<unknown>(vault, 'configuration');

/** Fails unless the token is refused with a 400. */
function assertRefused(open: () => unknown): void {
  assert.throws(open, (error: unknown) => {
    return error instanceof ApiError && error.errorClass === 'badRequest';
  });
}

const positions = fc.record({
  restaurantGuid: fc.uuid(),
  collection: fc.constantFrom('menuItems', 'printers'),
  lastModified: fc.option(fc.string()),
  afterGuid: fc.uuid(),
  publishNumber: fc.nat(),
});

test('CFG-9 property: a token opens to what was sealed and needs no encoding', () => {
  fc.assert(
    fc.property(positions, (position) => {
      const token = tokens.seal(position);
      assert.match(token, /^[A-Za-z0-9_-]+$/);
      // Generated records have no prototype; on the wire there is only JSON.
      assert.deepEqual(tokens.open(token), JSON.parse(JSON.stringify(position)));
    }),
  );
});

test('CFG-9 PTN-3 property: a token with any changed bit is refused', () => {
  fc.assert(
    fc.property(positions, fc.nat(), fc.integer({ min: 0, max: 7 }), (position, at, bit) => {
      const bytes = Buffer.from(tokens.seal(position), 'base64url');
      const index = at % bytes.length;
      bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
      assertRefused(() => tokens.open(bytes.toString('base64url')));
    }),
  );
});

test('CFG-9 PTN-3 property: a token with any other character is refused, unused bits included', () => {
  const character = fc.constantFrom(...'ABCDwxyz0189-_=+/ \n%é');
  fc.assert(
    fc.property(positions, fc.nat(), character, (position, at, other) => {
      const token = tokens.seal(position);
      const index = at % token.length;
      fc.pre(token[index] !== other);
      assertRefused(() => tokens.open(token.slice(0, index) + other + token.slice(index + 1)));
    }),
  );
});

test('CFG-9 PTN-3 property: a shortened or lengthened token and any other text are refused', () => {
  fc.assert(
    fc.property(positions, fc.nat(), (position, cut) => {
      const token = tokens.seal(position);
      assertRefused(() => tokens.open(token.slice(0, cut % token.length)));
      assertRefused(() => tokens.open(`${token}A`));
      assertRefused(() => tokens.open(`${token}=`));
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => assertRefused(() => tokens.open(text))));
  assertRefused(() => tokens.open('A'.repeat(1_000_000)));
});

test('CFG-9 PTN-3: a token of another list, environment or master key is refused', () => {
  const token = tokens.seal({ afterGuid: 'a' });
  assertRefused(() => pageTokens(vault, 'connectedRestaurants').open(token));
  assertRefused(() => pageTokens(createVault(Buffer.alloc(32, 8)), 'configuration').open(token));
  const elsewhere = createVault(Buffer.alloc(32, 7), 'another');
  assertRefused(() => pageTokens(elsewhere, 'configuration').open(token));
});
