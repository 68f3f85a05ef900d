import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { BackOfficePayment, ClockMove } from '@servery/contract';
import { type RemotePlatform, runHere, startRemotePlatform } from './remote-platform.ts';

const GUID = '11111111-1111-4111-8111-111111111111';

/** Every verb that takes a word of a certain form, with rubbish, and what it is told. */
const rubbish: readonly (readonly [readonly string[], RegExp])[] = [
  [['clock', 'advance', '-5m'], /"-5m" leads back: write a duration such as 5m .*clock set/],
  [['clock', 'advance', '0s'], /"0s" leads nowhere: write a duration such as 5m/],
  [['clock', 'advance', '5'], /"5" is no duration: write 30s, 5m/],
  [['clock', 'set', 'tomorrow'], /"tomorrow" is no instant: write date and time in ISO 8601/],
  [['clock', 'set', '-5m'], /"-5m" is no instant/],
  [['clock', 'set', '2026-03-29T03:30:00'], /is no instant: .* with Z or an offset/],
  [['clock', 'set', '2026-02-30T03:30:00Z'], /is no instant/],
  [['clock', 'set', '+012026-03-29T03:30:00Z'], /is no instant/],
  [['payments', 'show', 'bla'], /"bla" is no payment: write its paymentUuid\. "servery payments/],
  [['payments', 'events', `${GUID}0`], /is no payment/],
  [['payments', 'fulfil', 'bla'], /is no payment/],
  [['payments', 'capture', ''], /"" is no payment/],
  [['payments', 'apply', GUID, '--check', 'x'], /"x" is no check: write its GUID/],
  [['payments', 'void', GUID, '--reason', ' '], /--reason is empty: say it in a few words/],
  [['payments', 'show', GUID, '--restaurant', ' '], /which restaurant\? Its name is empty/],
  [
    ['payments', 'list', '--payment-state', 'reviewed'],
    /--payment-state "REVIEWED" is no .*: write one .* REVIEW/,
  ],
  [['payments', 'list', '--payment-state', ''], /--payment-state "" is no state/],
  [['payments', 'list', '--client', 'a/b'], /"a\/b" is no client: write its clientId/],
  [['payments', 'list', '--created-from', 'x'], /--created-from "x" is no instant: write date/],
  [['payments', 'list', '--created-to', 'x'], /--created-to "x" is no instant/],
  [['payments', 'list', '--due-before', 'x'], /--due-before "x" is no instant/],
  [['payments', 'list', '--limit', '1.5'], /Say a number from 1 to 2000/],
  [
    ['stock', 'ran-out', '--date', '2026-02-30'],
    /--date "2026-02-30" is no day: write one such as/,
  ],
  [['clients', 'usage', 'x', '--from', 'yesterday'], /--from "yesterday" is no day/],
  [['clients', 'usage', 'x', '--to', '2026-1-1'], /--to "2026-1-1" is no day/],
  [['partners', 'events', 'x', '--after', '-1'], /--after "-1" is no position: write a whole/],
  [['audit', 'export', '--after', 'x'], /--after "x" is no position/],
  [['requests', 'list', '--status', 'foo'], /--status "foo" is none: write one such as 403/],
  [['alarms', 'acknowledge', 'bla', '--note', 'x'], /"bla" is no alarm: write its GUID\. "serv/],
  [['alarms', 'acknowledge', GUID, '--note', ''], /--note is empty/],
  [['keys', 'list', 'a/b'], /"a\/b" is no client/],
  [['keys', 'issue', 'x', '--not-after', '2027'], /--not-after "2027" is no instant/],
  [['keys', 'issue', 'x', '--algorithm', 'RSA-OAEP-SHA1'], /only for a key with --legacy/],
  [['keys', 'retire', 'partner', 'x'], /"x" is no card key: write its id, <ALGORITHM>::/],
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
  before(async () => {
    platform = await startRemotePlatform();
  });
  after(() => platform.stop());

  const refused = async (args: readonly string[]): Promise<string> => {
    const { code, out, err } = await platform.run(args);
    assert.deepEqual([code, out], [3, ''], err);
    assert.doesNotMatch(err, /path/, 'nobody wrote a path');
    return err;
  };

  test('servery 404: every verb says what it looked for, where, and what lists them', async () => {
    const at = /^servery: the platform refused with 404: there is no payment 1{8}-.* at The Early/;
    for (const verb of ['show', 'events', 'fulfil', 'capture']) {
      assert.match(await refused(['payments', verb, GUID]), at);
    }
    assert.match(await refused(['payments', 'apply', GUID, '--check', GUID]), at);
    assert.match(await refused(['payments', 'void', GUID, '--reason', 'gone']), at);
    const far = ['payments', 'show', GUID, '--restaurant', GUID];
    assert.match(await refused(far), /or no such restaurant within reach of the client operator/);
    for (const verb of ['list', 'issue']) {
      assert.match(await refused(['keys', verb, 'nobody']), /demo\.json: partner, readOnly, group/);
    }
    for (const verb of ['activate', 'retire', 'destroy']) {
      const key = ['keys', verb, 'partner', 'ECDH-ES::x'];
      assert.match(await refused(key), /partner has no card key ECDH-ES::x\. "servery keys list/);
    }
    const alarm = ['alarms', 'acknowledge', GUID, '--note', 'x'];
    assert.match(await refused(alarm), /there is no alarm 1{8}-.*"servery alarms --all" shows/);
    const account = ['clients', 'show', 'nobody'];
    assert.match(await refused(account), /there is no API account nobody within reach of the cli/);
    const past = ['keys', 'issue', 'partner', '--not-after', '2020-01-01T00:00Z'];
    assert.match(await refused(past), /422: --not-after must be in the future\./);
  });

  test('servery: what nobody has as a name is told with the command that lists names', async () => {
    const told = async (...args: string[]): Promise<string> => {
      const { code, out, err } = await platform.run(args);
      assert.deepEqual([code, out], [2, ''], err);
      return err;
    };
    const account = /no API account within reach is called "No such"\. .*"servery clients list"/;
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
      assert.match(slip, /"nmae" is no field to change here: write one of .*name/);
    }
    const tips = await told('config', 'tip-withholding', '--set', 'percent=1');
    assert.match(tips, /write one of enabled, percentage\./);
    const place = [...role.slice(0, -1), 'group-administrator'];
    assert.match(
      await told(...place),
      /group-administrator applies to a management group \(--group\): add the flag/,
    );
  });

  test('servery: flags and fields that are missing or wrong are told by their names', async () => {
    const { err } = await platform.run(['restaurants', 'create', '--name', 'X']);
    assert.match(err, /400: --time-zone, --group and --currency are missing\. \(request /);
    const field = await platform.run(['groups', 'create', '--name', '']);
    assert.match(field.err, /422: name must have 1 to 255 characters\. \(request /);
    const group = ['groups', 'edit', 'Wrenfield Hospitality', '--set', 'nme=x'];
    const edited = await platform.run(group);
    assert.match(edited.err, /422: nme is no field here; perhaps "name" is meant\. \(request /);
  });

  test('servery takes instants in every form of ISO 8601 that says where it is', async () => {
    const filters = ['--created-from', '2020-01-01T00:00+02:00', '--due-before', '20300101T00Z'];
    assert.deepEqual(
      await platform.json<BackOfficePayment[]>(['payments', 'list', ...filters]),
      [],
    );
    const { clock } = await platform.json<ClockMove>(['clock', 'set', '2027-03-29T03:30+02:00']);
    assert.match(clock.now, /^2027-03-29T01:30:/);
  });
});
