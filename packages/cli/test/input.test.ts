import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { runHere } from './remote-platform.ts';

let folder: string;
let empty: string;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-input-'));
  empty = path.join(folder, 'empty.json');
  await writeFile(empty, '{}');
});
after(() => rm(folder, { recursive: true, force: true }));

const NO_FIELDS = /which fields\? Use --set field=value, --file, or another option\.\n$/;
const NO_TIME = /"soon" is not a time\. Use /;
const MISSING = /missing\.yaml cannot be read: there is no such file\n$/;

// Names of restaurants and others make the command ask the platform, which nobody can reach here.
const refused: readonly (readonly [line: readonly string[], told: RegExp])[] = [
  [
    ['restaurants', 'create', '--group', 'Wrenfield', '--set', 'general.currencyCode=EUR'],
    /a new restaurant needs --name, --time-zone\. --set and --file take their fields too\.\n$/,
  ],
  [['restaurants', 'edit', 'Wren'], NO_FIELDS],
  [['groups', 'edit', 'Wrenfield'], NO_FIELDS],
  [['partners', 'edit', 'Orderwhistle'], NO_FIELDS],
  [['clients', 'edit', 'Till 2'], NO_FIELDS],
  [['people', 'edit', 'Ada'], NO_FIELDS],
  [['webhooks', 'edit', 'hooks'], NO_FIELDS],
  [['config', 'create', 'menuItems', '--restaurant', 'Wren'], NO_FIELDS],
  [['config', 'edit', 'menuItems', 'Soup', '--restaurant', 'Wren'], NO_FIELDS],
  [
    ['config', 'edit', 'menuItms', 'Soup', '--restaurant', 'Wren'],
    /no collection "menuItms"\. Did/,
  ],
  [['config', 'publish', '--object', 'Soup', '--restaurant', 'Wren'], /"Soup" does not name an/],
  [['config', 'plan', 'missing.yaml', '--restaurant', 'Wren'], MISSING],
  [['people', 'edit', 'Ada', '--set', 'nmae=Ada'], /"nmae" is not a field here\. Use one of email/],
  [['partners', 'edit', 'Orderwhistle', '--file', 'missing.yaml'], MISSING],
  [['stock', 'set', '--file', 'missing.yaml', '--restaurant', 'Wren'], MISSING],
  [['stock', 'set', 'Soup', 'out', '--until', 'soon', '--restaurant', 'Wren'], NO_TIME],
  [['webhooks', 'replay', 'hooks', '--since', 'soon'], NO_TIME],
  [['clients', 'secrets', 'add', 'Till 2', '--expires', 'soon'], NO_TIME],
  [
    ['clients', 'create', '--type', 'partner', '--name', 'Till 2', '--scopes', 'all'],
    /which partner is the account for\? Use --partner\.\n$/,
  ],
  [
    ['clients', 'create', '--type', 'customer', '--name', 'Group', '--scopes', 'all'],
    /which management group is the account for\? Use --group\.\n$/,
  ],
];

describe('servery, input that is missing or wrong', { concurrency: 2 }, () => {
  const run = (line: readonly string[]) =>
    runHere(line, {
      SERVERY_URL: 'http://127.0.0.1:9',
      SERVERY_CLIENT_ID: 'operator',
      SERVERY_CLIENT_SECRET: 'svs_of-this-test-only',
      XDG_CONFIG_HOME: folder,
    });
  for (const [line, told] of refused) {
    test(`servery ${line.join(' ')} is refused before the platform is asked`, async () => {
      const { code, out, err } = await run(line);
      assert.deepEqual([code, out], [told === MISSING ? 1 : 2, ''], err);
      assert.match(err, told);
    });
  }

  test('servery edit refuses a file without fields before the platform is asked', async () => {
    const { code, err } = await run(['groups', 'edit', 'Wrenfield', '--file', empty]);
    assert.equal(code, 2);
    assert.match(err, /empty\.json has no fields\. Write field: value\.\n$/);
  });
});
