import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import {
  type ApiClient,
  type BackOfficeOrder,
  type BackOfficeRestaurant,
  type Connection,
  type InvitedPerson,
  type IssuedApiClientSecret,
  type ManagementGroup,
  type Partner,
  type Person,
  type RestaurantOverview,
  roleNames,
  roles,
  type StockChange,
  type StockItem,
} from '@servery/contract';
import { orderAt, type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

const GUID = '11111111-1111-4111-8111-111111111111';
const WREN = 'The Early Wren';

let platform: RemotePlatform;
useRemotePlatform((shared) => {
  platform = shared;
});

const run = (...args: string[]) => platform.run(args);
const json = <Body>(...args: string[]) => platform.json<Body>(args);

/** What standard error says of a command that ends with this code and prints nothing. */
async function refused(code: number, ...args: string[]): Promise<string> {
  const ended = await run(...args);
  assert.deepEqual([ended.code, ended.out], [code, ''], ended.err);
  return ended.err;
}

describe('servery, a misspelled name', () => {
  test('servery: a name that nothing has is told with the nearest ones, everywhere', async () => {
    const wrong: readonly (readonly [code: number, meant: RegExp, ...args: string[]])[] = [
      [3, /names no item .*\. Did you mean "Apple Slices"/s, 'stock', 'set', 'Aple Slcies', 'out'],
      [2, /Did you mean "Apple Slices"/, 'stock', 'history', '--item', 'Aple Slices'],
      [2, /Did you mean "The Early Wren"/, 'stock', 'list', '--restaurant', 'Early Wern'],
      [2, /Did you mean "The Early Wren"/, 'restaurants', 'show', 'the erly wren'],
      [2, /Did you mean "Wrenfield Hospitality"/, 'groups', 'show', 'Wrenfeld'],
      [2, /Did you mean "Orderwhistle"/, 'partners', 'show', 'Orderwistle'],
      [2, /Did you mean "Orderwhistle"/, 'connections', 'show', 'Orderwistle'],
      [2, /Did you mean "Demo operator"/, 'clients', 'show', 'Demo operater'],
      [2, /Did you mean "partner"/, 'clients', 'show', 'partnr'],
      [2, /Did you mean "readOnly"/, 'requests', 'list', '--client', 'readonyl'],
      [2, /Did you mean "read.only@demo.example"/, 'people', 'show', 'read.onyl@demo.example'],
      [2, /Did you mean "Olu Operator"/, 'audit', 'list', '--actor', 'Olu Operater'],
      [2, /Did you mean menuItems/, 'config', 'objects', 'menuItms'],
      [2, /Did you mean stock\.update/, 'requests', 'list', '--operation', 'stock.updaet'],
      [2, /Did you mean "stock\.update"/, 'whoami', '--operation', 'stock.updte'],
      [2, /Did you mean "advance"/, 'clock', 'advnce', '5m'],
      [2, /Did you mean "partner_updated"/, 'trigger', 'partner_updatet'],
    ];
    for (const [code, meant, ...args] of wrong) assert.match(await refused(code, ...args), meant);
    await run('webhooks', 'create', 'https://hooks.example.com/a', '--client', 'partner');
    const hook = await refused(2, 'webhooks', 'show', 'hoks.example.com');
    assert.match(hook, /Did you mean "https:\/\/hooks\.example\.com\/a"/);
    assert.equal((await run('webhooks', 'archive', 'https://hooks.example.com/a')).code, 0);
    assert.doesNotMatch(await refused(2, 'groups', 'show', 'Quayside'), /Did you mean/);
  });
});

describe('servery groups and restaurants', () => {
  test('servery restaurants: from nothing to the archive, by name and by GUID', async () => {
    const group = await json<ManagementGroup>('groups', 'create', '--name', 'Harbor Inns');
    assert.equal((await json<ManagementGroup>('groups', 'show', 'harbor')).guid, group.guid);
    const place = ['--time-zone', 'Europe/Rome', '--currency', 'EUR', '--group', 'Harbor Inns'];
    const made = await json<BackOfficeRestaurant>(
      ...['restaurants', 'create', '--name', 'The Pier', ...place],
    );
    assert.deepEqual([made.general.currencyCode, made.general.closeoutHour], ['EUR', 4]);
    assert.equal(made.general.managementGroupGuid, group.guid);
    const set = ['--set', 'general.closeoutHour=5', '--set', 'urls.website=https://pier.example'];
    const edited = await json<BackOfficeRestaurant>('restaurants', 'edit', 'the pier', ...set);
    assert.equal(edited.general.closeoutHour, 5);
    const { out } = await run('restaurants', 'show', made.guid);
    assert.match(out, /^general\.closeoutHour +5$/m);
    assert.match(out, /^urls\.website +https:\/\/pier\.example$/m);
    assert.match(await refused(3, 'groups', 'archive', 'Harbor Inns'), /refused with 409/);
    assert.match((await run('restaurants', 'archive', 'The Pier')).out, /is archived\.\n$/);
    assert.equal((await run('groups', 'archive', 'Harbor Inns')).code, 0);
    const listed = await json<RestaurantOverview[]>('restaurants', '--archived', '--group', 'harb');
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['The Pier'],
    );
    assert.equal((await run('groups', 'unarchive', group.guid)).code, 0);
    assert.match(
      (await run('restaurants', 'unarchive', 'the pier')).out,
      /is no longer archived\.\n$/,
    );
    const renamed = await run('groups', 'edit', 'Harbor Inns', '--set', 'name=Harbor');
    assert.match(renamed.out, /^name +Harbor$/m);
    assert.equal(renamed.err, '');
    const again = await run('groups', 'edit', 'Harbor', '--name', 'Harbor');
    assert.match(again.err, /Nothing changed/);
    const pier = await run('restaurants', 'edit', 'The Pier', '--name', 'The New Pier');
    assert.match(pier.out, /^general\.name +The New Pier$/m);
    assert.match(await refused(2, 'restaurants', 'edit', 'The New Pier'), /which fields\?/);
    const old = await json<ManagementGroup>('groups', 'create', '--name', 'Twice');
    assert.equal((await run('groups', 'archive', old.guid)).code, 0);
    assert.equal((await run('groups', 'create', '--name', 'Twice')).code, 0);
    const both = await refused(2, 'groups', 'show', 'Twice');
    assert.equal(both.split('Twice (archived)').length, 2, both);
    assert.match(both, new RegExp(`${old.guid} {2}Twice \\(archived\\)`));
  });

  test('servery restaurants: what is wrong is told, and nothing changes', async () => {
    const value = await refused(
      ...([3, 'restaurants', 'edit', WREN, '--set', 'general.closeoutHour=77'] as const),
    );
    assert.match(value, /refused with 422: general\.closeoutHour must be from 0 to 12/);
    assert.match(
      await refused(2, 'restaurants', 'show', 'No Such Place'),
      /no restaurant that you have access to is named "No Such Place"/,
    );
    assert.match(
      await refused(3, 'restaurants', 'show', GUID),
      /refused with 404: .*"servery restaurants list" shows what there is/,
    );
    const { general } = await json<BackOfficeRestaurant>('restaurants', 'show', WREN);
    assert.notEqual(general.closeoutHour, 77);
  });
});

describe('servery stock', () => {
  test('servery stock set: several items by name, sku: and plu:, out until tomorrow', async () => {
    const [first, second] = await json<StockItem[]>('stock', 'list', '--limit', '2');
    assert.ok(first && second);
    const until = ['--until', 'tomorrow'];
    const set = await json<StockItem[]>('stock', 'set', first.name, second.guid, 'out', ...until);
    assert.deepEqual(
      set.map(({ guid, status }) => [guid, status]),
      [
        [first.guid, 'OUT_OF_STOCK'],
        [second.guid, 'OUT_OF_STOCK'],
      ],
    );
    assert.ok(set.every((item) => item.until !== null));
    const out = await run('stock', 'ran-out');
    assert.match(out.out, new RegExp(`^${first.name} .* out `, 'm'));
    assert.match((await run('stock', 'set', `plu:${first.plu}`, '2.5')).out, / 2\.5 /);
    const [change] = await json<StockChange[]>('stock', 'history', '--item', first.name);
    assert.equal(change?.after.quantity, 2.5);
    const undone = await json<StockItem>('stock', 'undo', change?.guid ?? '');
    assert.equal(undone.status, 'OUT_OF_STOCK');
    assert.match(await refused(3, 'stock', 'undo', change?.guid ?? ''), /refused with 409/);
    const listed = await json<StockItem[]>('stock', 'list', '--status', 'out');
    assert.ok(listed.some(({ guid }) => guid === first.guid));
    assert.equal((await run('stock', 'set', first.name, second.name, 'in')).code, 0);
  });

  test('servery stock set --file: a list of changes, all or nothing', async () => {
    const [item] = await json<StockItem[]>('stock', 'list', '--limit', '1');
    const file = path.join(platform.dataDir, 'stock.yaml');
    await writeFile(file, `- name: ${item?.name}\n  status: QUANTITY\n  quantity: 7\n`);
    const [set] = await json<StockItem[]>('stock', 'set', '--file', file);
    assert.deepEqual([set?.guid, set?.quantity], [item?.guid, 7]);
    await writeFile(
      file,
      `- {guid: ${item?.guid}, status: IN_STOCK}\n- {name: x, status: NEVER}\n`,
    );
    assert.match(
      await refused(3, 'stock', 'set', '--file', file),
      /nothing was changed \(request \S+\):\n {2}.*stock\.yaml:2: changes\[1\]\.status: must be/,
    );
    assert.match(
      await refused(3, 'stock', 'set', item?.name ?? '', 'No such dish', 'out'),
      /nothing was changed \(request \S+\):\n {2}"No such dish" names no item/,
    );
    const past = ['--until', '2020-01-01T00:00:00Z'];
    const late = await refused(3, 'stock', 'set', item?.name ?? '', 'out', ...past);
    assert.match(late, /:\n {2}--until is not in the future\n$/);
    const wrong = [
      '{plu: 202, status: IN_STOCK}',
      '{status: IN_STOCK}',
      '{name: x, status: NEVER}',
    ];
    await writeFile(file, wrong.map((line) => `- ${line}\n`).join(''));
    const told = await refused(3, 'stock', 'set', '--file', file);
    assert.match(told, /:1: changes\[0\]\.plu: .*put it in quotation marks/);
    const lines = [...told.matchAll(/stock\.yaml:(\d)/g)].map(([, line]) => Number(line));
    assert.deepEqual(
      lines,
      lines.toSorted((one, other) => one - other),
    );
    const [after] = await json<StockItem[]>('stock', 'list', '--limit', '1');
    assert.equal(after?.quantity, 7);
    await writeFile(file, 'name: x\n');
    assert.match(
      await refused(2, 'stock', 'set', '--file', file),
      /stock\.yaml:1: write a list of/,
    );
  });

  test('servery stock: bad words are told before anything is sent', async () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['set'], /which items, and what\?/],
      [['set', 'Soup'], /which items, and what\?/],
      [['set', 'Soup', 'gone'], /"gone" is not a stock\. End with in, out, or a quantity/],
      [['set', 'Soup', '0'], /"0" is not a stock/],
      [['set', 'sku:', 'in'], /sku: needs a code/],
      [['set', 'Soup', 'in', '--until', 'tomorrow'], /--until works only with "out"/],
      [['list', '--status', 'gone'], /--status "gone" is unknown/],
      [['undo', 'x'], /"x" is not the GUID of a stock change/],
      [['history', '--from', 'yesterday'], /--from "yesterday" is not a time/],
    ];
    for (const [args, told] of cases) assert.match(await refused(2, 'stock', ...args), told);
  });
});

describe('servery partners, clients and connections', () => {
  test('servery clients: a partner from nothing to its first request, and to its end', async () => {
    const partner = await json<Partner>('partners', 'create', '--name', 'Quayside Courier');
    const sound = ['--type', 'partner', '--partner', 'quayside', '--name', 'Quay live'];
    const made = await json<IssuedApiClientSecret>(
      'clients',
      'create',
      ...sound,
      '--scopes',
      'all',
    );
    assert.deepEqual(made.client.partner?.guid, partner.guid);
    assert.equal(made.client.scopes.length, 17);
    const connect = ['connections', 'connect', 'Quayside Courier', '--restaurant', WREN];
    const connected = await json<Connection>(...connect, '--restaurant-ref', 'Q-1');
    assert.deepEqual([connected.state, connected.externalRestaurantRef], ['CONNECTED', 'Q-1']);
    assert.match(await refused(3, ...connect), /refused with 409/);
    const own = ['--restaurant', WREN];
    const edited = await run('connections', 'edit', 'quayside', ...own, '--restaurant-ref', '');
    assert.doesNotMatch(edited.out, /externalRestaurantRef/);
    const ended = await run('connections', 'disconnect', 'quayside', ...own, '--reason', 'moved');
    assert.match(ended.out, /The Early Wren is disconnected from Quayside Courier/);
    const twice = await run('connections', 'disconnect', 'quayside', ...own, '--reason', 'sold');
    assert.match(twice.out, /was already disconnected .* the reason is still "moved"/);
    const timeline = await run('connections', 'timeline', 'quayside', ...own);
    assert.match(timeline.out, / Demo operator /);
    assert.match(timeline.out, /DISCONNECTED .* moved/);
    assert.equal((await json<unknown[]>('partners', 'connections', 'quayside')).length, 1);
    const events = await json<{ results: unknown[] }>('partners', 'events', 'quayside');
    assert.equal(events.results.length, 3);
    const revoked = await run('clients', 'revoke', 'Quay live');
    assert.match(revoked.out, /Revoked Quay live \(.*\) with its secrets and tokens/);
  });

  test('servery clients secrets: a rotation with overlap, and the end of one secret', async () => {
    const sound = ['--type', 'back-office', '--name', 'Orders of Wren', '--group', 'Wrenfield'];
    const made = await run('clients', 'create', ...sound, '--scopes', 'payments.lifecycle:read');
    assert.match(
      made.out,
      /^Created Orders of Wren\. The secret is shown only once:\n {2}clientId /,
    );
    const [, clientId = ''] = /clientId {6}(\S+)/.exec(made.out) ?? [];
    const added = await json<IssuedApiClientSecret>(
      ...['clients', 'secrets', 'add', clientId, '--label', 'second', '--others-expire', '7d'],
    );
    const third = await run('clients', 'secrets', 'add', clientId, '--others-expire', '3d');
    assert.match(third.out, /Its other secrets expire at \d{4}-\S+Z at the latest/);
    const secrets = added.client.secrets.map(({ state, expiresAt }) => [state, expiresAt === null]);
    assert.deepEqual(secrets, [
      ['LIVE', true],
      ['LIVE', false],
    ]);
    const one = ['clients', 'secrets', 'revoke', clientId, added.secretGuid];
    assert.match(
      (await run(...one)).out,
      /Revoked the secret and its tokens\. Orders of Wren has 2 live secrets left\./,
    );
    const client = await json<ApiClient>(
      ...['clients', 'edit', clientId, '--scopes', 'clock:read', '--name', 'Orders'],
    );
    assert.deepEqual([client.name, client.scopes], ['Orders', ['clock:read']]);
    assert.match((await run('clients', 'show', clientId)).out, /^secrets\[1\]\.state +REVOKED$/m);
    const table = await run('clients', 'list', '--type', 'back-office');
    assert.match(table.out, / Orders .* BACK_OFFICE /);
    assert.ok(!table.out.includes('svs_'));
  });

  test('servery clients: bad words and unknown accounts are told', async () => {
    const sound = ['clients', 'create', '--name', 'X', '--scopes', 'all'];
    const other = ['--type', 'back-office', '--partner', 'Orderwhistle'];
    assert.match(await refused(3, ...sound, ...other), /refused with 4\d\d: --partner /);
    assert.match(
      await refused(2, 'connections', 'connect', 'Nobody', '--restaurant', WREN),
      /no partner that you have access to is named "Nobody"\. "servery connections partners" shows/,
    );
  });

  test('servery clients usage tells what an account asks for', async () => {
    const { code, out, err } = await run('clients', 'usage', 'operator');
    assert.deepEqual([code, err.includes('requests from')], [0, true], err + out);
  });
});

describe('servery people', () => {
  test('servery people: invited, given a role, deactivated, by email address', async () => {
    const first = ['--role', 'group-administrator', '--group', 'Wrenfield'];
    const added = await run('people', 'add', 'ada@example.com', '--name', 'Ada', ...first);
    assert.equal(added.code, 0, added.err);
    assert.match(added.out, /^Added Ada \(ada@example\.com\)\. Hand this link over\. .*\n {2}http/);
    const role = ['--role', 'read-only', '--restaurant', WREN];
    const given = await run('people', 'roles', 'give', 'ada@example.com', ...role);
    assert.match(given.out, /READ_ONLY at /);
    const person = await json<{ roles: { roleGuid: string; role: string }[] }>(
      ...['people', 'show', 'ada@example.com'],
    );
    const readOnly = person.roles.find((one) => one.role === 'READ_ONLY')?.roleGuid ?? '';
    const taken = await run('people', 'roles', 'take', 'Ada', readOnly);
    assert.doesNotMatch(taken.out, /READ_ONLY/);
    const gone = await run('people', 'deactivate', 'ada@example.com');
    assert.match(gone.out, /can no longer log in\.\n$/);
    assert.match((await run('people', 'list', '--deactivated')).out, /ada@example\.com/);
    assert.match(
      await refused(2, 'people', 'show', 'nobody@example.com'),
      /no person that you have access to is named "nobody@example\.com"\. "servery people list"/,
    );
    assert.match(
      await refused(2, 'people', 'add', 'x@example.com', '--name', 'X', '--role', 'cook'),
      /--role "cook" is unknown\. Use one of operator, group-administrator/,
    );
  });
});

describe('servery people add', () => {
  test('servery people add: its help lists each role, what it allows and where', async () => {
    for (const command of [
      ['people', 'add'],
      ['people', 'roles', 'give'],
    ]) {
      const help = (await run(...command, '--help')).out.replaceAll(/\s+/g, ' ');
      for (const name of roleNames) {
        const { allows, places } = roles[name];
        const flags = places.map((place) => (place === 'platform' ? 'the whole' : `--${place}`));
        const words = `${name.toLowerCase().replaceAll('_', '-')} ${allows} Applies to`;
        assert.ok(help.includes(words), words);
        const [where = ''] = help.slice(help.indexOf(words) + words.length).split('.');
        for (const flag of flags) assert.ok(where.includes(flag), `${name}: ${flag}`);
      }
    }
    const both = ['--role', 'read-only', '--group', 'Wrenfield', '--restaurant', 'Early'];
    const two = await refused(2, 'people', 'add', 'x@example.com', '--name', 'X', ...both);
    assert.match(two, /a role applies to one place/);
  });

  test('servery people add: an account that was there, beyond reach, is told loudly', async () => {
    const elsewhere = ['--role', 'read-only', '--name', 'Boss'];
    const { person } = await json<InvitedPerson>('people', 'add', 'boss@example.com', ...elsewhere);
    const group = [
      '--group',
      'Wrenfield',
      '--type',
      'back-office',
      '--name',
      'People of Wrenfield',
    ];
    const { client, clientSecret } = await json<IssuedApiClientSecret>(
      ...['clients', 'create', ...group, '--scopes', 'all'],
    );
    const account = { SERVERY_CLIENT_ID: client.clientId, SERVERY_CLIENT_SECRET: clientSecret };
    const env = { SERVERY_DATA_DIR: platform.dataDir, ...account };
    const role = ['--role', 'read-only', '--restaurant', WREN];
    const add = ['people', 'add', 'boss@example.com', '--name', 'Boss', ...role];
    const unasked = await runHere(add, env);
    assert.deepEqual([unasked.code, unasked.out], [3, '']);
    assert.match(unasked.err, /Ask the person, .* is theirs\. Then add --existing-account\./);
    const { code, out, err } = await runHere([...add, '--existing-account'], env);
    assert.equal(code, 0, err);
    assert.match(out, /^WARNING: an account with the address boss@example\.com already existed/);
    assert.match(out, /It has no password yet, and its old links no longer work\. An operator/);
    const shown = await json<Person>('people', 'show', person.personGuid);
    const given = shown.roles.find(({ restaurantGuid }) => restaurantGuid !== null);
    assert.ok(out.includes(`servery people roles take boss@example.com ${given?.roleGuid}`), out);
  });
});

describe('servery audit', () => {
  test('servery audit: what was changed is listed, exported and verified', async () => {
    const listed = await run('audit', 'list', '--limit', '5');
    assert.equal(listed.code, 0, listed.err);
    const file = path.join(platform.dataDir, 'audit.ndjson');
    const exported = await run('audit', 'export', '--out', file);
    assert.match(exported.err, /^Wrote .*audit\.ndjson\.\n$/);
    const verified = await run('audit', 'verify', '--file', file);
    assert.equal(verified.code, 0, verified.err);
    assert.match(verified.out, /^The audit log is intact up to position \d+/);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    for (const touched of [
      ['rubbish', ...lines],
      lines.filter((_, index) => index !== 2),
      [...lines.slice(0, 2), ...lines.slice(2, 4).reverse(), ...lines.slice(4)],
      [...lines.slice(0, 3), ...lines.slice(2)],
    ]) {
      await writeFile(file, `${touched.join('\n')}\n`);
      const told = await refused(1, 'audit', 'verify', '--file', file);
      assert.match(told, /the audit log is broken at/);
    }
    await writeFile(file, 'rubbish\n');
    const other = await refused(2, 'audit', 'verify', '--file', file);
    assert.match(other, /audit\.ndjson: it is no export of the audit log/);
    assert.match(
      await refused(1, 'audit', 'verify', '--file', '/nowhere/x'),
      /cannot be read: there is no such file/,
    );
  });
});

describe('servery orders', () => {
  test('servery orders: an order is named by its number, and its items by theirs', async () => {
    const { guid, displayNumber, checks } = await orderAt(platform, null);
    const number = String(displayNumber);
    const [check] = checks;
    const [item] = check?.selections ?? [];
    const { out } = await run('orders', 'list', '--open');
    const total = check?.totalAmount.toFixed(2);
    const row = `^${number} +${guid} +\\d{4}-\\d\\d-\\S+ +\\S+ +${total} USD `;
    assert.match(out, new RegExp(row, 'm'));
    const paid = await json<BackOfficeOrder>('orders', 'pay', number, '--amount', '1');
    assert.equal(paid.order.checks[0]?.payments[0]?.checkGuid, check?.guid, 'the only check');
    const name = item?.displayName.split(' ').at(-1) ?? '';
    const voided = await json<BackOfficeOrder>('orders', 'void-item', number, name);
    assert.equal(voided.order.checks[0]?.selections[0]?.voided, true);
  });

  test('servery orders: what is wrong is said, with what to do', async () => {
    const { displayNumber } = await orderAt(platform, null);
    const number = String(displayNumber);
    const check = ['--check', GUID, '--amount', '1'];
    const wrong: readonly (readonly [code: number, told: RegExp, ...args: string[]])[] = [
      [
        2,
        /no order that you have access to is named "9999"\. "servery orders list" /,
        'show',
        '9999',
      ],
      [3, /no such order at this restaurant.* needs --restaurant\./, 'show', GUID],
      [2, /--items "x" is not the GUID of a selection/, 'fire', number, '--items', 'x'],
      [
        3,
        /The order has no top-level selection 1111.*orders show/,
        'fire',
        number,
        '--items',
        GUID,
      ],
      [3, /The order has no such check\. "servery orders show" /, 'pay', number, ...check],
      [2, /no selection of this order .*"chair"/, 'void-item', number, 'chair'],
      [3, /reject is not possible\. Legal now: .*void-item/, 'reject', number, '--reason', 'No.'],
    ];
    for (const [code, told, ...args] of wrong) {
      assert.match(await refused(code, 'orders', ...args), told, args.join(' '));
    }
  });
});
