import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type { Connection, IssuedApiClientSecret, PartnerEvent } from '@servery/contract';
import { makeSecret, verify, verifyBranded } from '@servery/webhooks';
import { reservePort } from '../../server/test/reserved-ports.ts';
import type { Forwarded } from '../src/listen/forward.ts';
import { type LocalReceiver, runOn, startReceiver } from './listening.ts';
import { type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
let receiver: LocalReceiver;
let env: Record<string, string>;
let run = 0;
useRemotePlatform((shared) => {
  platform = shared;
});
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
const triggered = (...args: string[]) =>
  platform.json<Connection & { readonly eventGuid: string | null }>(['trigger', ...args]);
const trigger = (...args: string[]): Promise<Connection> => triggered(...args);
const READY = /To start here again: --since \d+\.\d+\./;

interface Line {
  readonly cursor: string;
  readonly kind: string;
  readonly event: PartnerEvent;
  readonly forward: Pick<Forwarded, 'status' | 'error' | 'answer'> | null;
}

/** The files of listeners in the home of this test. */
async function keptFiles(): Promise<string[]> {
  const folder = path.join(env.XDG_CONFIG_HOME ?? '', 'servery', 'listen');
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => path.join(folder, name));
}

async function keptTexts(): Promise<string[]> {
  return await Promise.all((await keptFiles()).map((file) => readFile(file, 'utf8')));
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
    assert.match(out, /^\S+Z {2}200 {5} +\d+ ms {2}partner_updated {2}.* {2}[-0-9a-f]{36}$/m);
    assert.match(err, /^2 forwards, 0 failed\.$/m);
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

  test('servery listen HOOK-2: shows what happens to the stock, without an endpoint', async () => {
    const listening = runOn(['listen', '--max-events', '2'], env);
    await listening.says(READY);
    const { run: command } = platform;
    for (const stock of ['out', '3']) {
      const { code, err } = await command(['stock', 'set', 'Apple Slices', stock]);
      assert.equal(code, 0, err);
    }
    const { out, err } = await listening.ended;
    assert.match(out, / out_of_stock .* OUT_OF_STOCK .*\n.* low_quantity .* QUANTITY 3 /);
    assert.doesNotMatch(err, /the account lacks/);
  });

  test('servery listen HOOK-2: says what does not come because the account lacks a scope', async () => {
    const about = ['--type', 'partner', '--partner', 'Orderwhistle', '--scopes', 'stock:read'];
    const made = await platform.json<IssuedApiClientSecret>([
      ...['clients', 'create', '--name', 'Stock only', ...about],
    ]);
    const own = {
      ...env,
      SERVERY_URL: platform.demo.baseUrl,
      SERVERY_CLIENT_ID: made.client.clientId,
      SERVERY_CLIENT_SECRET: made.clientSecret,
    };
    const lacking = async (...args: string[]) => {
      const listening = runOn(['listen', ...args], own);
      await listening.says(READY);
      await trigger('partner_updated');
      await listening.says('partner_updated');
      listening.interrupt();
      const { err } = await listening.ended;
      return [...err.matchAll(/^No (.+): the account lacks (.+)\.$/gm)].map(
        ([, ...found]) => found,
      );
    };
    assert.deepEqual(await lacking(), [
      ['menus_updated', 'menus:read'],
      ['order_updated, guestOrderStatusUpdated', 'orders:read'],
      ['channel_order_updated', 'orders.channel:read'],
      ['payment_updated', 'credit_cards.authorization:write'],
    ]);
    assert.deepEqual(await lacking('--events', 'in_stock,partner_updated'), []);
  });

  test('servery listen: goes on where it was, with the same secret, after a restart', async () => {
    const first = listen('--max-events', '1');
    await first.says(/Forwarding events to \S+ from now on\.|Showing events from now on\./);
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
    assert.match(second.err, /Forwarding events to \S+ from where the last run stopped\./);
    const [kept = ''] = (await keptTexts()).filter((one) => one.includes('"cursor"'));
    assert.equal(JSON.parse(kept).cursor, linesOf(second.out).at(-1)?.cursor);
  });

  test('servery listen: starts anew where the platform has other data than before', async () => {
    const first = listen('--max-events', '1');
    await first.says(READY);
    await trigger('partner_updated');
    await first.ended;
    const [file = ''] = (await keptFiles()).filter((one) => !one.endsWith('.secret.json'));
    const kept = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...kept, cursor: '999999.0' }));
    const second = listen('--max-events', '1');
    await second.says(/other data than when servery listen last ran for http.*\n.*from now on/);
    await trigger('partner_updated');
    const { code, err } = await second.ended;
    assert.equal(code, 0, err);
  });

  test('servery listen: sends the headers of the platform, and no others', async () => {
    const listening = listen('--max-events', '1');
    await listening.says(READY);
    await trigger('partner_updated');
    assert.equal((await listening.ended).code, 0);
    const [one] = receiver.received;
    assert.deepEqual(one?.names.toSorted(), [
      ...['Platform-Attempt-Number', 'Platform-Event-Category', 'Platform-Event-Type'],
      ...['Platform-Signature', 'connection', 'content-length', 'content-type', 'host'],
      ...['user-agent', 'webhook-id', 'webhook-signature', 'webhook-timestamp'],
    ]);
    assert.equal(one?.headers['user-agent'], 'Platform-Webhooks');
  });

  test('servery listen: a receiver has one secret for all its paths', async () => {
    const secretAt = async (address: string) => {
      const listening = runOn(['listen', '--forward-to', address], env);
      await listening.says(/whsec_/);
      listening.interrupt();
      return /whsec_\S+/.exec((await listening.ended).err)?.[0];
    };
    const first = await secretAt(receiver.url);
    assert.equal(await secretAt(new URL('/another', receiver.url).href), first);
    assert.notEqual(await secretAt('http://localhost:9/'), first);
  });

  test('servery listen: signs with SERVERY_WEBHOOK_SECRET, never shown or kept', async () => {
    const secret = makeSecret();
    env = { ...env, SERVERY_WEBHOOK_SECRET: secret };
    const listening = listen('--max-events', '1');
    await listening.says(READY);
    await trigger('partner_updated');
    const { code, out, err } = await listening.ended;
    assert.equal(code, 0, err);
    assert.match(err, /signed with the secret in SERVERY_WEBHOOK_SECRET\./);
    for (const text of [out, err, ...(await keptTexts())]) assert.ok(!text.includes(secret));
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    const received = { headers: headers as Record<string, string>, body, secrets: secret };
    assert.ok(verify(received).isValid);
    const { SERVERY_WEBHOOK_SECRET: _, ...without } = env;
    env = without;
    const next = listen();
    await next.says(/signed with the secret whsec_/);
    next.interrupt();
    assert.ok(!(await next.ended).err.includes(secret));
  });

  test('servery listen: a secret that is none is refused before anything is done', async () => {
    env = { ...env, SERVERY_WEBHOOK_SECRET: 'hunter2' };
    const { code, err } = await listen().ended;
    assert.equal(code, 2);
    assert.match(err, /SERVERY_WEBHOOK_SECRET is not a webhook secret.* example whsec_/);
    assert.doesNotMatch(err, /hunter2/);
    assert.deepEqual(await keptTexts(), []);
  });

  test('servery listen: a password or the port 0 is refused, and not shown or kept', async () => {
    const addresses = ['http://me:hunter2@localhost:3000/', 'me:hunter2@localhost:3000'];
    for (const address of [...addresses, 'me@localhost:3000', 'http://localhost:0/', '0']) {
      const { code, out, err } = await runHere(['listen', '--forward-to', address], env);
      assert.equal(code, 2, `${address}: ${err}`);
      assert.match(err, address.includes('@') ? /user name or password/ : /port 0/);
      assert.doesNotMatch(out + err, /hunter2/);
    }
    assert.deepEqual(await keptTexts(), []);
  });

  test('servery listen --since: has an event again by its GUID, or says it is none', async () => {
    const first = listen('--max-events', '2', '--json');
    await first.says(READY);
    await trigger('partner_updated');
    await trigger('partner_updated');
    const [one, two] = linesOf((await first.ended).out);
    const guid = one?.event.guid ?? '';
    const again = await listen('--since', guid.toUpperCase(), '--max-events', '2').ended;
    assert.equal(again.code, 0, again.err);
    const guids = receiver.received.map(({ body }) => (JSON.parse(body) as PartnerEvent).guid);
    assert.deepEqual(guids, [guid, two?.event.guid, guid, two?.event.guid]);
    const unknown = await listen('--since', randomUUID()).ended;
    assert.equal(unknown.code, 3);
    assert.match(unknown.err, /the partner has no event/);
  });

  test('servery listen --exit-on-failure: ends with 6, and has the event again next', async () => {
    receiver.answer = 500;
    const listening = listen('--exit-on-failure', '--json');
    await listening.says(READY);
    await trigger('partner_updated');
    const failed = await listening.ended;
    assert.equal(failed.code, 6);
    assert.equal(linesOf(failed.out)[0]?.forward?.status, 500);
    assert.equal(linesOf(failed.out)[0]?.forward?.answer, 'seen');
    receiver.answer = 204;
    const again = await listen('--max-events', '1').ended;
    assert.equal(again.code, 0, again.err);
    const [one, two] = receiver.received;
    assert.equal(one?.body, two?.body);
  });

  test('servery listen: a forward that fails is shown, and ends with 6 in the end', async () => {
    const url = `http://127.0.0.1:${await reservePort()}/`;
    const listening = runOn(['listen', '--forward-to', url, '--max-events', '1', '--json'], env);
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

  test('servery listen: ends with 130 at Ctrl-C, and says what was forwarded', async () => {
    receiver.answer = 500;
    const listening = listen();
    await listening.says(READY);
    await trigger('partner_updated');
    await listening.says(/FAIL 500 .*\n {4}It responded: seen\n/);
    listening.interrupt();
    const { code, err } = await listening.ended;
    assert.equal(code, 130);
    assert.match(err, /^1 forward, 1 failed\.$/m);
    assert.doesNotMatch(err, /servery:/);
  });

  test('servery listen: a cursor of another platform is refused with what to do', async () => {
    const ahead = await listen('--since', '999999').ended;
    assert.equal(ahead.code, 3);
    assert.match(ahead.err, /another platform.*\n.*--since now/s);
    const group = await runHere(['listen', '--json', '--client-id', 'group'], env);
    assert.equal(group.code, 3);
    assert.match(group.err, /is for partner accounts/);
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
    const { restaurantName, partnerName } = removed;
    const said = `${restaurantName} is already connected to ${partnerName}. "servery trigger`;
    assert.ok(again.err.includes(said), again.err);
    const unknown = await platform.run(['trigger', 'partner_lost']);
    assert.equal(unknown.code, 2);
    const both = ['--synthetic', '--restaurant', removed.restaurantGuid];
    assert.equal((await platform.run(['trigger', 'partner_added', ...both])).code, 2);
  });

  test('servery trigger: names the event, and what a restaurant is not fit for', async () => {
    const listening = listen('--max-events', '1', '--json');
    await listening.says(READY);
    const { restaurantName: name, eventGuid } = await triggered('partner_removed');
    assert.equal(linesOf((await listening.ended).out)[0]?.event.guid, eventGuid);
    const again = await platform.run(['trigger', 'partner_removed', '--restaurant', name]);
    assert.equal(again.code, 3);
    assert.ok(again.err.includes(`${name} is not connected to `), again.err);
    assert.doesNotMatch(again.err, /[0-9a-f]{8}-/);
    const added = await platform.run(['trigger', 'partner_added', '--restaurant', name]);
    assert.match(added.out, /gets partner_added for .* \([-0-9a-f]{36}\)\.$/m);
  });

  test('servery trigger --synthetic: says how many endpoints are told', async () => {
    const { code, out } = await platform.run(['trigger', 'partner_added', '--synthetic']);
    assert.equal(code, 0);
    assert.match(
      out,
      /A made-up partner_added \(.*\) goes to (one|\d+) endpoints? and to listeners/,
    );
  });
});
