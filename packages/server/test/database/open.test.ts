import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { startOwnPostgres } from '../../src/database/open.ts';

test('an embedded database that cannot be started is told with the settings that help', async () => {
  const dataDir = await makeTestFolder();
  try {
    const folder = path.join(dataDir, 'postgres');
    await mkdir(path.join(folder, 'data'), { recursive: true });
    await writeFile(path.join(folder, 'data', 'PG_VERSION'), '14\n');
    await writeFile(path.join(folder, 'password'), 'secret');
    await assert.rejects(
      startOwnPostgres({ dataDir }),
      /made by PostgreSQL 14[\s\S]*SERVERY_DATA_DIR names .* DATABASE_URL/,
    );
  } finally {
    removeTestFolder(dataDir);
  }
});
