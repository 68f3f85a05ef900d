import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type {
  AppliedConfiguration,
  ConfigurationDraft,
  ConfigurationObject,
  ConfigurationPlan,
  Publication,
} from '@servery/contract';
import { type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

/** A small restaurant, except where size matters: each command reads all that is published. */
const SMALL = ['--restaurant', 'Corner House'];
const LARGE = ['--restaurant', 'Hudhud'];

let platform: RemotePlatform;
useRemotePlatform(async (shared) => {
  platform = shared;
  const place = ['--time-zone', 'America/New_York', '--currency', 'USD', '--group', 'Wrenfield'];
  await platform.json(['restaurants', 'create', '--name', 'Corner House', ...place]);
});

const run = (...args: string[]) => platform.run(['config', ...args, ...SMALL]);
const json = <Body>(...args: string[]) => platform.json<Body>(['config', ...args, ...SMALL]);

async function fileOf(name: string, text: string): Promise<string> {
  const file = path.join(platform.dataDir, name);
  await writeFile(file, text);
  return file;
}

const menu = (calories: number) => `# What the kitchen does
format: servery.configuration/1
configuration:
  menuItems:
    - name: Zanzibar Stew
      plu: "9901"
      calories: ${calories}
`;

// One after the other: they publish the same restaurant.
describe('servery config', () => {
  test('servery config apply: what was planned, once; a second time nothing', async () => {
    const file = await fileOf('menu.yaml', menu(480));
    const plan = await json<ConfigurationPlan>('plan', file);
    assert.deepEqual([plan.isUpToDate, plan.counts.create], [false, 1]);
    const shown = await run('plan', file);
    assert.match(shown.out, /^create +menuItems +Zanzibar Stew$/m);
    assert.match(shown.err, /1 created, 0 changed, 0 archived, 0 restored\. State /);
    const differs = await run('diff', file);
    assert.equal(differs.code, 5);
    assert.equal(differs.err, '');
    const applied = await json<AppliedConfiguration>('apply', file, '--expect', plan.state);
    assert.equal(applied.publication?.counts.added, 1);
    const again = await json<AppliedConfiguration>('apply', file);
    assert.equal(again.publication, null);
    const told = await run('apply', file);
    assert.equal(told.out, 'The configuration already matches the document.\n');
    assert.match(
      told.err,
      /^Nothing was published\. Publication \d+ is still current\.\n$/,
      'told once',
    );
    const same = await run('diff', file);
    assert.deepEqual([same.code, same.out], [0, '']);
  });

  test('servery config draft: nothing is published, and a draft is not lost', async () => {
    const file = await fileOf('menu.yaml', menu(490));
    const drafted = await json<ConfigurationDraft>('draft', file);
    assert.deepEqual(
      drafted.results.map(({ name, change }) => `${change} ${name}`),
      ['CHANGE Zanzibar Stew'],
    );
    const other = await fileOf('menu.yaml', menu(495));
    const refused = await run('draft', other);
    assert.match(refused.err, /calories: has another value in the draft of/);
    assert.match((await run('draft', other, '--conflicts', 'replace')).out, /1 drafts now/);
    await run('discard');
  });

  test('servery config diff: field by field', async () => {
    const { code, out } = await run('diff', await fileOf('menu.yaml', menu(500)));
    assert.equal(code, 5);
    assert.match(out, /^menuItems Zanzibar Stew +calories +480 +500$/m);
  });

  test('servery config export gives what apply takes, as YAML and as JSON', async () => {
    const yaml = path.join(platform.dataDir, 'export.yaml');
    const whole = (...args: string[]) => platform.run(['config', ...args, ...LARGE]);
    assert.match((await whole('export', '--names', '--out', yaml)).err, /^Wrote .*export\.yaml/);
    assert.match(await readFile(yaml, 'utf8'), /^format: servery\.configuration\/1$/m);
    const out = (await whole('export', '--json')).out;
    assert.equal(JSON.parse(out).restaurant.name, 'Hudhud Kitchens هدهد');
    assert.equal((await whole('diff', await fileOf('export.json', out))).code, 0);
    const env = { SERVERY_DATA_DIR: platform.dataDir };
    const named = await runHere(['config', 'diff', yaml], env);
    assert.equal(named.code, 0, 'the document says whose it is');
  });

  test('servery config apply: faults are told with their lines, and nothing changes', async () => {
    const wrong = `${menu(480)}    - name: Two\n      calories: many\n`;
    const file = await fileOf('wrong.yaml', wrong);
    const { code, out, err } = await run('apply', file);
    assert.deepEqual([code, out], [3, '']);
    assert.match(err, /nothing was changed/);
    assert.match(err, /wrong\.yaml:9: .*calories/);
    const twice = await run('plan', await fileOf('twice.yaml', 'a: 1\na: 2\n'));
    assert.equal(twice.code, 2);
    assert.match(twice.err, /twice\.yaml:2:1: Map keys must be unique/);
    const list = await run('plan', await fileOf('list.yaml', '- a\n'));
    assert.match(list.err, /list\.yaml:1: write a configuration document/);
  });

  test('servery config edit, preview, publish, rollback: a change by hand and back', async () => {
    const before = await json<Publication[]>('history', '--limit', '1');
    const edit = ['edit', 'menuItems', 'Zanzibar Stew', '--set', 'calories=510'];
    const drafted = await run(...edit);
    assert.match(drafted.out, /^Drafted: menuItems Zanzibar Stew \(\S+\) — change\.$/m);
    assert.match((await run('drafts')).out, / Zanzibar Stew +change /);
    const preview = await run('preview');
    assert.match(preview.out, /^changed +menuItems +Zanzibar Stew +calories: 480 → 510$/m);
    const [, state = ''] = /--expect (\S+)/.exec(preview.err) ?? [];
    const published = await run('publish', '--expect', state, '--note', 'bigger ones');
    assert.match(published.out, /^Published as \d+: 0 added, 1 changed, 0 removed\.$/m);
    const nothing = await run('publish');
    assert.deepEqual([nothing.code, nothing.out], [3, '']);
    assert.match(nothing.err, /refused with 409/);
    assert.match((await run('history')).out, / bigger ones$/m);
    const number = String(before[0]?.number);
    assert.equal((await run('publication', number)).code, 0);
    assert.match((await run('rollback', number)).out, /^Published as \d+: 0 added, 1 changed/);
    const object = await json<ConfigurationObject>('show', 'menuItems', 'zanzibar');
    assert.equal((object.published as { calories: number }).calories, 480);
  });

  test('servery config create, archive, discard: drafts that nobody sees', async () => {
    const created = await json<ConfigurationObject>(
      ...['create', 'printers', '--set', 'name=Pass'],
    );
    assert.equal(created.change, 'CREATE');
    const gone = await run('archive', 'menuItems', 'Zanzibar Stew');
    assert.match(gone.out, /— archive\.$/m);
    const listed = await json<ConfigurationObject[]>('objects', 'menuItems', '--drafted');
    assert.equal(listed.length, 1);
    const discarded = await run('discard', 'Printers/pass');
    assert.equal(discarded.code, 0, discarded.err);
    assert.match((await run('discard')).err, /No drafts are left/);
    assert.match((await run('tip-withholding')).out, /^object\.percentage +0$/m);
    await run('tip-withholding', '--set', 'enabled=true');
    const kept = await json<ConfigurationObject>('tip-withholding', '--set', 'percentage=0.02');
    assert.deepEqual(
      [kept.change, (kept.object as { enabled: boolean }).enabled],
      ['CREATE', true],
      'what is not named stays',
    );
    const preview = await run('preview', '--object', 'tipWithholding');
    const again = '--restaurant "Corner House" --object "tipWithholding"';
    assert.ok(preview.err.includes(again), preview.err);
    assert.equal((await run('discard', 'tipWithholding')).code, 0);
    const wrong = await run('create', 'printers', '--set', 'name=5');
    assert.equal(wrong.code, 3);
    assert.match(wrong.err, /refused with 4\d\d/);
    const none = await run('show', 'menuItems', 'No such dish');
    assert.equal(none.code, 2);
    assert.match(
      none.err,
      /no object that you have access to is named "No such dish"\. "servery config objects menuItems"/,
    );
    assert.match(
      (await run('discard', 'printers')).err,
      /does not name an object\. Use collection\/name or/,
    );
    assert.match((await run('rollback', 'first')).err, /is not the number of a publication/);
  });
});
