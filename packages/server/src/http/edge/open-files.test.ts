import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  connectionsWithin,
  filesFor,
  readOpenFilesLimit,
  tooFewFiles,
  usualConnections,
} from './open-files.ts';

test('start: connections follow from the limit of open files, and leave files free', async () => {
  for (const files of [256, 1_024, 20_000]) {
    const connections = connectionsWithin({ files, databasePool: 10 });
    assert.ok(connections >= 80 && connections < files / 2, `${files}: ${connections}`);
    assert.ok(filesFor(connections, 10) <= files);
  }
  assert.equal(usualConnections({ files: null, databasePool: 10 }), 10_000);
  assert.ok(((await readOpenFilesLimit()) ?? 0) > 0, 'the limit of this process is read');
});

test('start: a limit of open files that is too low is told with the one that is needed', () => {
  const low = { files: 256, databasePool: 10 };
  assert.equal(tooFewFiles(low, null), null);
  const text = tooFewFiles(low, 1_000) ?? '';
  assert.match(
    text,
    /1000 connections need 2076 open files .* the limit is 256: raise .*ulimit -n 2076/,
  );
  assert.match(text, /or lower SERVERY_MAX_CONNECTIONS/);
  assert.equal(tooFewFiles({ ...low, files: 2_076 }, 1_000), null);
  assert.match(
    tooFewFiles({ ...low, files: 100 }, null) ?? '',
    /16 connections need 108 open files/,
  );
});
