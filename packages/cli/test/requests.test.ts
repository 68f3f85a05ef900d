import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { LoggedRequest } from '@servery/contract';
import { servery } from './command.ts';
import { onceLogged } from './logged.ts';
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
    const [request] = await onceLogged(() => platform.json<LoggedRequest[]>(list), isAny);
    assert.equal(request?.operation, 'backOffice.restaurants.list');
    const table = await platform.run(list);
    assert.match(table.out, / scope: .* lacks the scope restaurants\.admin:read/);
    const shown = await platform.run(['requests', 'show', request?.requestId ?? '']);
    assert.match(shown.out, /^status +403$/m);
    assert.doesNotMatch(shown.out, /Bearer ey/);
    const bad = await platform.run(['requests', 'show', 'x']);
    assert.deepEqual([bad.code, bad.out], [2, '']);
    assert.match(bad.err, /"x" is not the GUID of a request\. "servery requests list" shows them/);
  });

  test('servery requests show: says why the body of a payment is not kept', async () => {
    const { baseUrl, restaurants } = platform.demo;
    const merchant = restaurants.find(({ archived }) => !archived)?.guid ?? '';
    const token = (await platform.run(['token', '--client-id', 'partner'])).out.trim();
    const body = '{"encryptedCardData":"unreadable"}';
    const url = `${baseUrl}/ccpartner/v1/merchants/${merchant}/payments/${randomUUID()}`;
    const answer = await fetch(url, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'platform-restaurant-external-id': merchant,
        'content-type': 'application/json',
      },
      body,
    });
    assert.equal(answer.status, 400);
    const list = ['requests', 'list', '--operation', 'creditCards.authorize'];
    const [request] = await onceLogged(() => platform.json<LoggedRequest[]>(list), isAny);
    const shown = await platform.run(['requests', 'show', request?.requestId ?? '']);
    const kept = `[${body.length} bytes not kept: the card of the payment was not read]`;
    assert.ok(shown.out.includes(kept), shown.out);
  });

  test('servery: filters take the names that tables show, and refuse what is none', async () => {
    const made = await platform.run(['groups', 'edit', 'Wrenfield', '--set', 'name="Wren Inns"']);
    assert.equal(made.code, 0, made.err);
    const { name } = await platform.json<{ name: string }>(['clients', 'show', 'operator']);
    for (const who of [name, 'operator', platform.demo.clients.operator.clientId]) {
      const changes = await platform.json<object[]>(['audit', 'list', '--actor', who]);
      assert.ok(changes.length > 0, who);
      const list = ['requests', 'list', '--client', who];
      await onceLogged(() => platform.json<object[]>(list), isAny);
      const found = await platform.json<object[]>(['requests', 'list', '--client', who]);
      assert.ok(found.length > 0, who);
    }
    const nobody = '01234567-0000-4000-8000-000000000000';
    const wrong: readonly (readonly string[])[] = [
      ['requests', 'list', '--client', 'Quayside'],
      ['requests', 'list', '--client', nobody],
      ['requests', 'list', '--person', 'Quayside'],
      ['requests', 'list', '--person', nobody],
      ['requests', 'list', '--operation', 'nonsense'],
      ['requests', 'tail', '--client', 'Quayside'],
      ['audit', 'list', '--actor', 'Quayside'],
      ['audit', 'list', '--actor', nobody],
      ['audit', 'list', '--actor', `person:${nobody}`],
      ['audit', 'list', '--actor', 'system:nobody'],
      ['audit', 'list', '--operation', 'nonsense'],
      ['audit', 'list', '--request', 'nonsense'],
      ['payments', 'list', '--client', 'Quayside'],
      ['stock', 'history', '--by', 'Quayside'],
    ];
    for (const args of wrong) {
      const { code, out, err } = await platform.run(args);
      assert.deepEqual([code, out], [2, ''], `${args.join(' ')}: ${err}`);
      assert.match(err, /"servery \w+ list"|is not an operation/, args.join(' '));
    }
    const near = await platform.run(['requests', 'list', '--operation', 'clock']);
    assert.match(near.err, /Did you mean .* or backOffice\.clock\.get or /);
    for (const part of ['clock', 'import', 'servery', 'start']) {
      const { code, err } = await platform.run(['audit', 'list', '--actor', `system:${part}`]);
      assert.equal(code, 0, err);
    }
    const people = ['requests', 'list', '--person', 'read.only@demo.example'];
    assert.match((await platform.run(people)).err, /No request matches/);
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

const isAny = (held: readonly object[]) => held.length > 0;
