import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { newDataDir, spawnServer } from './platform.ts';

const masterKey = Buffer.alloc(32, 7).toString('base64');

/** Starts a server that must refuse to, and gives what it said. */
async function refusal(extra: Record<string, string>): Promise<string> {
  const dataDir = await newDataDir();
  const server = spawnServer(dataDir, { settings: extra });
  // Not its exit: what it said last may be read after that.
  const [code] = await once(server.child, 'close');
  await rm(join(dataDir, '..'), { recursive: true, force: true });
  assert.notEqual(code, 0, server.output());
  assert.doesNotMatch(server.output(), /servery ready/);
  return server.output();
}

test('start: a wrong setting refuses, with every fault at once and by name', async () => {
  // At the same time, because most of each is the start of the process.
  const [many, production] = await Promise.all([
    refusal({
      SERVERY_KIND: 'nonsense',
      SERVERY_BRAND: '1 brand',
      SERVERY_RATE_LIMIT_PER_SECOND: '-5',
      DATABASE_URL: 'mysql://elsewhere',
      SERVERY_MASTER_KEY: masterKey,
    }),
    refusal({ SERVERY_KIND: 'production', SERVERY_HOST: '0.0.0.0' }),
  ]);
  for (const name of ['KIND', 'BRAND', 'RATE_LIMIT_PER_SECOND', 'DATABASE_URL']) {
    assert.match(many, new RegExp(name), many);
  }
  assert.doesNotMatch(many, /\bat .+:\d+:\d+/, 'no stack trace for a wrong setting');
  assert.ok(!many.includes(masterKey), 'a secret is never shown');
  assert.match(production, /SERVERY_MASTER_KEY/, 'it has no default secret');
  assert.match(production, /SERVERY_PUBLIC_URL/, 'it knows its address');
  assert.match(
    production,
    /SERVERY_HOST.* would serve plain http/,
    'it is not plain on a public address',
  );
});
