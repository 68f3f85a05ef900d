import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { createVault, Secret } from './secret.ts';

test('Secret: text, JSON and inspection are redacted; only reveal() tells', () => {
  const secret = new Secret('geheim');
  const shown = [
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { showHidden: true }),
  ];
  for (const text of shown) assert.doesNotMatch(text, /geheim/);
  assert.equal(secret.reveal(), 'geheim');
});

test('Vault: what is sealed opens under the same key and context only', () => {
  const key = randomBytes(32);
  const vault = createVault(key);
  const sealed = vault.seal(Buffer.from('private'), 'row:1');
  assert.equal(vault.open(sealed, 'row:1').toString(), 'private');
  assert.equal(createVault(key).open(sealed, 'row:1').toString(), 'private');
  assert.throws(() => vault.open(sealed, 'row:2'));
  assert.throws(() => createVault(randomBytes(32)).open(sealed, 'row:1'), /master key is not/);
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed);
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => vault.open(changed, 'row:1'));
  }
});

test('Vault: digests are the same for the same purpose and key only', () => {
  const key = randomBytes(32);
  const vault = createVault(key);
  assert.deepEqual(vault.digest('a', 'x'), createVault(key).digest('a', 'x'));
  assert.notDeepEqual(vault.digest('a', 'x'), vault.digest('b', 'x'));
  assert.notDeepEqual(vault.digest('a', 'x'), createVault(randomBytes(32)).digest('a', 'x'));
  assert.throws(() => createVault(Buffer.alloc(31)), /31 bytes/);
});
