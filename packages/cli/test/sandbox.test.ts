import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';
import { exampleOf, type FaultRules, type SandboxPage, type SchemaName } from '@servery/contract';
import { runHere } from './remote-platform.ts';

const NAMES = ['main', 'pull-42', 'other'];

/** A request as the platform got it: who sent it to which environment, and what. */
interface Seen {
  readonly account: string;
  readonly place: string;
  readonly request: string;
  readonly body: unknown;
}

let seen: Seen[] = [];
/** What the main environment answers to `METHOD path`. */
let answers: Record<string, readonly [status: number, body: unknown]> = {};

/** A platform with its sandboxes. Each environment knows only its own secrets. */
const server = createServer(async (request, response) => {
  const [, place = 'main', target = ''] =
    /^(?:\/sandboxes\/([^/]+))?(\/.*)$/.exec(request.url ?? '') ?? [];
  const reply = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (!NAMES.includes(place)) {
    request.resume();
    return reply(404, refusal(404, `There is no sandbox ${place}. There are: other, pull-42.`));
  }
  if (target === '/oauth/token') return reply(...(await tokenFor(request, place)));
  const account = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const body = request.method === 'GET' ? await textOf(request) : await bodyOf(request);
  seen.push({ account, place, request: `${request.method} ${target}`, body });
  if (!account.endsWith(`@${place}`)) return reply(401, refusal(401, 'The token is not of here.'));
  if (target === '/backoffice/v1/clock') return reply(200, clock);
  if (target.startsWith('/backoffice/v1/webhooks/endpoints')) return reply(200, emptyPage);
  if (target === '/backoffice/v1/whoami') return reply(200, { grants: [] });
  reply(...(answers[`${request.method} ${target}`] ?? [404, refusal(404, 'Nothing is here.')]));
});

const emptyPage = { results: [], nextPageToken: null };
const clock = {
  now: '2026-03-29T01:30:00.000Z',
  mode: 'FROZEN',
  realNow: '2026-03-29T01:30:00.000Z',
  isMovable: true,
  nextDeadline: null,
};
const refusal = (status: number, message: string) => ({ status, code: 10003, message, errors: [] });

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const text = await textOf(request);
  return text === '' ? null : JSON.parse(text);
}

/** The secret of an account is the name of its environment. */
async function tokenFor(request: IncomingMessage, place: string): Promise<[number, object]> {
  request.resume();
  const pair = atob(request.headers.authorization?.replace('Basic ', '') ?? '').split(':');
  const [account = '', secret] = pair.map(decodeURIComponent);
  if (secret !== `svs_${place}`) {
    return [401, { error: 'invalid_client', error_description: 'The secret is wrong.' }];
  }
  return [200, { access_token: `${account}@${place}`, token_type: 'Bearer', expires_in: 60 }];
}

let url: string;
let root: string;
let folder: string;
before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'servery-cli-sandbox-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = await mkdtemp(path.join(root, 'settings-'));
  seen = [];
  answers = { 'POST /backoffice/v1/sandboxes': [201, created('pull-42')] };
});

const example = <Body>(schema: SchemaName) => exampleOf({ schema, array: false }, 'X') as Body;

interface Created {
  readonly name: string;
  readonly baseUrl: string;
  readonly expiresAt: string;
  readonly demo: { readonly clients: Record<string, { clientId: string; clientSecret: string }> };
}

function created(name: string): Created {
  const { demo, ...own } = example<Created>('CreatedSandbox');
  const clients = Object.fromEntries(
    Object.entries(demo.clients).map(([called, account]) => [
      called,
      { ...account, clientId: called, clientSecret: `svs_${name}` },
    ]),
  );
  const baseUrl = `${url}/sandboxes/${name}`;
  return { ...own, name, baseUrl, demo: { ...demo, clients } };
}

/** Runs a command as somebody who knows the main environment by variables. */
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { ...remote(), ...env });

const remote = () => ({
  SERVERY_URL: url,
  SERVERY_CLIENT_ID: 'ci',
  SERVERY_CLIENT_SECRET: 'svs_main',
  SERVERY_DATA_DIR: path.join(folder, 'none'),
  XDG_CONFIG_HOME: folder,
});

async function told(code: number, args: readonly string[], env = {}): Promise<string> {
  const ended = await run(args, env);
  assert.deepEqual([ended.code, ended.out], [code, ''], ended.err);
  return ended.err;
}

describe('servery --sandbox', () => {
  test('servery sandbox create: later commands go to it, with its own accounts', async () => {
    const { code, out, err } = await run(['sandbox', 'create', 'pull-42', '--ttl', '2h']);
    assert.deepEqual([code, err], [0, '']);
    assert.deepEqual(seen, [
      {
        ...{ account: 'ci@main', place: 'main', request: 'POST /backoffice/v1/sandboxes' },
        body: { name: 'pull-42', from: { profile: 'demo' }, ttl: 'PT2H' },
      },
    ]);
    assert.match(out, /^The sandbox pull-42 is ready, until 2026-02-01T18:30:00\.000Z:$/m);
    assert.match(out, new RegExp(`^ {2}${url}/sandboxes/pull-42$`, 'm'));
    assert.match(out, /^ {2}export SERVERY_SANDBOX=pull-42$/m);
    assert.doesNotMatch(out, /svs_/);
    const [, file = ''] = /^Its accounts are in (.+)\.$/m.exec(out) ?? [];
    assert.equal((await stat(file)).mode & 0o077, 0, 'others can read the secrets');

    for (const [args, env, account] of [
      [['clock', '--sandbox', 'pull-42'], {}, 'operator@pull-42'],
      [['clock'], { SERVERY_SANDBOX: 'pull-42' }, 'operator@pull-42'],
      [['clock', '--client-id', 'orders'], { SERVERY_SANDBOX: 'pull-42' }, 'orders@pull-42'],
      [['clock'], { SERVERY_SANDBOX: 'pull-42', SERVERY_TOKEN: 'ci@main' }, 'operator@pull-42'],
      [['clock', '--sandbox', 'main'], { SERVERY_SANDBOX: 'pull-42' }, 'ci@main'],
    ] as const) {
      seen = [];
      assert.equal((await run(args, env)).code, 0);
      assert.equal(seen[0]?.account, account, args.join(' '));
    }
  });

  test('servery sandbox: its commands go to the main environment, whatever is in use', async () => {
    await run(['sandbox', 'create', 'pull-42']);
    answers['GET /backoffice/v1/sandboxes/pull-42'] = [200, created('pull-42')];
    answers['DELETE /backoffice/v1/sandboxes/pull-42'] = [200, { name: 'pull-42' }];
    const inUse = { SERVERY_SANDBOX: 'pull-42' };
    const dropped = await run(['sandbox', 'drop', 'pull-42'], inUse);
    assert.deepEqual([dropped.code, dropped.out], [0, 'Dropped pull-42.\n']);
    assert.equal(seen.at(-1)?.account, 'ci@main');
    assert.match(
      await told(3, ['clock'], inUse),
      /401: The secret is wrong\. A sandbox has its own accounts/,
    );
  });

  test('servery sandbox drop: several by name, or every copy of a replay once it is confirmed', async () => {
    const [sandbox] = example<SandboxPage>('SandboxPage').results;
    const copies = ['replay-0a1b2c3d', 'replay-4e5f6a7b'];
    const names = ['pull-42', 'replay-of-lunch', ...copies];
    const results = names.map((name) => ({ ...sandbox, name }));
    answers['GET /backoffice/v1/sandboxes?pageSize=200'] = [200, { results, nextPageToken: null }];
    for (const name of names) {
      answers[`GET /backoffice/v1/sandboxes/${name}`] = [200, { ...sandbox, name }];
      answers[`DELETE /backoffice/v1/sandboxes/${name}`] = [200, { name }];
    }
    const dropped = () =>
      seen.flatMap(({ request }) => /^DELETE .*\/(.*)$/.exec(request)?.slice(1) ?? []);
    const both = await run(['sandbox', 'drop', 'pull-42', 'replay-of-lunch']);
    assert.deepEqual([both.code, both.out], [0, 'Dropped pull-42, replay-of-lunch.\n']);
    seen = [];
    const listed = await told(2, ['sandbox', 'drop', '--replays']);
    assert.match(listed, /would be dropped: replay-0a1b2c3d, replay-4e5f6a7b\. .* add --yes/);
    assert.deepEqual(dropped(), []);
    const { code, err } = await run(['sandbox', 'drop', '--replays', '--yes']);
    assert.deepEqual([code, dropped()], [0, copies], err);
    assert.match(
      await told(2, ['sandbox', 'drop']),
      /name the sandboxes to drop, or use --replays/,
    );
    const mixed = await told(2, ['sandbox', 'drop', 'pull-42', '--replays']);
    assert.match(mixed, /give names or --replays, not both/);
    seen = [];
    await told(3, ['sandbox', 'drop', 'pull-42', 'gone']);
    assert.deepEqual(dropped(), [], 'all names are checked first');
    delete answers['DELETE /backoffice/v1/sandboxes/replay-of-lunch'];
    const half = await told(3, ['sandbox', 'drop', 'pull-42', 'replay-of-lunch', ...copies]);
    assert.match(
      half.replaceAll('\n', ' '),
      /Dropped pull-42\. Failed: replay-of-lunch\. Not tried: replay-0a1b2c3d, replay-4e5f6a7b\./,
    );
  });

  test('servery --sandbox: the server of the data directory knows its accounts', async () => {
    const dataDir = path.join(folder, 'data');
    const { demo } = created('main');
    const inside = created('other').demo;
    await mkdir(path.join(dataDir, 'sandboxes', 'other'), { recursive: true });
    const write = (file: string, content: object) =>
      writeFile(path.join(dataDir, file), JSON.stringify(content));
    await write('demo.json', { ...demo, baseUrl: url });
    await write('sandboxes/other/demo.json', inside);
    const local = { SERVERY_DATA_DIR: dataDir, XDG_CONFIG_HOME: folder };
    const ended = await runHere(['clock', '--sandbox', 'other'], local);
    assert.deepEqual([ended.code, seen[0]?.account], [0, 'operator@other'], ended.err);
    const missing = await runHere(['clock', '--sandbox', 'othr'], local);
    assert.equal(missing.code, 2);
    const named = await runHere(['clock', '--sandbox', 'othr', '--client-id', 'orders'], local);
    assert.equal(named.err, missing.err);
    assert.match(missing.err, /the accounts of the sandbox othr at http\S+ are not known here/);
    assert.match(
      missing.err.replaceAll('\n', ' '),
      /Known here: main, other\. Did you mean "other"\? If it has expired .*create othr"\./,
    );
    const typo = await runHere(['clock', '--sandbox', 'maim'], local);
    assert.match(typo.err.replaceAll('\n', ' '), /Did you mean "main"\?/);
    const completed = await runHere(['complete', '--', 'clock', '--sandbox', ''], local);
    assert.equal(completed.out, 'other\n');
    const variables = await runHere(['env', '--sandbox', 'other', '--json'], local);
    assert.deepEqual(JSON.parse(variables.out), {
      SERVERY_URL: `${url}/sandboxes/other`,
      SERVERY_CLIENT_ID: 'operator',
      SERVERY_CLIENT_SECRET: 'svs_other',
    });
    const shown = await runHere(['env', 'show', '--sandbox', 'other'], local);
    assert.match(shown.out, /because of the sandbox in the data directory, and --sandbox/);
  });

  test('servery --sandbox: what is not there is told with what is', async () => {
    const account = { SERVERY_CLIENT_ID: 'operator', SERVERY_CLIENT_SECRET: 'svs_pull-42' };
    const unknown = await told(2, ['clock', '--sandbox', 'pull-43'], account);
    assert.match(unknown, /refused with 404: There is no sandbox pull-43\. There are: other, pull/);
    const message = 'There is no sandbox pull-43. There are: other, pull-42.';
    answers['GET /backoffice/v1/sandboxes/pull-43'] = [404, refusal(404, message)];
    assert.match(await told(2, ['sandbox', 'show', 'pull-43']), /There are: other, pull-42\./);
    const snapshot = 'The sandbox pull-42 has no snapshot lunch: there is no snapshot at all.';
    answers['POST /backoffice/v1/sandboxes/pull-42/restore'] = [404, refusal(404, snapshot)];
    await told(2, ['sandbox', 'restore', 'pull-42', 'lunch']);
    assert.match(await told(2, ['clock', '--sandbox', 'Pull 42']), /--sandbox "Pull 42" is not a/);
    assert.match(
      await told(2, ['sandbox', 'drop', 'main']),
      /main is the main env.* delete its data/,
    );
    await run(['sandbox', 'create', 'pull-42']);
    const explain = ['explain', '0198b6a2-0000-7000-8000-000000000000'];
    assert.match(await told(3, explain), /may be in another environment: add --sandbox pull-42\./);
    const inside = await told(3, [...explain, '--sandbox', 'pull-42']);
    assert.match(inside, /may be in another environment: add --sandbox main\./);
    assert.match(
      await told(2, ['export'], { SERVERY_SANDBOX: 'pull-42' }),
      /uses the database of the main environment, not the sandbox pull-42/,
    );
  });

  test('servery sandbox create: a place to keep the secrets comes first', async () => {
    const { XDG_CONFIG_HOME: _, ...env } = remote();
    const refused = await runHere(['sandbox', 'create'], env);
    assert.deepEqual([refused.code, seen.length], [1, 0]);
    assert.match(refused.err, /there is no directory for your settings/);
    const shown = await runHere(['sandbox', 'create', '--json'], env);
    assert.deepEqual([shown.code, JSON.parse(shown.out)], [0, created('pull-42')]);
    assert.match(shown.err, /pull-42 was created, but its accounts are not kept/);
  });
});

describe('servery sandbox', () => {
  test('servery sandbox create --from: a profile, a sandbox, or a snapshot', async () => {
    for (const [from, sent] of [
      ['huge', { profile: 'huge' }],
      ['main', { sandbox: 'main' }],
      ['pull-41@before-lunch', { sandbox: 'pull-41', snapshot: 'before-lunch' }],
    ] as const) {
      assert.equal((await run(['sandbox', 'create', '--from', from])).code, 0);
      assert.deepEqual(seen.at(-1)?.body, { from: sent });
    }
    assert.match(await told(2, ['sandbox', 'create', '--from', 'a@']), /--from "" is not a name/);
    const capital = (await told(2, ['sandbox', 'create', '--from', 'Demo'])).replaceAll('\n', ' ');
    assert.match(capital, /profiles are demo, empty, huge\. Did you mean "demo"\?/);
  });

  test('servery sandbox list and diff: lines for a terminal of 80 characters', async () => {
    const page = '?pageSize=50';
    answers[`GET /backoffice/v1/sandboxes${page}`] = [200, example('SandboxPage')];
    const narrow = { COLUMNS: '80' };
    const listed = await run(['sandbox'], narrow);
    assert.equal(listed.code, 0, listed.err);
    assert.match(listed.out, /^pull-42 +demo +2026-02-01T18:30Z .* 21\.0 MB/m);
    answers['GET /backoffice/v1/sandboxes/main/diff?with=pull-42'] = [200, example('SandboxDiff')];
    const diff = await run(['sandbox', 'diff', 'main', 'pull-42'], narrow);
    assert.equal(diff.code, 5);
    assert.match(diff.out, /stock +changed/);
    assert.match(diff.out, /status: IN_STOCK →/);
    for (const line of `${listed.out}${diff.out}`.split('\n')) {
      assert.ok(line.length <= 80, line);
    }
    const none = { added: [], removed: [], changed: [], truncated: false };
    const alike = { configuration: none, stock: none, payments: none, connections: none };
    answers['GET /backoffice/v1/sandboxes/main/diff?with=pull-42'] = [
      200,
      { name: 'main', with: 'pull-42', ...alike },
    ];
    const same = await run(['sandbox', 'diff', 'main', 'pull-42']);
    assert.deepEqual([same.code, same.out], [0, '']);
    assert.match(same.err, /main and pull-42 are alike/);
  });

  test('servery faults: says what a rule that matched nothing waits for', async () => {
    const [rule] = example<FaultRules>('FaultRules').rules;
    const everything = { operation: null, client: null, restaurant: null };
    for (const [more, says] of [
      [{ phase: 'before' }, /it needs a request with the token of a partner\. --operation/],
      [
        { phase: 'before', match: { ...everything, operation: 'stock.update' } },
        /it needs a request for stock\.update\.$/m,
      ],
      [{ phase: 'webhooks' }, /it needs an event for an active webhook endpoint\. "servery/],
      [{ phase: 'processor' }, /it needs a call to the card processor/],
    ] as const) {
      const rules = [{ ...rule, match: everything, ...more, matchesNothing: true }];
      answers['GET /backoffice/v1/faults'] = [200, { profile: null, rules }];
      const { code, err } = await run(['faults']);
      assert.equal(code, 0, err);
      assert.match(err, says);
    }
  });

  test('servery sandbox extend, snapshot, snapshots, drop-snapshot and restore send what they say', async () => {
    const place = '/backoffice/v1/sandboxes/pull-42';
    answers[`PATCH ${place}`] = [200, example('Sandbox')];
    answers[`POST ${place}/snapshots`] = [201, example('SandboxSnapshot')];
    answers[`GET ${place}/snapshots`] = [200, [example('SandboxSnapshot')]];
    answers[`DELETE ${place}/snapshots/before-lunch`] = [200, example('DroppedSandboxSnapshot')];
    answers[`POST ${place}/restore`] = [200, example('Sandbox')];
    for (const [args, request, body, shown] of [
      [['extend', 'pull-42', '--ttl', '2d'], `PATCH ${place}`, { ttl: 'P2D' }, /until 2026-02-01/],
      [
        ['snapshot', 'pull-42', 'before-lunch'],
        `POST ${place}/snapshots`,
        { name: 'before-lunch' },
        /servery sandbox restore pull-42 before-lunch/,
      ],
      [['snapshots', 'pull-42'], `GET ${place}/snapshots`, '', /^before-lunch +2026-01-31T18:40Z/m],
      [
        ['drop-snapshot', 'pull-42', 'before-lunch'],
        `DELETE ${place}/snapshots/before-lunch`,
        null,
        /^Dropped the snapshot before-lunch of pull-42\.$/m,
      ],
      [
        ['restore', 'pull-42', 'before-lunch'],
        `POST ${place}/restore`,
        { snapshot: 'before-lunch' },
        /^pull-42 is as it was\. Its clock: 2026-03-29T01:30Z frozen\.$/m,
      ],
    ] as const) {
      const ended = await run(['sandbox', ...args]);
      assert.equal(ended.code, 0, ended.err);
      assert.match(ended.out, shown);
      assert.deepEqual([seen.at(-1)?.request, seen.at(-1)?.body], [request, body]);
    }
  });
});
