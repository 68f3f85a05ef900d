import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { LoggedRequest } from '@servery/contract';
import { servery } from './command.ts';
import { type RemotePlatform, runHere, startRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
before(async () => {
  platform = await startRemotePlatform();
});
after(() => platform.stop());

describe('servery requests', () => {
  test('servery requests: why was it refused? By client and status, and all of one', async () => {
    const refused = await platform.run(['restaurants', 'list', '--client-id', 'orders']);
    assert.equal(refused.code, 3);
    const list = ['requests', 'list', '--client', 'orders', '--status', '4xx'];
    const [request] = await eventually(() => platform.json<LoggedRequest[]>(list));
    assert.equal(request?.operation, 'backOffice.restaurants.list');
    const table = await platform.run(list);
    assert.match(table.out, / scope: .* lacks the scope restaurants\.admin:read/);
    const shown = await platform.run(['requests', 'show', request?.requestId ?? '']);
    assert.match(shown.out, /^status +403$/m);
    assert.doesNotMatch(shown.out, /Bearer ey/);
    const bad = await platform.run(['requests', 'show', 'x']);
    assert.deepEqual([bad.code, bad.out], [2, '']);
    assert.match(bad.err, /"x" is no request: write its GUID\. "servery requests list" shows them/);
  });

  test('servery requests tail: a line for each as it comes, until Ctrl-C', async () => {
    const env = { SERVERY_DATA_DIR: platform.dataDir };
    const ended = await servery(
      ['requests', 'tail', '--json', '--operation', 'backOffice.clock.get'],
      {
        env,
        onStart: (child) => {
          // It is known to listen when a request of the kind is shown.
          const ask = () => void runHere(['clock'], env).then(() => !isShown && ask());
          let isShown = false;
          child.stdout?.once('data', () => {
            isShown = true;
            child.kill('SIGINT');
          });
          ask();
        },
      },
    );
    assert.deepEqual([ended.code, ended.err], [130, '']);
    const [first = ''] = ended.out.split('\n');
    assert.equal((JSON.parse(first) as LoggedRequest).operation, 'backOffice.clock.get');
  });

  test('servery: tables fit a terminal of 40 columns, but for what is never broken', async () => {
    const env = { SERVERY_DATA_DIR: platform.dataDir, COLUMNS: '40' };
    const lists = [
      'requests',
      'restaurants',
      'clients',
      'connections',
      'audit',
      'groups',
      'people',
    ];
    for (const list of [...lists.map((name) => [name, 'list']), ['stock', 'list'], ['whoami']]) {
      const { code, out, err } = await runHere(list, env);
      assert.equal(code, 0, err);
      for (const line of out.split('\n')) {
        const longestWord = Math.max(
          ...line
            .trim()
            .split(/ +/)
            .map((word) => word.length),
        );
        const margin = line.length - line.trimStart().length;
        assert.ok(line.length <= 40 || longestWord > 40 - margin - 20, `${list}: ${line}`);
      }
    }
  });
});

/** The log is written a little later than the answer. */
async function eventually<Item>(read: () => Promise<Item[]>): Promise<Item[]> {
  for (let tries = 0; tries < 100; tries += 1) {
    const items = await read();
    if (items.length > 0) return items;
  }
  return [];
}
