import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadScenarios } from './registry.ts';

test('every scenario of the table is found, in its order', async () => {
  const names = (await loadScenarios()).map(({ name }) => name);
  const table = [
    ...['read-small', 'read-page', 'read-stock', 'authorize', 'authorize-rsa', 'stock-update'],
    ...['token', 'peers', 'start', 'memory', 'workers', 'webhooks', 'request-log'],
  ];
  assert.deepEqual(
    names.filter((name) => table.includes(name)),
    table,
  );
  assert.equal(new Set(names).size, names.length);
});
