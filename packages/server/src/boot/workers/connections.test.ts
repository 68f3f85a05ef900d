import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tooManyConnections } from './connections.ts';

const facts = { workers: 8, databasePool: 10, isEmbedded: true, limit: 97 };

test('workers: where the connections suffice, nothing is said', () => {
  assert.equal(tooManyConnections(facts), null);
  assert.equal(tooManyConnections({ ...facts, limit: 88, isEmbedded: false }), null);
  assert.match(tooManyConnections({ ...facts, limit: 96 })?.found ?? '', /need 97 in all/);
});

test('workers: where a smaller pool fits, it is named, and how many workers fit with this', () => {
  const { found = '', fix = '' } = tooManyConnections({ ...facts, workers: 20 }) ?? {};
  assert.match(found, /need 241 in all, and the embedded PostgreSQL gives 97$/);
  assert.match(fix, /set SERVERY_DATABASE_POOL to 2 or less, or start 8 workers or fewer/);
  assert.equal(tooManyConnections({ ...facts, workers: 20, databasePool: 2 }), null);
  assert.equal(tooManyConnections({ ...facts, workers: 8 }), null);
});

test('workers: where no pool is small enough, none is advised', () => {
  const { fix = '' } = tooManyConnections({ ...facts, workers: 60 }) ?? {};
  assert.doesNotMatch(fix, /or less/);
  assert.match(fix, /start 8 workers or fewer, or 24 with SERVERY_DATABASE_POOL=2/);
  assert.equal(tooManyConnections({ ...facts, workers: 24, databasePool: 2 }), null);
});
