import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { makeTestFolder, removeTestFolder } from '../../../../postgres/test/test-folder.ts';
import { signalOnOutput } from '../../signal-on-output.ts';
import { spawnWorkerGroup } from './worker-group.ts';

/** Each of them makes or begins a whole server. */
const longTimeout = { timeout: 600_000 };

/** What the start that is refused has made there is what the next one begins with. */
let folder: string;
before(async () => {
  folder = await makeTestFolder();
});
after(() => removeTestFolder(folder));

const pidFileOf = (dataDir: string) => path.join(dataDir, 'postgres', 'data', 'postmaster.pid');

test(
  'workers: a start with more connections than the database gives is refused',
  longTimeout,
  async () => {
    const flags = ['--workers', '15', '--database-pool', '50'];
    const begun = await spawnWorkerGroup({ folder, flags });
    try {
      assert.equal(await begun.ended, 1, begun.output());
      const words = 'servery: 15 workers with 50 database connections each need 781 in all';
      assert.match(begun.output(), new RegExp(`${words}, and the embedded PostgreSQL gives 697: `));
      assert.equal(existsSync(pidFileOf(begun.dataDir)), false, 'the database was left behind');
    } finally {
      await begun.remove();
    }
  },
);

test('workers: a second signal ends them and their database at once', longTimeout, async () => {
  const flags = ['--workers', '2', '--processor', 'none'];
  const begun = await spawnWorkerGroup({
    folder,
    flags,
    nodeFlags: signalOnOutput('migrating: 0001', 'SIGTERM'),
  });
  try {
    assert.equal(await begun.ended, 143, begun.output());
    const told = /migrating: 0001-\S+\n(servery: migrating.*\n)*servery: stopping\n/;
    assert.match(begun.output(), told);
    assert.equal(existsSync(pidFileOf(begun.dataDir)), false, 'the database was left behind');
  } finally {
    await begun.remove();
  }
});
