import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('pipeline API-7: addresses of one IPv6 network are one place', () => {
  const cases = [
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:0DB8:1:2::7', '2001:db8:1:2::'],
    ['2001:db8::7', '2001:db8::'],
    ['fe80::1%eth0', 'fe80::'],
    ['::1', '::'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['203.0.113.9', '203.0.113.9'],
    ['no address', 'no address'],
    ['', ''],
  ] as const;
  for (const [address, network] of cases) assert.equal(networkOf(address), network);
});
