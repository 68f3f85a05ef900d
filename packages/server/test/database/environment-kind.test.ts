import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { claimKind } from '../../src/database/environment.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';

let own: TestDatabase;
let database: Database;
before(async () => {
  own = await createTestDatabase();
  ({ database } = own);
});
after(() => own.drop());

test('environment: who opens a database first says its kind; the other is refused', async () => {
  await Promise.all([claimKind(database, 'production'), claimKind(database, 'production')]);
  await assert.rejects(claimKind(database, 'sandbox'), /belongs to a production environment/);
  await claimKind(database, 'production');
});
