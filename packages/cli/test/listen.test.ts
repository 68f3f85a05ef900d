import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Connection, PartnerEvent } from '@servery/contract';
import { verify, verifyBranded } from '@servery/webhooks';
import { type LocalReceiver, runOn, startReceiver } from './listening.ts';
import { type RemotePlatform, runHere, startRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
let receiver: LocalReceiver;
let env: Record<string, string>;
let run = 0;
before(async () => {
  platform = await startRemotePlatform();
});
after(() => platform.stop());
beforeEach(async () => {
  run += 1;
  // A home of its own for each: where the last run ended is kept there.
  env = {
    SERVERY_DATA_DIR: platform.dataDir,
    XDG_CONFIG_HOME: path.join(platform.dataDir, `home-${run}`),
  };
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const listen = (...args: string[]) => runOn(['listen', '--forward-to', receiver.url, ...args], env);
const trigger = (...args: string[]) => platform.json<Connection>(['trigger', ...args]);
const READY = /from the cursor \d+\.\d+ on/;

interface Line {
  readonly cursor: string;
  readonly kind: string;
  readonly event: PartnerEvent;
  readonly forward: { readonly status: number | null; readonly error: string | null } | null;
}

const linesOf = (out: string): Line[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('servery listen', () => {
  test('servery listen: forwards each event, signed as the platform signs it', async () => {
    const listening = listen('--max-events', '2');
    await listening.says(READY);
    await trigger('partner_updated');
    await trigger('partner_updated');
    const { code, out, err } = await listening.ended;
    assert.equal(code, 0, err);
    assert.match(out, /^\S+ {2}partner_updated {2}.* {2}200 {2}[\d.]+ ms$/m);
    const [, secret = ''] = /signed with the secret (whsec_\S+)/.exec(err) ?? [];
    assert.equal(receiver.received.length, 2);
    for (const { headers, body } of receiver.received) {
      const received = { headers: headers as Record<string, string>, body, secrets: secret };
      assert.deepEqual(verify(received), { isValid: true, secretIndex: 0 });
      assert.ok(verifyBranded(received, { brand: 'Platform' }).isValid);
      assert.equal(headers['platform-event-type'], 'partner_updated');
      assert.equal(headers['platform-attempt-number'], '1');
    }
  });

  test('servery listen: goes on where it was, with the same secret, after a restart', async () => {
    const first = listen('--max-events', '1');
    await first.says(READY);
    await trigger('partner_updated');
    const before = await first.ended;
    // The machine sleeps: nobody listens.
    await trigger('partner_updated');
    await trigger('partner_updated');
    const second = await listen('--max-events', '2', '--print-json').ended;
    assert.equal(second.code, 0, second.err);
    assert.equal(receiver.received.length, 3);
    const guids = receiver.received.map(({ body }) => (JSON.parse(body) as PartnerEvent).guid);
    assert.equal(new Set(guids).size, 3, 'none twice, none lost');
    const secretIn = (text: string) => /whsec_\S+/.exec(text)?.[0];
    assert.equal(secretIn(second.err), secretIn(before.err));
    const folder = path.join(env.XDG_CONFIG_HOME ?? '', 'servery', 'listen');
    const [name = ''] = await readdir(folder);
    const kept = JSON.parse(await readFile(path.join(folder, name), 'utf8'));
    assert.equal(kept.cursor, linesOf(second.out).at(-1)?.cursor);
  });

  test('servery listen --exit-on-failure: ends with 6, and has the event again next', async () => {
    receiver.answer = 500;
    const listening = listen('--exit-on-failure', '--json');
    await listening.says(READY);
    await trigger('partner_updated');
    const failed = await listening.ended;
    assert.equal(failed.code, 6);
    assert.equal(linesOf(failed.out)[0]?.forward?.status, 500);
    receiver.answer = 204;
    const again = await listen('--max-events', '1').ended;
    assert.equal(again.code, 0, again.err);
    const [one, two] = receiver.received;
    assert.equal(one?.body, two?.body);
  });

  test('servery listen: a forward that fails is shown, and ends with 6 in the end', async () => {
    const { url } = receiver;
    await receiver.stop();
    const listening = listen('--max-events', '1', '--json');
    await listening.says(READY);
    await trigger('partner_updated');
    const { code, out, err } = await listening.ended;
    assert.equal(code, 6);
    assert.match(err, /1 of 1 forwards failed\./);
    assert.equal(linesOf(out)[0]?.forward?.error, 'nothing listens there', url);
  });

  test('servery listen --timeout: a receiver that hangs is not waited for', async () => {
    receiver.answer = 'hang';
    const listening = listen('--max-events', '1', '--json', '--timeout', '1s');
    await listening.says(READY);
    await trigger('partner_updated');
    const { code, out } = await listening.ended;
    assert.equal(code, 6);
    assert.equal(linesOf(out)[0]?.forward?.error, 'no answer within 1000 ms');
  });

  test('servery listen: replays and made up events come marked', async () => {
    const owner = ['--client', 'partner', '--json'];
    const made = await platform.run(['webhooks', 'create', 'http://127.0.0.1:9099/', ...owner]);
    const { guid } = JSON.parse(made.out).endpoint;
    await platform.json(['webhooks', 'pause', guid, '--reason', 'for a test']);
    await trigger('partner_updated');
    const listening = listen('--max-events', '2', '--json');
    await listening.says(READY);
    await platform.json(['webhooks', 'replay', guid, '--since', '1h', '--dry-run']);
    const [delivery] = await platform.json<{ eventGuid: string }[]>(['webhooks', 'deliveries']);
    const event = delivery?.eventGuid ?? '';
    await platform.json(['webhooks', 'replay', guid, '--event', event]);
    await trigger('partner_removed', '--synthetic');
    const { code, out, err } = await listening.ended;
    assert.equal(code, 0, err);
    assert.deepEqual(
      linesOf(out).map((line) => [line.kind, line.event.eventType]),
      [
        ['replay', 'partner_updated'],
        ['test', 'partner_removed'],
      ],
    );
    const marks = receiver.received.map(({ headers }) => headers['platform-replay']);
    assert.deepEqual(marks, ['true', undefined]);
    const tests = receiver.received.map(({ headers }) => headers['platform-test']);
    assert.deepEqual(tests, [undefined, 'true']);
    await platform.json(['webhooks', 'archive', guid]);
  });

  test('servery listen --events --since: only a type, from the beginning on', async () => {
    await trigger('partner_removed');
    await trigger('partner_added');
    const since = ['--since', 'beginning', '--events', 'partner_removed'];
    const listening = runOn(['listen', '--json', '--max-events', '1', ...since], env);
    const { code, out, err } = await listening.ended;
    assert.equal(code, 0, err);
    const [line] = linesOf(out);
    assert.deepEqual([line?.event.eventType, line?.forward], ['partner_removed', null]);
  });

  test('servery listen: ends with 130 at Ctrl-C, and says nothing of it', async () => {
    const listening = listen();
    await listening.says(READY);
    listening.interrupt();
    const { code, err } = await listening.ended;
    assert.equal(code, 130);
    assert.doesNotMatch(err, /servery:/);
  });

  test('servery listen: a cursor of another platform is refused with what to do', async () => {
    const ahead = await listen('--since', '999999').ended;
    assert.equal(ahead.code, 3);
    assert.match(ahead.err, /another platform.*\n.*--since now/s);
    const group = await runHere(['listen', '--json', '--client-id', 'group'], env);
    assert.equal(group.code, 3);
    assert.match(group.err, /events are for partner accounts/);
  });

  test('servery listen: what is no address, type, cursor or count exits with 2', async () => {
    const wrong = [
      ['--forward-to', 'ftp://x/'],
      ['--events', 'partner_lost'],
      ['--since', 'noon'],
      ['--max-events', '0'],
      ['--timeout', '5'],
      ['--exit-on-failure'],
      ['--json', '--exit-on-failure'],
    ];
    for (const args of wrong) {
      const { code, err } = await runHere(['listen', ...args], env);
      assert.equal(code, 2, `${args.join(' ')}: ${err}`);
    }
  });
});

describe('servery trigger', () => {
  test('servery trigger: adds, changes and removes a connection of a sandbox', async () => {
    const removed = await trigger('partner_removed');
    assert.equal(removed.state, 'DISCONNECTED');
    const added = await trigger('partner_added', '--restaurant', removed.restaurantGuid);
    assert.deepEqual([added.state, added.restaurantGuid], ['CONNECTED', removed.restaurantGuid]);
    assert.equal(added.externalRestaurantRef, removed.externalRestaurantRef);
    const again = await platform.run([
      ...['trigger', 'partner_added', '--restaurant', removed.restaurantGuid],
    ]);
    assert.equal(again.code, 3);
    const unknown = await platform.run(['trigger', 'partner_lost']);
    assert.equal(unknown.code, 2);
    const both = ['--synthetic', '--restaurant', removed.restaurantGuid];
    assert.equal((await platform.run(['trigger', 'partner_added', ...both])).code, 2);
  });

  test('servery trigger --synthetic: says how many endpoints are told', async () => {
    const { code, out } = await platform.run(['trigger', 'partner_added', '--synthetic']);
    assert.equal(code, 0);
    assert.match(
      out,
      /A made up partner_added \(.*\) goes to (one|\d+) endpoints? and to listeners/,
    );
  });
});
