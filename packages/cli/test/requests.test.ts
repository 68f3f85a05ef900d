import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import type { LoggedRequest, ReplayedRequest } from '@servery/contract';
import { servery } from './command.ts';
import { onceLogged } from './logged.ts';
import { type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
useRemotePlatform((shared) => {
  platform = shared;
});

describe('servery requests', () => {
  test('servery requests: why was it refused? By client and status, and all of one', async () => {
    const refused = await platform.run(['restaurants', 'list', '--client-id', 'orders']);
    assert.equal(refused.code, 3);
    const list = ['requests', 'list', '--client', 'orders', '--status', '4xx'];
    const [request] = await platform.json<LoggedRequest[]>(list);
    assert.equal(request?.operation, 'backOffice.restaurants.list', 'a sandbox shows it at once');
    const table = await platform.run(list);
    assert.match(table.out, / scope: .* lacks the scope restaurants\.admin:read/);
    const shown = await platform.run(['requests', 'show', request?.requestId ?? '']);
    assert.match(shown.out, /^status +403$/m);
    assert.doesNotMatch(shown.out, /Bearer ey/);
    const bad = await platform.run(['requests', 'show', 'x']);
    assert.deepEqual([bad.code, bad.out], [2, '']);
    assert.match(bad.err, /"x" is not the GUID of a request\. "servery requests list" shows them/);
  });

  test('servery faults add: refusals name flags, and the list of requests names the fault', async () => {
    const add = (...words: string[]) => platform.run(['faults', 'add', ...words]);
    const unfit = await add('latency', '--code', '05');
    assert.equal(unfit.code, 3);
    assert.match(unfit.err, /: --code does not go with latency, which takes --duration\./);
    const typo = await add('latncy');
    assert.deepEqual([typo.code, typo.out], [2, '']);
    assert.match(
      typo.err,
      /<fault> "latncy" is unknown\. Did you mean "latency"\? "servery faults add --help" shows all\./,
    );
    const [restaurant] = platform.demo.restaurants;
    const place = ['--client', 'partner', '--restaurant', restaurant?.name ?? ''];
    const named = await add('hang', '--operation', 'stock.update', ...place);
    assert.match(named.out, / stock\.update, Demo partner, The \w+/, named.err);
    const guid = named.out.split('\n')[1]?.split(' ')[0] ?? '';
    assert.equal((await platform.run(['faults', 'remove', guid])).code, 0);
    const status = await add('status', '--status', '402');
    assert.deepEqual([status.code, status.out], [2, '']);
    assert.match(status.err, /--status "402" cannot be injected\. Use one of 400, 401, .*503\./);
    assert.match(
      (await platform.run(['faults', 'add', '--help'])).out,
      /for status: 400, 401, 403/,
    );
    const unlike = await add('hang', '--operation', 'stock.updte');
    assert.match(unlike.err, /is not an operation\. Did you mean "stock\.update"/);
    const operation = ['--operation', 'backOffice.clock.get'];
    const list = ['requests', 'list', ...operation];
    const added = await add('latency', '--duration', 'PT0.01S', ...operation);
    assert.equal(added.code, 0, added.err);
    assert.equal((await platform.run(['clock'])).code, 0);
    await onceLogged(() => platform.json<LoggedRequest[]>(list), isAny);
    const { out } = await platform.run(list);
    assert.match(out, /^at +.* request +fault$/m);
    assert.match(out, / backOffice\.clock\.get .* latency=PT0\.01S$/m);
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

  test('servery requests replay: into a copy that explains it, and with other values', async () => {
    const { baseUrl, restaurants } = platform.demo;
    const restaurant = restaurants.find(({ archived }) => !archived)?.guid ?? '';
    const token = (await platform.run(['token', '--client-id', 'partner'])).out.trim();
    const answer = await fetch(`${baseUrl}/stock/v1/inventory/search`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'platform-restaurant-external-id': restaurant,
        'content-type': 'application/json',
      },
      body: '{"guids":[]}',
    });
    const replay = ['requests', 'replay', answer.headers.get('platform-request-id') ?? ''];
    const narrow = { SERVERY_DATA_DIR: platform.dataDir, COLUMNS: '40' };
    const copied = await runHere(replay, narrow);
    assert.equal(copied.code, 0, copied.err);
    assert.match(
      copied.out,
      /^200 in replay-[0-9a-f]{8}\nrequest\n?.*\n\[\]\nThe responses are alike\.$/m,
    );
    const [, command = '', name = ''] =
      /^ {2}servery (explain \S+ --sandbox (\S+))$/m.exec(copied.out) ?? [];
    const explained = await platform.run(command.split(' '));
    assert.match(explained.out, /^stock\.search 200$/m, explained.err);
    const inside = await platform.run([
      ...replay.slice(0, 2),
      command.split(' ')[1] ?? '',
      '--sandbox',
      name,
      '--into',
      name,
    ]);
    assert.match(inside.out, new RegExp(`^200 in ${name}$`, 'm'), inside.err);
    const beside = ['--sandbox', name, '--into', 'main'];
    const across = await platform.run([
      ...replay.slice(0, 2),
      command.split(' ')[1] ?? '',
      ...beside,
    ]);
    assert.equal(across.code, 3);
    assert.match(
      across.err,
      new RegExp(`only into itself \\(--into ${name}\\) or into a new copy`),
    );
    const dropped = await platform.run(['sandbox', 'drop', name]);
    assert.equal(dropped.code, 0, dropped.err);
    const into = [...replay, '--into', 'main'];
    const differs = await runHere([...into, '--set', 'guids=[1]', '--diff'], narrow);
    assert.equal(differs.code, 5, differs.err);
    assert.match(differs.out, /^place {3}status\nbefore {2}200\nafter {3}400$/m);
    // Whole values, in lines that break between words.
    assert.match(differs.out.replaceAll(/\s+/g, ' '), / after \{ "[^{]*"message": "[^"]{50,}"/);
    const long = differs.out.split('\n').filter((line) => line.length > 40);
    for (const line of long) assert.match(line.trim(), /^(after +|servery explain )?\S+$/);
    assert.match(differs.out, /^ {2}servery explain [0-9a-f-]{36}$/m);
    const hinted = await platform.run([...into, '--set', 'guids=x']);
    assert.match(hinted.out, /--diff shows \d+ differences\.$/m);
    const { into: where } = await platform.json<ReplayedRequest>([...into, '--set', 'Accept=text']);
    assert.equal(where, 'main');
    for (const [code, says, ...args] of [
      [2, /--set "x" is not an assignment\. Use place=value/, '--set', 'x'],
      [3, /fields of the body guids, multiLocationIds/, '--set', 'identifiers=1'],
      [2, /--card is not a test card.* "servery cards" lists them all/, '--card', 'Aproved 3'],
      [3, /card must be left out/, '--card', 'Approved'],
      [2, /There is no sandbox nowhere: there is main\./, '--into', 'nowhere'],
    ] as const) {
      const refused = await platform.run([...replay, ...args]);
      assert.equal(refused.code, code, refused.err);
      assert.match(refused.err, says);
    }
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
    const people = ['requests', 'list', '--person', 'partner.developer@demo.example'];
    assert.match((await platform.run(people)).err, /No request matches/);
    await platform.json(['groups', 'edit', 'Wren Inns', '--set', 'name="Wrenfield Hospitality"']);
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
