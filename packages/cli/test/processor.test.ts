import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { reservePort } from '../../server/test/reserved-ports.ts';
import { says, servery } from './command.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'servery-cli-'));
});
after(() => rm(folder, { recursive: true, force: true }));

test('servery processor tells its address, keeps its port, and ends in good order', async () => {
  const urls: string[] = [];
  // One that nobody takes between the runs.
  const port = String(await reservePort());
  for (const args of [['--port', port], []]) {
    const { code, out } = await servery(['processor', ...args], {
      env: { SERVERY_DATA_DIR: folder },
      onStart: (child) => {
        child.stdout?.on('data', () => child.kill('SIGTERM'));
      },
    });
    assert.equal(code, 0);
    urls.push(/^processor ready (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(out)?.[1] ?? out);
  }
  assert.deepEqual(urls, Array(2).fill(`http://127.0.0.1:${port}`));
});

test('servery processor leaves a ledger alone that another one has', async () => {
  const ledger = join(folder, 'taken.jsonl');
  const args = ['processor', '--port', '0', '--ledger', ledger];
  await servery(args, {
    onStart: async (child) => {
      await says(child, 'the ledger is');
      const second = await servery(args);
      child.kill('SIGTERM');
      assert.equal(second.code, 1);
      assert.match(second.err, /a processor runs on this ledger already: http/);
    },
  });
});

test('servery processor exits with 2 for a port that is none', async () => {
  const { code, err } = await servery(['processor', '--port', 'x']);
  assert.equal(code, 2);
  assert.match(err, /--port must be a whole number/);
});
