import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type {
  IssuedApiClientSecret,
  Publication,
  RestaurantOverview,
  WhoAmI,
} from '@servery/contract';
import { onceLogged } from './logged.ts';
import { type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

const WREN = 'The Early Wren';

let platform: RemotePlatform;
useRemotePlatform((shared) => {
  platform = shared;
});

const run = (...args: string[]) => platform.run(args);

describe('servery whoami', () => {
  test('servery whoami tells account, scopes in words, and restaurants', async () => {
    const { code, out, err } = await run('whoami', '--client-id', 'readOnly');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^Demo partner, read only at http:/);
    assert.match(out, /^PARTNER \S+\nreaches \d restaurants\n {2}\S{36} {2}/m);
    assert.match(out, /^partner Orderwhistle +stock:read +Read stock\.$/m);
    const me = await platform.json<WhoAmI>(['whoami']);
    assert.deepEqual([me.type, me.grants[0]?.place, me.call], ['BACK_OFFICE', 'platform', null]);
  });

  test('servery whoami asks at the door of the account, and is refused nowhere', async (t) => {
    const fetched = t.mock.method(globalThis, 'fetch');
    for (const account of ['readOnly', 'group', 'operator', 'orders']) {
      const args = ['whoami', '--client-id', account, '--operation', 'stock.list'];
      const { out, err } = await run(...args, '--restaurant', WREN);
      assert.equal(err, '', account);
      assert.match(out, /^stock\.list \(/m, account);
    }
    const answers = await Promise.all(fetched.mock.calls.map(({ result }) => result));
    assert.ok(answers.length >= 8);
    assert.deepEqual([...new Set(answers.map((answer) => answer?.status))], [200]);
  });

  test('servery whoami --operation exits with 3 for a call that would be refused', async () => {
    const may = ['whoami', '--client-id', 'readOnly', '--restaurant', WREN, '--operation'];
    const refused = await run(...may, 'stock.update');
    assert.equal(refused.code, 3);
    assert.equal(refused.err, '');
    assert.match(
      refused.out,
      /^stock\.update \(PUT \/stock\/v1\/inventory\/update\) would be refused with 403: .* lacks/m,
    );
    const granted = await run(...may, 'stock.list');
    assert.equal(granted.code, 0, granted.err);
    assert.match(granted.out, /^stock\.list \(.*\) would be allowed/m);
    const orders = ['whoami', '--client-id', 'orders', '--operation'];
    assert.equal((await run(...orders, 'backOffice.people.list')).code, 3);
    assert.equal((await run(...orders, 'backOffice.payments.list')).code, 0);
  });

  test('servery whoami: bad words are told', async () => {
    const part = ['whoami', '--client-id', 'readOnly', '--operation', 'stock.update'];
    const named = await run(...part, '--restaurant', 'early');
    assert.deepEqual([named.code, named.err], [3, ''], 'a part of the name does');
    const nowhere = await run(...part, '--restaurant', 'No such place');
    assert.equal(nowhere.code, 2);
    assert.match(
      nowhere.err,
      /no restaurant that you have access to .*\. "servery whoami" shows what there/,
    );
    const place = await run('whoami', '--restaurant', WREN);
    assert.deepEqual([place.code, place.out], [2, '']);
    assert.match(place.err, /--restaurant needs --operation/);
    const unknown = await run('whoami', '--operation', 'stock.guess');
    assert.equal(unknown.code, 3);
    assert.match(unknown.err, /operation must be the id of an operation/);
    const where = await run('whoami', '--client-id', 'partner', '--operation', 'stock.list');
    assert.match(where.err, /restaurantGuid is missing|--restaurant is missing/);
  });

  test('servery token gives what whoami explains, also from a file or SERVERY_TOKEN', async () => {
    const { out } = await run('token', '--client-id', 'partner');
    const token = out.trim();
    assert.match(token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    const header = await run('token', '--header', '--client-id', 'partner');
    assert.equal(header.out, `Authorization: Bearer ${token}\n`);
    const file = path.join(platform.dataDir, 'token');
    await writeFile(file, header.out);
    assert.match((await run('whoami', '--token-file', file)).out, /^Demo partner at /);
    const env = { SERVERY_DATA_DIR: platform.dataDir, SERVERY_TOKEN: token };
    assert.match((await runHere(['whoami'], env)).out, /^Demo partner at /);
    await writeFile(file, 'a.b.c');
    const broken = await run('whoami', '--token-file', file);
    assert.equal(broken.code, 3);
    assert.match(broken.err, /refused with 401: /);
    await writeFile(file, '\n');
    assert.match((await run('whoami', '--token-file', file)).err, /has no access token/);
  });

  test('servery restaurants: whoever may not list them still names them', async () => {
    const demo = platform.demo.restaurants[0]?.name ?? '';
    const args = ['payments', 'list', '--client-id', 'orders', '--restaurant', demo];
    assert.equal((await run(...args)).code, 0);
    const refused = await run('restaurants', 'list', '--client-id', 'orders');
    assert.equal(refused.code, 3);
    assert.match(refused.err, /lacks the scope restaurants\.admin:read/);
  });
});

describe('servery and names', () => {
  test('servery shows people names where the platform has ids, and programs the ids', async () => {
    const people = await run('people', 'list');
    assert.match(people.out, / GROUP_ADMINISTRATOR at Wrenfield Hospitality/);
    assert.match(people.out, / RESTAURANT_ADMINISTRATOR at The Early Wren/);
    assert.match(people.out, / PARTNER_DEVELOPER at Orderwhistle/);
    const edit = ['menuItems', 'Apple Slices', '--set', 'calories=77'];
    assert.equal((await run('config', 'edit', ...edit)).code, 0);
    assert.match((await run('config', 'drafts')).out, / Demo operator /);
    assert.equal((await run('config', 'publish')).code, 0);
    assert.match((await run('config', 'history')).out, /PUBLISHED +Demo operator/);
    assert.match((await run('config', 'history')).out, /IMPORTED +system:import/);
    assert.match((await run('audit', 'list')).out, / Demo operator +backOffice\.configuration/);
    const { clientId } = platform.demo.clients.operator;
    const [newest] = await platform.json<Publication[]>(['config', 'history']);
    assert.equal(newest?.publishedBy, clientId);
  });

  test('servery requests: who may not read names is shown ids, and refused nowhere', async (t) => {
    const reader = ['--type', 'back-office', '--name', 'Reader', '--scopes', 'requests:read'];
    const { client, clientSecret } = await platform.json<IssuedApiClientSecret>([
      ...['clients', 'create', ...reader],
    ]);
    const fetched = t.mock.method(globalThis, 'fetch');
    const env = {
      SERVERY_URL: platform.demo.baseUrl,
      SERVERY_CLIENT_ID: client.clientId,
      SERVERY_CLIENT_SECRET: clientSecret,
    };
    const list = async () => {
      // Refusals of other test files may contain names.
      const some = ['--operation', 'backOffice.configuration.publications.list'];
      const { code, out, err } = await runHere(['requests', 'list', ...some], env);
      assert.equal(code, 0, err);
      return out;
    };
    const out = await onceLogged(list, (shown) => shown.includes(' The Early Wren '));
    assert.match(out, / The Early Wren /);
    assert.ok(out.includes(platform.demo.clients.operator.clientId));
    assert.doesNotMatch(out, /Demo operator/);
    const answers = await Promise.all(fetched.mock.calls.map(({ result }) => result));
    assert.deepEqual([...new Set(answers.map((answer) => answer?.status))], [200]);
  });
});

describe('servery env', () => {
  test('servery env: profiles are made, listed, used, and forgotten', async () => {
    const { clientId, clientSecret } = platform.demo.clients.operator;
    const { baseUrl } = platform.demo;
    const home = { XDG_CONFIG_HOME: path.join(platform.dataDir, 'profiles') };
    const here = (args: readonly string[], more = {}) => runHere(args, { ...home, ...more });
    const added = await here(['env', 'add', 'mine', '--url', baseUrl, '--client-id', clientId], {
      SERVERY_CLIENT_SECRET: clientSecret,
    });
    assert.deepEqual([added.code, added.err], [0, '']);
    assert.match(added.out, /To use it from now on: "servery env use mine"/);
    assert.equal(JSON.parse((await here(['env', 'list', '--json'])).out)[0].isCurrent, false);
    assert.equal((await here(['env', 'use', 'mine'])).code, 0);
    const again = await here(['env', 'add', 'mine', '--url', baseUrl, '--client-id', clientId], {
      SERVERY_CLIENT_SECRET: clientSecret,
    });
    assert.match(again.out, / It is in use\.\n$/);
    const listed = await here(['env', 'list']);
    assert.match(listed.out, new RegExp(`^mine +${baseUrl} +${clientId} +in use$`, 'm'));
    assert.ok(!listed.out.includes(clientSecret));
    assert.equal((await here(['restaurants', '--json'])).code, 0);
    const restaurants = await here(['restaurants', 'list', '--profile', 'mine', '--json']);
    assert.ok((JSON.parse(restaurants.out) as RestaurantOverview[]).length > 0);
    assert.match((await here(['env', 'show'])).out, / as .*, because of the profile in /);
    assert.equal((await here(['env', 'use'])).code, 0);
    assert.equal((await here(['clock'], { SERVERY_DATA_DIR: '/nowhere' })).code, 2);
    const both = await here(['clock', '--profile', 'mine', '--url', baseUrl]);
    assert.match(both.err, /--profile and --url both name a platform/);
    const other = await here(['clock', '--profile', 'yours']);
    assert.deepEqual([other.code, other.out], [2, '']);
    assert.match(other.err, /there is no profile yours\. Your profiles are mine/);
    assert.equal((await here(['env', 'remove', 'mine'])).code, 0);
    assert.equal((await here(['env', 'list', '--json'])).out, '[]\n');
  });

  test('servery: the sandbox of the folder says nothing of another platform', async () => {
    const elsewhere = { SERVERY_DATA_DIR: platform.dataDir, SERVERY_URL: 'http://127.0.0.1:9' };
    const account = { SERVERY_CLIENT_ID: 'somebody', SERVERY_CLIENT_SECRET: 'anything' };
    const commands: readonly (readonly string[])[] = [
      ['stock', 'list'],
      ['config', 'discard'],
      ['connections', 'list'],
      ['payments', 'show', '01234567-0000-4000-8000-000000000000'],
      ['encrypt', '--card', '4111111111111111', '--amount', '1', '--curl'],
    ];
    for (const command of commands) {
      const { code, out, err } = await runHere(command, { ...elsewhere, ...account });
      assert.deepEqual([code, out], [2, ''], command.join(' '));
      assert.match(err, /which restaurant\?/, command.join(' '));
    }
    const unknown = await runHere(['stock', 'list', '--client-id', 'operator'], elsewhere);
    assert.match(
      unknown.err,
      /the secret of the client operator at http:\/\/127\.0\.0\.1:9 is unknown/,
    );
    const nobody = await runHere(['stock', 'list', '--url', 'http://127.0.0.1:9'], {
      SERVERY_DATA_DIR: platform.dataDir,
    });
    assert.match(nobody.err, /which account\?.* "servery clients create --local /);
  });

  test('servery env prints what a shell takes', async () => {
    const { clientId, clientSecret } = platform.demo.clients.partner;
    const { code, out } = await run('env', '--client-id', 'partner');
    assert.equal(code, 0);
    assert.equal(
      out,
      `export SERVERY_URL=${platform.demo.baseUrl}\nexport SERVERY_CLIENT_ID=${clientId}\n` +
        `export SERVERY_CLIENT_SECRET=${clientSecret}\n`,
    );
    const shown = await run('env', 'show');
    assert.match(shown.out, /, because of the sandbox in the data directory\n$/);
    assert.ok(!shown.out.includes('svs_'));
  });
});

describe('servery completion', () => {
  const complete = async (...words: string[]) =>
    (await run('complete', '--', ...words)).out.split('\n').filter((line) => line !== '');

  test('servery completion: commands, verbs, flags, and names of the sandbox', async () => {
    assert.deepEqual(await complete('sto'), ['stock']);
    assert.ok((await complete('stock', '')).includes('ran-out'));
    assert.deepEqual(await complete('clients', 'secrets', ''), ['add', 'revoke']);
    assert.deepEqual(await complete('stock', 'set', '--un'), ['--until']);
    assert.ok((await complete('stock', 'list', '--')).includes('--json'));
    assert.deepEqual(await complete('stock', 'list', '--restaurant', 'The E'), [WREN]);
    assert.ok((await complete('keys', 'list', '')).includes('readOnly'));
    assert.ok((await complete('config', 'objects', 'menuI')).includes('menuItems'));
    assert.deepEqual(await complete('config', 'show', 'menuItems', ''), []);
    assert.ok((await complete('people', 'add', 'x', '--role', '')).includes('read-only'));
    assert.ok((await complete('whoami', '--operation', 'stock.')).includes('stock.update'));
    assert.ok((await complete('config', 'publish-group', 'x', 'y', 'The')).includes(WREN));
    assert.deepEqual(await complete('keys', 'issue', '--algorithm', 'ECDH'), ['ECDH-ES']);
    assert.ok(!(await complete('')).includes('complete'), 'it is for the scripts only');
  });

  test('servery completion prints a script for each shell, and refuses others', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, out } = await run('completion', shell);
      assert.equal(code, 0);
      assert.match(out, /servery complete -- /);
    }
    const { code, out, err } = await run('completion', 'tcsh');
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /"tcsh" is not a supported shell\. Use one of bash, zsh, fish/);
  });
});
