import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../server/test/database.ts';
import { type RunOptions, servery } from './command.ts';
import { smallGroup } from './documents.ts';
import { runHere } from './remote-platform.ts';

let own: TestDatabase;
let folder: string;

before(async () => {
  own = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-'));
});
after(async () => {
  await own.drop();
  await rm(folder, { recursive: true });
});

/** In a process of its own only if the command reads its input, or is watched. */
const run = (args: readonly string[], options?: RunOptions) => {
  const env = { DATABASE_URL: own.url, SERVERY_DATA_DIR: folder };
  return options ? servery(args, { ...options, env }) : runHere(args, env);
};

const document = async (name: string, content: unknown): Promise<string> => {
  const file = path.join(folder, `${name}.json`);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  return file;
};

const groupNames = async (): Promise<string[]> =>
  (await own.database.sql<{ name: string }[]>`select name from management_group`).map(
    ({ name }) => name,
  );

describe('servery import and export', { concurrency: 2 }, () => {
  test('servery import shows accounts once; its export goes in and out the same', async () => {
    const file = await document('trip', smallGroup('Trip'));
    const imported = await run(['import', file]);
    assert.equal(imported.code, 0, imported.err);
    assert.match(imported.out, /Imported Trip \([-0-9a-f]{36}\):\n/);
    assert.match(imported.out, /clientId {6}trip-courier\n {4}clientSecret {2}svs_\S{43}\n/);
    assert.match(imported.err, /importing: 2 of 2\n/);
    const target = path.join(folder, 'trip-out.json');
    const exported = await run(['export', '--group', 'Trip', '--out', target]);
    assert.equal(exported.code, 0, exported.err);
    assert.equal(exported.out, '');
    const text = await readFile(target, 'utf8');
    assert.ok(text.includes('Caffè 🍰'));
    assert.ok(!text.includes('svs_'));
    const again = await run(['import', target, '--replace', '--json']);
    assert.equal(again.code, 0, again.err);
    const { changedObjects, newClients } = JSON.parse(again.out);
    assert.deepEqual({ changedObjects, newClients }, { changedObjects: 0, newClients: [] });
    for (const name of ['Trip', 'TRIP', ' tri']) {
      assert.equal((await run(['export', '--group', name])).out, text, name);
    }
    const left = (await readdir(folder)).filter((name) => name.startsWith('trip-out'));
    assert.deepEqual(left, ['trip-out.json']);
  });

  test('servery import PAY-4 says where an account finds its new card keys', async () => {
    const { clients = [], ...rest } = smallGroup('Till');
    const scopes = ['credit_cards.authorization:write'];
    const paying = { ...rest, clients: clients.map((client) => ({ ...client, scopes })) };
    const { code, out, err } = await run(['import', await document('till', paying)]);
    assert.equal(code, 0, err);
    assert.match(
      out,
      /public keys at GET \/platform\/v1\/cardEncryptionKeys:\n {2}till-courier\n$/,
    );
    const unchanged = await run(['import', path.join(folder, 'till.json'), '--replace']);
    assert.doesNotMatch(unchanged.out, /card keys/);
  });

  test('servery import exits with 1 for a group that exists, and names the way out', async () => {
    const file = await document('twice', smallGroup('Twice'));
    assert.equal((await run(['import', file])).code, 0);
    const { code, out, err } = await run(['import', file]);
    assert.equal(code, 1);
    assert.equal(out, '');
    assert.match(err, /The group "Twice" .* exists already: add --replace/);
  });

  test('servery import exits with 2 and tells each fault with its place', async () => {
    const faulty = smallGroup('Faulty') as unknown as Record<string, unknown>;
    faulty.conections = [];
    const text = JSON.stringify(faulty, null, 2).replace('"Europe/Rome"', '"Europe/Roma"');
    const { code, out, err } = await run(['import', '-', '--json'], { input: text });
    assert.equal(code, 2);
    assert.match(err, /the document has 2 errors and nothing was imported:\n/);
    assert.match(err, /\n\d+:\d+ restaurants\[0\]\.info\.general\.timeZone: "Europe\/Roma" is no/);
    assert.match(err, /\n\d+:\d+ conections: is no field here; perhaps "connections" is meant/);
    const { valid, faultCount, faults } = JSON.parse(out);
    assert.deepEqual([valid, faultCount, faults[0].path], [false, 2, faults[0].path]);
    const [timeZone] = faults;
    const line = text.split('\n')[timeZone.line - 1] ?? '';
    assert.ok(line.slice(timeZone.column - 1).startsWith('"Europe/Roma"'));
    assert.ok(!(await groupNames()).includes('Faulty'));
  });

  test('servery import --check only checks', async () => {
    const file = await document('checked', smallGroup('Checked'));
    assert.deepEqual(await run(['import', file, '--check', '--json']), {
      code: 0,
      out: '{\n  "valid": true\n}\n',
      err: '',
    });
    assert.ok(!(await groupNames()).includes('Checked'));
  });

  test('servery import exits with 1 for a file that is not there, or is a folder', async () => {
    const missing = await run(['import', path.join(folder, 'nowhere.json')]);
    assert.equal(missing.code, 1);
    assert.match(missing.err, /nowhere\.json cannot be read: there is no such file\n$/);
    assert.match((await run(['import', folder])).err, /cannot be read: it is a directory\n$/);
  });

  test('servery export exits with 2 for an unknown group and leaves no file behind', async () => {
    const target = path.join(folder, 'nobody.json');
    const { code, err } = await run(['export', '--group', 'Nobody', '--out', target]);
    assert.equal(code, 2);
    assert.match(err, /No single group matches "Nobody"|There is no management group/);
    const left = (await readdir(folder)).filter((name) => name.startsWith('nobody'));
    assert.deepEqual(left, []);
  });

  test('servery generate ends with 0 when its reader has seen enough', async () => {
    const { code, err } = await run(['generate', 'demo'], {
      onStart: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    });
    assert.equal(code, 0, err);
    assert.equal(err, '');
  });
});
