import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeTestFolder, removeTestFolder } from '../../../postgres/test/test-folder.ts';
import { start } from '../../src/boot/server.ts';
import { readConfig } from '../../src/config/config.ts';
import { checkTransitions } from '../../src/payments/life/check-transitions.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { deleteTransition, insertTransition } from './fixture-store.ts';

let own: TestDatabase;
let folder: string;
before(async () => {
  own = await createTestDatabase();
  folder = await makeTestFolder();
});
after(async () => {
  await own.drop();
  removeTestFolder(folder);
});

const forbidden = { from: 'DENIED', cause: 'approved', to: 'CAPTURED' };
const needed = { from: 'VOID_PENDING', cause: 'voidAcknowledged', to: 'VOIDED' };

test('start PAY-I5: a database that allows other moves of payments is refused, with each', async () => {
  const { database } = own;
  await checkTransitions(database);
  await insertTransition(database.sql, forbidden);
  await deleteTransition(database.sql, needed);
  const settings = {
    DATABASE_URL: own.url,
    SERVERY_DATA_DIR: folder,
    SERVERY_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    SERVERY_PORT: '0',
    SERVERY_PROFILE: 'none',
    SERVERY_PROCESSOR: 'in-process',
    SERVERY_LOG_LEVEL: 'silent',
  };
  await assert.rejects(start(readConfig(settings, [])), (error: Error) => {
    const told = error.message.split('\n').filter((line) => line.startsWith('- '));
    assert.deepEqual(told, [
      '- missing: VOID_PENDING –voidAcknowledged→ VOIDED',
      '- too many: DENIED –approved→ CAPTURED',
    ]);
    return true;
  });
  await deleteTransition(database.sql, forbidden);
  await assert.rejects(checkTransitions(database), /missing: VOID_PENDING/);
  await insertTransition(database.sql, needed);
  await insertTransition(database.sql, forbidden);
  await assert.rejects(checkTransitions(database), /too many: DENIED/);
  await deleteTransition(database.sql, forbidden);
  const platform = await start(readConfig(settings, []));
  await platform.stop();
});
