import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorKind } from './error-kind.ts';

const NUMBER = '4111111111111111';
const CODE = '7391';

test('errorKind PAY-I7: an error is named by its kind, and never by what it says', () => {
  const named = (name: string) => Object.assign(new Error(NUMBER, { cause: CODE }), { name });
  assert.equal(errorKind(named('SocketError')), 'SocketError');
  assert.equal(errorKind(Object.assign(named('Error'), { code: 'ERR_HTTP2_X' })), 'ERR_HTTP2_X');
  for (const name of [NUMBER, `E${CODE}`, `Error: ${NUMBER}`, '4111 1111 1111 1111']) {
    assert.equal(errorKind(named(name)), 'Error', name);
    assert.equal(errorKind(Object.assign(named('Error'), { code: name })), 'Error', name);
  }
  assert.equal(errorKind(NUMBER), 'string');
});
