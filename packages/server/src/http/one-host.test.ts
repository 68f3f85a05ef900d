import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { requireOneHost } from './one-host.ts';

const told = (httpVersion: string, ...rawHeaders: readonly string[]) => {
  try {
    requireOneHost({ httpVersion, rawHeaders } as unknown as IncomingMessage);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

test('pipeline 400 C9: a request without a host, or with two, is refused', () => {
  assert.equal(told('1.1', 'Accept', '*/*', 'HOST', 'a'), null);
  assert.equal(told('1.1', 'host', ''), null);
  assert.match(told('1.1', 'Accept', 'host') ?? '', /no Host header/);
  assert.match(told('1.1', 'Host', 'a', 'host', 'a') ?? '', /several Host headers/);
  assert.match(told('1.0', 'Host', 'a', 'host', 'a') ?? '', /several Host headers/);
  assert.equal(told('1.0', 'Accept', '*/*'), null);
});
