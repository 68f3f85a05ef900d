import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashPassword, hashRandomPassword, isPassword, passwordFault } from './password.ts';

test('password: only the right one opens, and nobody has none', async () => {
  const stored = await hashPassword('correct horse battery');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await isPassword(stored, 'correct horse battery'), true);
  assert.equal(await isPassword(stored, 'correct horse batterY'), false);
  assert.equal(await isPassword(null, 'nobody has this one'), false);
  assert.notEqual(stored, await hashPassword('correct horse battery'), 'a salt of its own');
});

test('password: letters are the same however they were composed', async () => {
  const stored = await hashPassword('cr\u00e8me br\u00fbl\u00e9e');
  assert.equal(await isPassword(stored, 'cre\u0300me bru\u0302le\u0301e'), true);
});

test('password: a random one opens, too, at little cost', async () => {
  const password = randomBytes(18).toString('base64url');
  const stored = await hashRandomPassword(password);
  assert.match(stored, /^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  assert.equal(await isPassword(stored, password), true);
  assert.equal(await isPassword(stored, `${password}A`), false);
});

test('password: what is too weak is told why', () => {
  const faultOf = (password: string) => passwordFault(password, 'ada@example.com');
  assert.equal(faultOf('a fine long sentence'), null);
  assert.match(faultOf('elevenchars') ?? '', /12 to 200/);
  assert.match(faultOf('x'.repeat(201)) ?? '', /12 to 200/);
  assert.match(faultOf('abababababab') ?? '', /5 different/);
  assert.match(faultOf('Ada is my name') ?? '', /email/);
  assert.equal(passwordFault('op password 1', 'op@example.com'), null, 'two letters are no secret');
});
