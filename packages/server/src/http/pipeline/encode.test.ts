import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { chooseCoding, encode, entityTag, matchesEntityTag } from './encode.ts';

const bytes = Buffer.from('servery '.repeat(500));

test('encode API-11: br, zstd and gzip are honoured and give back the same bytes', async () => {
  const open = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
  for (const coding of ['br', 'zstd', 'gzip'] as const) {
    assert.equal(chooseCoding(coding, bytes.length), coding);
    const encoded = await encode(bytes, coding);
    assert.ok(encoded.length < bytes.length);
    assert.deepEqual(open[coding](encoded), bytes);
  }
});

test('encode API-11: weights, refusals and unknown codings are read as RFC 9110 says', () => {
  assert.equal(chooseCoding('gzip;q=0.5, br;q=0.9', 5_000), 'br');
  assert.equal(chooseCoding('br;q=0, gzip;q=0', 5_000), 'identity');
  assert.equal(chooseCoding('lzma', 5_000), 'identity');
  assert.equal(chooseCoding(undefined, 5_000), 'identity');
  assert.equal(chooseCoding('br', 100), 'identity');
  assert.equal(chooseCoding('*', 5_000), 'zstd');
});

test('entity tag API-11: strong, and another one for each coding of the same document', () => {
  const tags = (['identity', 'br', 'zstd', 'gzip'] as const).map((c) => entityTag(bytes, c));
  assert.equal(new Set(tags).size, 4);
  for (const tag of tags) assert.match(tag, /^"[\w-]+"$/);
  assert.notEqual(entityTag(Buffer.from('other'), 'identity'), tags[0]);
});

test('entity tag API-11: If-None-Match matches lists, weak forms and *, and nothing else', () => {
  assert.ok(matchesEntityTag('"a", W/"b"', '"b"'));
  assert.ok(matchesEntityTag('*', '"b"'));
  assert.ok(!matchesEntityTag('"a"', '"b"'));
  assert.ok(!matchesEntityTag(undefined, '"b"'));
  assert.ok(!matchesEntityTag('b', '"b"'));
});
