import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { reservePort } from '../../server/test/reserved-ports.ts';
import { type Ended, servery } from './command.ts';
import { runHere } from './remote-platform.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servery-cli-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('servery processor keeps its port and its ledger to itself, and ends in good order', async () => {
  const urls: string[] = [];
  // One that nobody takes between the runs.
  const port = String(await reservePort());
  const env = { SERVERY_DATA_DIR: folder };
  let second: Promise<Ended> | undefined;
  for (const args of [['--port', port], []]) {
    const { code, out } = await servery(['processor', ...args], {
      env,
      onStart: (child) => {
        child.stdout?.on('data', async () => {
          second ??= runHere(['processor', '--port', '0'], env);
          await second;
          child.kill('SIGTERM');
        });
      },
    });
    assert.equal(code, 0);
    urls.push(/^processor ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(out)?.[1] ?? out);
  }
  assert.deepEqual(urls, Array(2).fill(`http://127.0.0.1:${port}`));
  const { code, err } = (await second) ?? assert.fail('the first one was never ready');
  assert.equal(code, 1);
  assert.match(err, /a processor runs on this ledger already: http/);
});

test('servery processor exits with 2 for a port that is none', async () => {
  const { code, err } = await runHere(['processor', '--port', 'x'], {});
  assert.equal(code, 2);
  assert.match(err, /--port must be a whole number/);
});
