import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  backOfficeScopes,
  type IssuedApiClientSecret,
  type LoggedRequest,
} from '@servery/contract';
import { overStdio, textOf } from '../../mcp/test/assistant.ts';
import { type Platform, start } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { smallGroup } from './documents.ts';
import { onceLogged } from './logged.ts';
import { runHere, sendAsCurl } from './remote-platform.ts';

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Listed {
  readonly clientId: string;
  readonly name: string;
  readonly type: string;
  readonly scopes: readonly string[];
  readonly managementGroup: { readonly name: string } | null;
  readonly revoked: boolean;
}

const UNKNOWN = 'nobody-of-that-name';

let folder: string;
let platform: Platform;
let env: Record<string, string>;

// A production platform, which has no demo account: every account here is made by the command.
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-clients-'));
  env = {
    SERVERY_KIND: 'production',
    SERVERY_BRAND: 'Tavola',
    SERVERY_MASTER_KEY: randomBytes(32).toString('base64'),
    SERVERY_PUBLIC_URL: 'https://platform.example',
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
  };
  platform = await start(readConfig(env, []));
  for (const name of ['North', 'South']) {
    const file = path.join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(smallGroup(name)));
    assert.equal((await run('import', file)).code, 0);
  }
});
after(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  runHere(args[0] === 'clients' ? [...args, '--local'] : args, env);

async function json<Body>(...args: string[]): Promise<Body> {
  const { code, out, err } = await run('clients', ...args, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out) as Body;
}

/** What a secret is issued as, the same with `--local` and without. */
interface Issued {
  readonly client: { readonly clientId: string };
  readonly clientSecret: string;
}

async function credentials(...args: string[]): Promise<Credentials> {
  const { client, clientSecret } = await json<Issued>(...args);
  return { clientId: client.clientId, clientSecret };
}

const create = (name: string, ...args: string[]) =>
  credentials('create', '--type', 'back-office', '--name', name, ...args);
const listed = async (clientId: string) =>
  (await json<Listed[]>('list')).find((client) => client.clientId === clientId);

/** Logs in at the running platform; null when it refuses. */
async function logIn({ clientId, clientSecret }: Credentials): Promise<string | null> {
  const answer = await fetch(`${platform.url}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  if (answer.status === 401) return null;
  assert.equal(answer.status, 200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

async function statusOf(accessToken: string | null, target: string): Promise<number> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return (await fetch(platform.url + target, { headers })).status;
}

describe('servery clients', () => {
  test('servery clients create makes the orders side of a group of production', async () => {
    const scopes = 'payments.lifecycle:write, payments.lifecycle:read';
    const made = await create('Orders', '--group', 'North', '--scopes', scopes);
    assert.match(made.clientSecret, /^svs_\S{43}$/);
    const token = await logIn(made);
    assert.equal(await statusOf(token, '/backoffice/v1/payments'), 200);
    assert.equal(await statusOf(token, '/backoffice/v1/metrics'), 403, 'not one of its scopes');
    const { managementGroup, ...rest } = (await listed(made.clientId)) ?? assert.fail();
    assert.equal(managementGroup?.name, 'North');
    assert.deepEqual([rest.name, rest.type, rest.revoked], ['Orders', 'BACK_OFFICE', false]);
    assert.deepEqual(rest.scopes, ['payments.lifecycle:read', 'payments.lifecycle:write']);
  });

  test('servery clients create without a group makes an operator of all', async () => {
    const args = ['--type', 'back-office', '--name', 'Operator', '--scopes', 'all'];
    const { code, out, err } = await run('clients', 'create', ...args);
    assert.equal(code, 0, err);
    assert.match(out, /^Created Operator, which can reach the whole platform\. .* only once:\n/);
    const [, clientId = ''] = /clientId {6}(\S+)\n/.exec(out) ?? [];
    const [, clientSecret = ''] = /clientSecret {2}(\S+)\n/.exec(out) ?? [];
    const token = await logIn({ clientId, clientSecret });
    assert.equal(await statusOf(token, '/backoffice/v1/metrics'), 200);
    const found = await listed(clientId);
    assert.deepEqual(new Set(found?.scopes), new Set(backOfficeScopes));
    assert.equal(found?.managementGroup, null);
  });

  test('servery clients list shows every account, and nothing of a secret', async () => {
    const { clientSecret } = await create('Listed', '--scopes', 'metrics:read');
    const table = await run('clients');
    assert.equal(table.code, 0, table.err);
    for (const words of [/ Listed /, / PARTNER /, / North Courier /, / the platform /]) {
      assert.match(table.out, words);
    }
    const { out } = await run('clients', 'list', '--json');
    for (const text of [table.out, out]) {
      assert.ok(!text.includes('svs_') && !text.includes(clientSecret));
      assert.doesNotMatch(text, /digest|secret/i);
    }
  });

  test('servery clients secrets add AUTH-7: both secrets log in', async () => {
    const first = await create('Rotating', '--scopes', 'metrics:read');
    const second = await credentials('secrets', 'add', first.clientId);
    assert.equal(second.clientId, first.clientId);
    assert.notEqual(second.clientSecret, first.clientSecret);
    assert.ok((await logIn(first)) && (await logIn(second)));
    const { code, err } = await run('clients', 'secrets', 'add', UNKNOWN);
    assert.equal(code, 2);
    assert.match(err, /no API account with the client ID nobody-of-that-name\. "servery clients/);
  });

  test('servery clients revoke AUTH-9: an account ends at once, and a repeat says so', async () => {
    const made = await create('Leaving', '--scopes', 'metrics:read');
    const token = await logIn(made);
    const { out } = await run('clients', 'revoke', made.clientId);
    assert.match(out, /^Revoked Leaving \(.*\) with its secrets and tokens/);
    assert.equal(await statusOf(token, '/backoffice/v1/metrics'), 401);
    assert.equal(await logIn(made), null);
    const again = await run('clients', 'revoke', made.clientId);
    assert.equal(again.code, 0);
    assert.match(again.out, /was already revoked\. Nothing changed\.\n$/);
    assert.equal((await listed(made.clientId))?.revoked, true);
    const secret = await run('clients', 'secrets', 'add', made.clientId);
    assert.equal(secret.code, 1);
    assert.match(secret.err, /was revoked for good/);
    assert.equal((await run('clients', 'revoke', UNKNOWN)).code, 2);
  });

  test('servery clients revoke tells that a group document names the account', async () => {
    const { code, err } = await run('clients', 'revoke', 'south-courier');
    assert.equal(code, 0);
    assert.match(err, /If its group document names it/);
  });

  test('servery clients revoke AUTH-9: its endpoints end, and what waits is dropped', async () => {
    const operator = await create('Looks after webhooks', '--scopes', 'all');
    const token = await logIn(operator);
    const call = async <Answer>(target: string, body?: unknown): Promise<Answer> => {
      const answer = await fetch(`${platform.url}/backoffice/v1/webhooks${target}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      assert.ok(answer.ok, target);
      return (await answer.json()) as Answer;
    };
    const draft = { clientId: 'north-courier', url: 'https://hooks.example.com/north' };
    const made = await call<{ endpoint: { guid: string } }>('/endpoints', draft);
    const { guid } = made.endpoint;
    await call(`/endpoints/${guid}/pause`, { reason: 'So that it waits.' });
    await call(`/endpoints/${guid}/test`, { eventType: 'partner_updated' });
    assert.equal((await run('clients', 'revoke', 'north-courier')).code, 0);
    const ended = await call<{ state: string; secrets: unknown[] }>(`/endpoints/${guid}`);
    assert.deepEqual([ended.state, ended.secrets], ['ARCHIVED', []]);
    const waited = `/deliveries?endpointGuid=${guid}`;
    const { results } = await call<{ results: { state: string }[] }>(waited);
    assert.deepEqual(
      results.map(({ state }) => state),
      ['DROPPED'],
    );
  });

  test('servery clients revoke leaves the accounts of a sandbox’s demo alone', async () => {
    const sandbox = await mkdtemp(path.join(folder, 'sandbox-'));
    const clients = { operator: { clientId: 'demo-operator', clientSecret: 'known' } };
    await writeFile(path.join(sandbox, 'demo.json'), JSON.stringify({ clients }));
    const args = ['clients', 'revoke', 'demo-operator', '--local'];
    const { code, err } = await runHere(args, { SERVERY_DATA_DIR: sandbox });
    assert.equal(code, 1);
    assert.match(err, /one of the sandbox's own accounts \(demo\.json\)/);
  });

  test('servery clients create AUTH-8 exits with 2 for words that are not right', async () => {
    const before = (await json<Listed[]>('list')).length;
    const sound = { '--type': 'back-office', '--name': 'Wrong', '--scopes': 'all' };
    const refusals: [changes: Record<string, string | undefined>, words: RegExp][] = [
      [{ '--scopes': 'metrics:raed' }, /"metrics:raed" is unknown\.(.|\n)*\n {2}metrics:read\n/],
      [{ '--scopes': 'config:read' }, /"config:read" is for PARTNER and CUSTOMER accounts only/],
      [{ '--scopes': '' }, /the scope "" is unknown/],
      [{ '--scopes': undefined }, /required option '--scopes <scopes>' not specified/],
      [{ '--name': undefined }, /required option '--name <name>' not specified/],
      [{ '--name': ' ' }, /--name is empty/],
      [{ '--type': undefined }, /required option '--type <type>' not specified/],
      [{ '--type': 'PARTNER' }, /Create the others with one of these, .*servery import/],
      [{ '--type': 'waiter' }, /--type "waiter" is unknown\. Use one of partner/],
      [{ '--secret': 'mine' }, /unknown option '--secret'/],
    ];
    for (const [changes, words] of refusals) {
      const flags = Object.entries({ ...sound, ...changes });
      const args = flags.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]));
      const { code, out, err } = await run('clients', 'create', ...args);
      assert.deepEqual([code, out], [2, ''], err);
      assert.match(err, words);
    }
    assert.equal((await json<Listed[]>('list')).length, before, 'nothing was made');
  });

  test('servery clients create exits with 2 for an unknown group, and lists those', async () => {
    const sound = ['--type', 'back-office', '--name', 'Lost', '--scopes', 'all'];
    const { code, err } = await run('clients', 'create', ...sound, '--group', 'West');
    assert.equal(code, 2);
    assert.match(
      err,
      /no single management group is named "West"\. There are:\n {2}\S{36} {2}North\n/,
    );
  });

  test('servery clients makes no secret with another master key', async () => {
    const { clientId } = await create('Sealed', '--scopes', 'metrics:read');
    const other = { ...env, SERVERY_MASTER_KEY: randomBytes(32).toString('base64') };
    const sound = ['--type', 'back-office', '--name', 'Unsealed', '--scopes', 'all'];
    for (const args of [
      ['create', ...sound],
      ['secrets', 'add', clientId],
    ]) {
      const { code, out, err } = await runHere(['clients', ...args, '--local'], other);
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /is not the master key that sealed what this database holds/);
    }
    const { out } = await run('clients', 'list');
    assert.ok(!out.includes('Unsealed'));
  });
});

describe('servery against a production platform', () => {
  let operator: Record<string, string>;
  let partner: Record<string, string>;
  let restaurant: string;

  // A partner that may pay at one restaurant.
  before(async () => {
    const made = ['clients', 'create', '--name', 'A', '--scopes', 'all', '--type'];
    operator = accountOf(await done(env, ...made, 'back-office', '--local', '--json'));
    partner = accountOf(
      await done(operator, ...made, 'partner', '--partner', 'North Courier', '--json'),
    );
    const { SERVERY_CLIENT_ID: client = '' } = partner;
    await done(operator, 'keys', 'issue', client, '--algorithm', 'ECDH-ES');
    const north = await done(operator, 'restaurants', 'show', 'North', '--json');
    restaurant = JSON.parse(north).guid;
  });

  const encrypt = (...args: string[]) => {
    const card = ['--card', '4111111111111111', '--amount', '12.50', '--tip', '2'];
    return runHere(['encrypt', ...card, '--restaurant', restaurant, '--curl', ...args], partner);
  };

  test('servery encrypt PAY-10: what it prints passes every check of production', async () => {
    const { code, out, err } = await encrypt('--origin-ip', '192.0.32.10');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /-H 'Tavola-Restaurant-External-ID: /);
    const token = await done(partner, 'token');
    const { status, body } = await sendAsCurl(out, token.trim());
    // The checks are behind it: what stops it is that this platform has no processor.
    assert.ok(status >= 500, JSON.stringify(body));
    assert.match(JSON.stringify(body), /process/);
  });

  test('servery encrypt PAY-10: exits with 2 for an address that production refuses', async () => {
    const missing = await encrypt();
    assert.deepEqual([missing.code, missing.out], [2, '']);
    assert.match(missing.err, /which address does the guest pay from\? .* --origin-ip 192\.0\.32/);
    for (const address of ['203.0.113.7', '10.0.0.1', '::1', 'fe80::1%eth0', 'localhost', '']) {
      const { code, out, err } = await encrypt('--origin-ip', address);
      assert.deepEqual([code, out], [2, ''], address);
      assert.match(err, /--origin-ip .* must be (a public|an IPv4 or IPv6) address \(PAY-10\)/);
    }
  });

  test('servery requests show: an operator sees the rule and field of a payment', async () => {
    const { out } = await encrypt('--origin-ip', '192.0.32.10');
    const token = await done(partner, 'token');
    const refused = await sendAsCurl(out.replace('192.0.32.10', '192.168.7.1'), token.trim());
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.body, { description: 'The request failed validation.' });
    const list = ['requests', 'list', '--operation', 'creditCards.authorize', '--status', '422'];
    const read = async () => JSON.parse(await done(operator, ...list, '--json')) as LoggedRequest[];
    const [entry] = await onceLogged(read, (entries) => entries.length > 0);
    assert.match(await done(operator, ...list), /requestMetadata\.originIPAddr: must be a public/);
    const shown = await done(operator, 'requests', 'show', entry?.requestId ?? '');
    assert.match(shown, /^refusal\.faults\[0\]\.field +requestMetadata\.originIPAddr$/m);
    assert.match(shown, /^refusal\.faults\[0\]\.rule +must be a public address$/m);
    assert.doesNotMatch(shown, /192\.168\.7\.1/, 'no value is kept');
  });
});

describe('servery mcp, in production', () => {
  let operator: Record<string, string>;
  before(async () => {
    const made = ['create', '--type', 'back-office', '--name', 'A', '--scopes', 'all', '--json'];
    operator = {
      ...accountOf(await done(env, 'clients', ...made, '--local')),
      XDG_CONFIG_HOME: folder,
    };
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
    const authorization = `Bearer ${(await done(operator, 'token')).trim()}`;
    const { status } = await fetch(`${platform.url}/mcp`, {
      method: 'POST',
      headers: { authorization },
    });
    assert.equal(status, 404);
  });
});

async function done(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, out, err } = await runHere(args, env);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

function accountOf(created: string): Record<string, string> {
  const { client, clientSecret } = JSON.parse(created) as IssuedApiClientSecret;
  return {
    SERVERY_URL: platform.url,
    SERVERY_CLIENT_ID: client.clientId,
    SERVERY_CLIENT_SECRET: clientSecret,
  };
}
