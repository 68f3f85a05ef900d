import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { claimKind } from '../../src/database/environment.ts';
import { createTestDatabase } from '../database.ts';

const { database, drop } = await createTestDatabase();
after(drop);

test('environment: who opens a database first says its kind; the other is refused', async () => {
  await Promise.all([claimKind(database, 'production'), claimKind(database, 'production')]);
  await assert.rejects(claimKind(database, 'sandbox'), /belongs to a production environment/);
  await claimKind(database, 'production');
});
