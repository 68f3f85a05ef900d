import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { findObstacle } from './networks.ts';
import { readTarget } from './read-target.ts';

const production = { allowsLoopback: false };
const sandbox = { allowsLoopback: true };

/** Pieces of which addresses are made, sound ones and odd ones, so that many come close. */
const piece = fc.oneof(
  fc.constantFrom(
    ...[
      'https://',
      'HTTPS://',
      'http://',
      'https:/',
      '//',
      ':',
      '@',
      '/',
      '\\',
      '?',
      '#',
      '.',
      '%',
    ],
    ...['localhost', 'receiver.com', 'xn--mnchen-3ya.de', 'münchen.de', '127.0.0.1', '8.8.8.8'],
    ...['[::1]', '[2606:4700::1111]', '0x7f', '017700000001', '443', '8443', '5432', '\t', ' '],
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const nearly = fc
  .tuple(fc.constantFrom('https://', 'http://'), text)
  .map((parts) => parts.join(''));

test('whatever is read as a target is read again as the same one, and never throws', () => {
  const isSteady = (written: string, rules: typeof production) => {
    const target = readTarget(written, rules);
    if ('refusal' in target) return;
    assert.deepEqual(readTarget(target.url, rules), target);
    const { protocol, hostname, port, username, password, hash } = new URL(target.url);
    assert.equal(protocol, target.isTls ? 'https:' : 'http:');
    assert.equal(hostname.replace(/^\[|\]$/g, ''), target.host);
    assert.equal(port === '' ? (target.isTls ? 443 : 80) : Number(port), target.port);
    assert.equal(username + password + hash, '');
    if (!rules.allowsLoopback) assert.ok(target.isTls);
    const isHere = /^(127\.[\d.]+$|::1$|(.*\.)?localhost$)/.test(target.host);
    if (ipaddr.isValid(target.host) && !isHere) assert.equal(findObstacle(target.host, []), null);
    if (!rules.allowsLoopback || !target.isTls) assert.equal(isHere, rules.allowsLoopback);
  };
  for (const rules of [production, sandbox]) {
    fc.assert(
      fc.property(fc.oneof(text, nearly), (written) => isSteady(written, rules)),
      // Names that begin as an address of this machine does are names.
      { numRuns: 2_000, examples: [['https://127.0.0.1.https'], ['https://127.0.0.1münchen.de']] },
    );
  }
});

test('an address of IPv6 that carries IPv4 is never public, whatever it carries', () => {
  const half = fc.integer({ min: 0, max: 0xffff }).map((number) => number.toString(16));
  const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', '2002:', '2001:0:'];
  const carried = fc.tuple(fc.constantFrom(...prefixes), half, half);
  const isRefused = ([prefix, high, low]: readonly [string, string, string]) => {
    const isWhole = prefix.startsWith('200');
    const address = `${prefix}${high}:${low}${isWhole ? '::' : ''}`;
    assert.notEqual(findObstacle(address, []), null, address);
  };
  fc.assert(fc.property(carried, isRefused), { numRuns: 1_000 });
});

test('an address outside of 2000::/3 is never public', () => {
  const words = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
  const outside = words.filter(([first = 0]) => first < 0x2000 || first > 0x3fff);
  const isRefused = (parts: number[]) => {
    const address = parts.map((part) => part.toString(16)).join(':');
    assert.notEqual(findObstacle(address, []), null, address);
  };
  fc.assert(fc.property(outside, isRefused), { numRuns: 1_000 });
});

test('what receivers are usually called is taken as it is', () => {
  for (const url of [
    'https://receiver.com/',
    'https://receiver.com/hooks/1?key=a%20b&x=%F0%9F%8D%95',
    'https://hooks.eu-west.receiver.co.uk:8443/a',
    'https://a_b.receiver.com/',
    'https://xn--mnchen-3ya.de/hook',
    'https://8.8.8.8/hook',
    'https://[2606:4700::1111]:8443/hook',
  ]) {
    const target = readTarget(url, production);
    assert.ok('url' in target, url);
    assert.equal(target.url, url);
  }
  const idn = readTarget('https://münchen.de', production);
  assert.equal('url' in idn ? idn.url : '', 'https://xn--mnchen-3ya.de/');
});

test('an address has 2,048 letters at most', () => {
  const of = (length: number) => `https://receiver.com/${'x'.repeat(length - 21)}`;
  assert.ok('url' in readTarget(of(2_048), production));
  assert.ok('refusal' in readTarget(of(2_049), production));
  // As it is sent, too.
  const letters = (count: number) => `https://receiver.com/${'🍕'.repeat(count)}`;
  assert.ok('url' in readTarget(letters(168), production));
  assert.ok('refusal' in readTarget(letters(169), production));
});
