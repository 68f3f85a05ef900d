import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { BackOfficePayment, ClockMove, ClockStatus } from '@servery/contract';
import { type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

const GUID = '11111111-1111-4111-8111-111111111111';

/** Every verb that takes a word of a certain form, with rubbish, and what it is told. */
const rubbish: readonly (readonly [readonly string[], RegExp])[] = [
  [['clock', 'advance', '-5m'], /"-5m" is negative\. .*clock set/],
  [['clock', 'advance', '0s'], /"0s" is no time at all/],
  [['clock', 'advance', '5'], /"5" is not a duration\. Use 30s, 5m/],
  [['clock', 'set', 'tomorrow'], /"tomorrow" is not a time\. Use ISO 8601/],
  [['clock', 'set', '-5m'], /"-5m" is not a time/],
  [['clock', 'set', '2026-03-29T03:30:00'], /is not a time\. .* with Z or an offset/],
  [['clock', 'set', '2026-02-30T03:30:00Z'], /is not a time/],
  [['clock', 'set', '+012026-03-29T03:30:00Z'], /is not a time/],
  [['payments', 'show', 'bla'], /"bla" is not the GUID of a payment\. "servery payments/],
  [['payments', 'events', `${GUID}0`], /is not the GUID of a payment/],
  [['payments', 'fulfil', 'bla'], /is not the GUID of a payment/],
  [['payments', 'capture', ''], /"" is not the GUID of a payment/],
  [['payments', 'apply', GUID, '--check', 'x'], /"x" is not the GUID of a check/],
  [['payments', 'tip', GUID, '--amount', 'two'], /--amount must be an amount in currency units/],
  [['payments', 'void', GUID, '--reason', ' '], /--reason is empty/],
  [['payments', 'show', GUID, '--restaurant', ' '], /which restaurant\? The name is empty/],
  [
    ['payments', 'list', '--payment-state', 'reviewed'],
    /--payment-state "REVIEWED" is not .* Use one .* REVIEW/,
  ],
  [['payments', 'list', '--payment-state', ''], /--payment-state "" is not a payment state/],
  [['payments', 'list', '--client', 'a/b'], /"a\/b" is not a client ID/],
  [['payments', 'list', '--created-from', 'x'], /--created-from "x" is not a time/],
  [['payments', 'list', '--created-to', 'x'], /--created-to "x" is not a time/],
  [['payments', 'list', '--due-before', 'x'], /--due-before "x" is not a time/],
  [['payments', 'list', '--limit', '1.5'], /Use a number from 1 to 2000/],
  [['stock', 'ran-out', '--date', '2026-02-30'], /--date "2026-02-30" is not a date/],
  [['clients', 'usage', 'x', '--from', 'yesterday'], /--from "yesterday" is not a date/],
  [['clients', 'usage', 'x', '--to', '2026-1-1'], /--to "2026-1-1" is not a date/],
  [['partners', 'events', 'x', '--after', '-1'], /--after "-1" is not a position/],
  [['audit', 'export', '--after', 'x'], /--after "x" is not a position/],
  [['requests', 'list', '--status', 'foo'], /--status "foo" is not a status/],
  [['alarms', 'acknowledge', 'bla', '--note', 'x'], /"bla" is not the GUID of an alarm\. "serv/],
  [['alarms', 'acknowledge', GUID, '--note', ''], /--note is empty/],
  [['keys', 'list', 'a/b'], /"a\/b" is not a client ID/],
  [['keys', 'issue', 'x', '--not-after', '2027'], /--not-after "2027" is not a time/],
  [['keys', 'issue', 'x', '--algorithm', 'RSA-OAEP-SHA1'], /works only for legacy keys/],
  [['keys', 'retire', 'partner', 'x'], /"x" is not a card key\. Use its ID, <ALGORITHM>::/],
];

describe('servery and rubbish', { concurrency: 2 }, () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-rubbish-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  for (const [args, told] of rubbish) {
    test(`servery ${args.join(' ')} exits with 2 before anything is sent`, async () => {
      const { code, out, err } = await runHere(args, {
        SERVERY_DATA_DIR: folder,
        // Nothing listens there: whoever sends something is told so, with 1.
        SERVERY_URL: 'http://127.0.0.1:9',
        SERVERY_CLIENT_ID: 'operator',
        SERVERY_CLIENT_SECRET: 'svs_of-this-test-only',
      });
      assert.deepEqual([code, out], [2, ''], err);
      assert.match(err, told);
    });
  }
});

describe('servery and what is not there', () => {
  let platform: RemotePlatform;
  useRemotePlatform((shared) => {
    platform = shared;
  });

  const refused = async (args: readonly string[]): Promise<string> => {
    const { code, out, err } = await platform.run(args);
    assert.deepEqual([code, out], [3, ''], err);
    assert.doesNotMatch(err, /path/, 'nobody wrote a path');
    return err;
  };

  test('servery 404: every verb says what it looked for, where, and what lists them', async () => {
    const at =
      /refused with 404: .* needs --restaurant\. "servery payments list" shows what there is/;
    for (const verb of ['show', 'events', 'fulfil', 'capture']) {
      assert.match(await refused(['payments', verb, GUID]), at);
    }
    assert.match(await refused(['payments', 'apply', GUID, '--check', GUID]), at);
    assert.match(await refused(['payments', 'tip', GUID, '--amount', '1']), at);
    assert.match(await refused(['payments', 'void', GUID, '--reason', 'gone']), at);
    const far = ['payments', 'show', GUID, '--restaurant', GUID];
    assert.match(await refused(far), /refused with 404/);
    for (const verb of ['list', 'issue']) {
      assert.match(await refused(['keys', verb, 'nobody']), /"servery clients list" shows/);
    }
    for (const verb of ['activate', 'retire', 'destroy']) {
      const key = ['keys', verb, 'partner', 'ECDH-ES::x'];
      assert.match(await refused(key), /"servery keys list <client>" shows/);
    }
    const alarm = ['alarms', 'acknowledge', GUID, '--note', 'x'];
    assert.match(await refused(alarm), /"servery alarms --all" shows/);
    const account = ['clients', 'show', 'nobody'];
    assert.match(await refused(account), /"servery clients list" shows/);
    const past = ['keys', 'issue', 'partner', '--not-after', '2020-01-01T00:00Z'];
    assert.match(await refused(past), /422: --not-after must be in the future\./);
  });

  test('servery: what nobody has as a name is told with the command that lists names', async () => {
    const told = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await platform.run(args);
      assert.deepEqual([code, out], [2, ''], err);
      return err;
    };
    const account =
      /no API account that you have access to is named "No such"\. .*"servery clients list"/;
    assert.match(await told('payments', 'list', '--client', 'No such'), account);
    assert.match(await told('keys', 'issue', 'No such'), account);
    assert.match(await told('clients', 'revoke', 'No such'), account);
    assert.match(
      await told('config', 'objects', 'dishes'),
      /no collection "dishes"\. .*, menuItems,/,
    );
    const dish = ['config', 'discard', 'menuItems/No such'];
    assert.match(await told(...dish), /"servery config objects menuItems" shows what there is/);
    const role = ['people', 'roles', 'give', 'operator@demo.example', '--role', 'read-only'];
    assert.match(await told(...role, '--group', 'Nowhere'), /"servery groups list"/);
    for (const kind of ['partners', 'people', 'clients']) {
      const slip = await told(kind, 'edit', GUID, '--set', 'nmae=x');
      assert.match(slip, /"nmae" is not a field here\. Use one of .*name/);
    }
    const tips = await told('config', 'tip-withholding', '--set', 'percent=1');
    assert.match(tips, /Use one of enabled, percentage\./);
    const place = [...role.slice(0, -1), 'group-administrator'];
    assert.match(
      await told(...place),
      /group-administrator applies to a management group \(--group\)\. Add the option/,
    );
  });

  test('servery: flags and fields that are missing or wrong are told by their names', async () => {
    const { err } = await platform.run(['restaurants', 'create', '--name', 'X']);
    assert.match(err, /a new restaurant needs --group, --time-zone, --currency\. /);
    const field = await platform.run(['groups', 'create', '--name', '']);
    assert.match(field.err, /422: --name must have 1 to 255 characters\. \(request /);
    const group = ['groups', 'edit', 'Wrenfield Hospitality', '--set', 'nme=x'];
    const edited = await platform.run(group);
    assert.match(edited.err, /422: nme is no field here; perhaps "name" is meant\. \(request /);
  });

  test('servery takes instants in every form of ISO 8601 that says where it is', async () => {
    const filters = ['--created-from', '2020-01-01T00:00+02:00', '--due-before', '20200102T00Z'];
    assert.deepEqual(
      await platform.json<BackOfficePayment[]>(['payments', 'list', ...filters]),
      [],
    );
    const { now } = await platform.json<ClockStatus>(['clock']);
    const inHours = (hours: number) =>
      new Date(Date.parse(now) + hours * 3_600_000).toISOString().slice(0, 16);
    const { clock } = await platform.json<ClockMove>(['clock', 'set', `${inHours(3)}+02:00`]);
    assert.equal(clock.now.slice(0, 16), inHours(1));
  });
});
