import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type {
  Alarm,
  BackOfficePayment,
  CardKey,
  ClockMove,
  ClockStatus,
  Health,
} from '@servery/contract';
import { payAt, type RemotePlatform, sendAsCurl, useRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
useRemotePlatform((shared) => {
  platform = shared;
});

async function token(): Promise<string> {
  const { clientId, clientSecret } = platform.demo.clients.partner;
  const answer = await fetch(`${platform.demo.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Authorizes a payment with what the command printed; gives its UUID. */
const pay = (...flags: string[]): Promise<string> => {
  const card = flags.includes('--card') ? [] : ['--card', '4111111111111111'];
  return payAt(platform, [...card, '--amount', '12.50', ...flags]);
};

// One after the other: they move the one clock that there is.
describe('servery on a running platform', () => {
  test('servery encrypt makes a request that is authorized, with each active key', async () => {
    const { cardKeys } = platform.demo.clients.partner;
    assert.ok(cardKeys.length >= 3);
    for (const { keyId } of cardKeys) {
      const paymentUuid = await pay('--key', keyId, '--tip', '2');
      const shown = await platform.json<BackOfficePayment>(['payments', 'show', paymentUuid]);
      assert.deepEqual([shown.amount, shown.tipAmount, shown.cardLast4], [12.5, 2, '1111']);
    }
  });

  test('servery encrypt takes a public key from a file, in each of its forms', async () => {
    const { cardKeys } = platform.demo.clients.partner;
    const key = cardKeys.at(-1);
    assert.ok(key && cardKeys.length > 1);
    const { keyId, publicKeyPem, publicKeyJwk } = key;
    for (const [name, text, args] of [
      ['pem', publicKeyPem, ['--key', keyId]],
      ['jwk', JSON.stringify(publicKeyJwk), []],
      ['element', JSON.stringify(key), []],
      ['list', JSON.stringify(cardKeys), []],
      ['list', JSON.stringify(cardKeys), ['--key', keyId]],
    ] as const) {
      const file = path.join(platform.dataDir, name);
      await writeFile(file, text);
      await pay('--public-key', file, ...args);
    }
    const nameless = await platform.run([
      ...['encrypt', '--card', '4111111111111111', '--amount', '1'],
      ...['--public-key', path.join(platform.dataDir, 'pem')],
    ]);
    assert.equal(nameless.code, 2);
    assert.match(nameless.err, /which key is it\? Name its ID/);
    const strange = await platform.run([
      ...['encrypt', '--card', '4111111111111111', '--amount', '1', '--key', 'no::key'],
      ...['--public-key', path.join(platform.dataDir, 'list')],
    ]);
    assert.equal(strange.code, 2);
    assert.match(strange.err, /list has no card key no::key\. It has .+::.+, /);
  });

  test('servery encrypt prints the body alone, at the time of the environment', async () => {
    await platform.json<ClockMove>(['clock', 'advance', '3d']);
    const { now } = await platform.json<ClockStatus>(['clock']);
    const args = ['encrypt', '--card', '378282246310005', '--amount', '7'];
    const { code, out, err } = await platform.run(args);
    assert.deepEqual([code, err], [0, '']);
    const body = JSON.parse(out);
    assert.deepEqual([body.amount, body.tipAmount], [7, 0]);
    assert.equal(body.requestMetadata.cardLast4, '0005');
    const lateMs = Date.parse(now) - Date.parse(body.requestMetadata.localTransactionDate);
    assert.ok(Math.abs(lateMs) < 60_000, `${lateMs} ms from the environment's clock`);
  });

  test('servery payments moves a payment, and shows where it may go', async () => {
    const paymentUuid = await pay();
    const check = randomUUID();
    const early = await platform.run(['payments', 'fulfil', paymentUuid]);
    assert.equal(early.code, 3);
    assert.equal(early.out, '');
    assert.match(
      early.err,
      /^servery: the platform refused with 409: .*AUTHORIZED.*apply, void.* \(request [-\w]+\)\n$/,
    );
    const applied = await platform.run(['payments', 'apply', paymentUuid, '--check', check]);
    assert.equal(applied.code, 0, applied.err);
    assert.match(applied.out, /^payment state +APPLIED$/m);
    assert.match(applied.out, /^legal now +fulfil, void, tip$/m);
    assert.match(applied.out, new RegExp(`^check +${check}$`, 'm'));
    const tipped = await platform.run(['payments', 'tip', paymentUuid, '--amount', '0']);
    assert.equal(tipped.code, 0, tipped.err);
    assert.match(tipped.out, /^payment state +APPLIED$/m);
    const voided = ['payments', 'void', paymentUuid, '--reason', 'the guest left'];
    assert.match((await platform.run(voided)).out, /^void reason +the guest left$/m);
    const events = await platform.run(['payments', 'events', paymentUuid]);
    assert.match(events.out, /^version +at +from +cause +to +attempt/);
    assert.match(events.out, /^2 .* PENDING +approved +AUTHORIZED +1/m);
  });

  test('servery payments list filters, and shows no more than it is asked for', async () => {
    await pay();
    const paymentUuid = await pay();
    const filters = ['--payment-state', 'authorized', '--client', 'partner', '--limit', '1'];
    const listed = await platform.run(['payments', 'list', ...filters]);
    assert.equal(listed.code, 0, listed.err);
    assert.match(listed.out, new RegExp(`^${paymentUuid} .* AUTHORIZED +12\\.50 [A-Z]{3} `, 'm'));
    assert.equal(listed.err, '');
    const { name } = platform.demo.restaurants.at(-1) ?? { name: '' };
    const other = await platform.run(['payments', 'list', '--restaurant', name]);
    assert.deepEqual([other.code, other.out], [0, '']);
    assert.match(other.err, /No payment matches/);
  });

  test('servery clock moves time, and tells what fell due on the way', async () => {
    assert.match((await platform.run(['clock', 'freeze'])).out, /FROZEN/);
    const paymentUuid = await pay();
    const { nextDeadline } = await platform.json<ClockStatus>(['clock', 'status']);
    assert.notEqual(nextDeadline, null);
    const moved = await platform.run(['clock', 'advance', '5m']);
    assert.equal(moved.code, 0, moved.err);
    assert.match(
      moved.out,
      new RegExp(` ${paymentUuid} +AUTHORIZED +applyDeadlinePassed +VOID_PE`),
    );
    const shown = await platform.json<BackOfficePayment>(['payments', 'show', paymentUuid]);
    assert.equal(shown.paymentState, 'VOIDED');
    const before = await platform.json<ClockStatus>(['clock']);
    const set = new Date(Date.parse(before.now) + 3_600_000).toISOString();
    assert.equal((await platform.json<ClockMove>(['clock', 'set', set])).clock.now, set);
    assert.match((await platform.run(['clock', 'next'])).out, /^now /);
    assert.match((await platform.run(['clock', 'run'])).out, /RUNNING/);
  });

  test('servery clock: a word that is no command, and a time before all time', async () => {
    const unknown = await platform.run(['clock', 'frez']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /unknown command 'frez'\. Did you mean "freeze"\?\nFor help, /);
    const early = await platform.run(['clock', 'set', '1999-12-31T23:59:59Z']);
    assert.equal(early.code, 3);
    assert.match(early.err, /refused with 422: The clock cannot go there/);
  });

  test('servery keys leads a card key through its life', async () => {
    const issued = await platform.json<CardKey>(['keys', 'issue', 'group', '--pending']);
    assert.deepEqual([issued.algorithm, issued.state], ['ECDH-ES', 'PENDING']);
    const { keyId } = issued;
    const early = await platform.run(['keys', 'retire', 'group', keyId]);
    assert.equal(early.code, 3);
    assert.match(early.err, /409: .* is PENDING and cannot become DECRYPT_ONLY; legal now: act/);
    assert.match((await platform.run(['keys', 'activate', 'group', keyId])).out, / ACTIVE /);
    const retired = await platform.run(['keys', 'retire', 'group', keyId]);
    assert.match(retired.out, new RegExp(`${keyId} +DECRYPT_ONLY`));
    assert.equal(retired.err, '', 'others are active');
    const [newest, ...older] = await platform.json<CardKey[]>(['keys', 'list', 'group']);
    assert.equal(newest?.keyId, keyId);
    for (const key of older) await platform.run(['keys', 'destroy', 'group', key.keyId]);
    const last = await platform.run(['keys', 'destroy', 'group', keyId]);
    assert.match(last.err, /The client has no active card key now/);
    const shown = await platform.run(['keys', 'issue', 'group', '--algorithm', 'RSA-OAEP-256']);
    assert.match(shown.out, /-----BEGIN PUBLIC KEY-----\n/);
    assert.doesNotMatch(shown.out, /PRIVATE/);
  });

  test('servery health tells the last minute, or that the first is being counted', async () => {
    const { code, err } = await platform.run(['health']);
    assert.equal(code, 0);
    assert.match(err, /The first minute is being counted|requests? in the minute from/);
    const { minutes, openAlarms } = await platform.json<Health>(['health']);
    assert.ok(minutes.length <= 60);
    assert.ok(openAlarms.every(({ count }) => count > 0));
  });

  test('servery alarms shows what is open, and takes note of it', async () => {
    const none = await platform.run(['alarms']);
    assert.deepEqual([none.code, none.out, none.err], [0, '', 'No alarm is open.\n']);
    const failing = ['--card', 'Approved; a void finds it captured already'];
    const paymentUuid = await pay(...failing);
    await platform.json<ClockMove>(['clock', 'advance', '5m']);
    const [alarm] = await platform.json<Alarm[]>(['alarms', 'list']);
    assert.ok(alarm);
    assert.equal(alarm.paymentUuid, paymentUuid);
    const told = await platform.run(['alarms']);
    assert.match(told.out, new RegExp(alarm.guid));
    const note = ['alarms', 'acknowledge', alarm.guid, '--note', 'the bank was told'];
    assert.match((await platform.run(note)).out, /the bank was told/);
    assert.deepEqual(await platform.json(['alarms']), []);
    assert.equal((await platform.json<Alarm[]>(['alarms', '--all'])).length, 1);
    const refused = ['payments', 'void', await pay(...failing), '--reason', 'the guest left'];
    assert.match((await platform.run(refused)).err, /refused the void: see servery alarms\.\n/);
  });

  test('servery clock says of what was tried in vain that it is as before', async () => {
    // While the clock runs, the platform tries again by itself, perhaps before it is moved.
    assert.equal((await platform.run(['clock', 'freeze'])).code, 0);
    const card = ['--card', '4000000000002503', '--amount', '1'];
    const { out } = await platform.run(['encrypt', ...card, '--curl']);
    const { body } = await sendAsCurl(out, await token());
    assert.equal((body as { paymentState: string }).paymentState, 'ACKNOWLEDGED');
    assert.match(
      (await platform.run(['clock', 'next'])).out,
      / payment +\S{36} +unchanged +The Early Wren$/m,
    );
    const { out: minute } = await platform.run(['clock', 'advance', '40s']);
    assert.match(minute, / payment +\S{36} +unchanged, \d+ times +The Early Wren$/m, 'in one line');
    assert.equal((await platform.run(['clock', 'run'])).code, 0);
  });
});
