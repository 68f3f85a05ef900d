import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorClasses } from '@servery/contract';
import { type RequestHead, requestHeadCheck } from './request-head.ts';

const check = requestHeadCheck('Acme');

/** Status and text of the refusal of a head, as node:http would parse it; null for a sound one. */
const told = (httpVersion: string, ...rawHeaders: string[]) => {
  const headers: Record<string, string> = {};
  for (let at = 0; at < rawHeaders.length; at += 2) {
    headers[rawHeaders[at]?.toLowerCase() ?? ''] ??= rawHeaders[at + 1] ?? '';
  }
  const httpVersionMajor = Number.parseInt(httpVersion, 10);
  const head = { httpVersion, httpVersionMajor, headers, rawHeaders } as RequestHead;
  const error = check(head);
  return error && `${errorClasses[error.errorClass].status} ${error.message}`;
};

test('pipeline 400 API-9: a request without a host, with two, or with a broken one is refused', () => {
  assert.equal(told('1.1', 'Accept', '*/*', 'HOST', 'a'), null);
  for (const host of ['', 'a.example:80', '127.0.0.1:4400', '[::1]:4400', 'a_b', 'a:']) {
    assert.equal(told('1.1', 'host', host), null, host);
  }
  assert.match(told('1.1', 'Accept', 'host') ?? '', /^400 There is no Host header/);
  assert.match(told('1.1', 'Host', 'a', 'host', 'a') ?? '', /^400 There are several host headers/);
  assert.match(told('1.0', 'Host', 'a', 'host', 'a') ?? '', /several host headers/);
  assert.equal(told('1.0', 'Accept', '*/*'), null);
  for (const host of ['a b', 'a/b', 'user@a', '[::1', 'a:b', 'a#']) {
    assert.match(told('1.1', 'Host', host) ?? '', /^400 The Host header is not valid/, host);
  }
});

test('pipeline 400 API-9: a header that may stand once is refused when it stands twice', () => {
  const single = ['Authorization', 'Content-Type', 'Content-Length', 'X-CSRF-Token'];
  for (const name of [...single, 'Last-Event-ID', 'Acme-Restaurant-External-ID']) {
    assert.equal(told('1.1', 'Host', 'a', name, 'x'), null, name);
    const twice = told('1.1', 'Host', 'a', name, 'x', 'Accept', '*/*', name.toLowerCase(), 'x');
    assert.match(twice ?? '', new RegExp(`^400 There are several ${name} headers: send one`, 'i'));
  }
  for (const name of ['Accept-Encoding', 'If-None-Match', 'Cookie', 'X-Forwarded-For']) {
    assert.equal(told('1.1', 'Host', 'a', name, 'x', name, 'y'), null, name);
  }
});

test('pipeline 417 API-9: only 100-continue may be expected, and HTTP/1.0 expects nothing', () => {
  assert.equal(told('1.1', 'Host', 'a', 'Expect', '100-Continue'), null);
  for (const expectation of ['tea', '100-continue, tea', '']) {
    assert.match(told('1.1', 'Host', 'a', 'Expect', expectation) ?? '', /^417 /, expectation);
  }
  assert.equal(told('1.0', 'Expect', 'tea'), null);
});

test('pipeline 505 API-9: another major version of HTTP is refused', () => {
  for (const version of ['0.9', '2.0']) assert.match(told(version, 'Host', 'a') ?? '', /^505 /);
});
