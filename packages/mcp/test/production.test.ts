import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import type { IssuedApiClientSecret } from '@servery/contract';
import { runHere } from '../../cli/test/remote-platform.ts';
import { type Platform, start } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { overStdio, textOf } from './assistant.ts';

let folder: string;
let platform: Platform;
let operator: Record<string, string>;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-mcp-production-'));
  const env = {
    SERVERY_KIND: 'production',
    SERVERY_MASTER_KEY: randomBytes(32).toString('base64'),
    SERVERY_PUBLIC_URL: 'https://platform.example',
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'silent',
  };
  platform = await start(readConfig(env, []));
  const made = ['clients', 'create', '--local', '--type', 'back-office', '--name', 'A'];
  const { code, out, err } = await runHere([...made, '--scopes', 'all', '--json'], env);
  assert.equal(code, 0, err);
  const { client, clientSecret } = JSON.parse(out) as IssuedApiClientSecret;
  operator = {
    SERVERY_URL: platform.url,
    SERVERY_CLIENT_ID: client.clientId,
    SERVERY_CLIENT_SECRET: clientSecret,
    XDG_CONFIG_HOME: folder,
  };
});
after(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('mcp: in production, nothing moves the clock, pays, or knows of sandboxes', async () => {
  const assistant = await overStdio(['--allow-writes'], operator);
  assert.match(assistant.instructions, /in production/);
  const names = await assistant.names();
  for (const name of ['get_clock', 'set_stock', 'publish_drafts', 'explain_request']) {
    assert.ok(names.includes(name), name);
  }
  const hidden = /clock_|_clock$|sandbox|snapshot|fault|replay|^pay$/;
  assert.deepEqual(
    names.filter((name) => hidden.test(name) && name !== 'get_clock'),
    [],
  );
  const refused = await assistant.try('advance_clock', { duration: 'PT1M' });
  assert.match(textOf(refused), /There is no tool advance_clock for this caller/);
  await assistant.close();
});

test('mcp: production has no /mcp', async () => {
  const { code, out, err } = await runHere(['token'], operator);
  assert.equal(code, 0, err);
  const authorization = `Bearer ${out.trim()}`;
  const { status } = await fetch(`${platform.url}/mcp`, {
    method: 'POST',
    headers: { authorization },
  });
  assert.equal(status, 404);
});
