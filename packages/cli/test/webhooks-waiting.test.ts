import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, test } from 'node:test';
import type {
  IssuedWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookEndpoint,
} from '@servery/contract';
import { type LocalReceiver, PATIENT, startReceiver } from './listening.ts';
import { type RemotePlatform, useRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
let receiver: LocalReceiver;
useRemotePlatform((shared) => {
  platform = shared;
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const { guid } of await json<WebhookEndpoint[]>('list')) await json('archive', guid);
  await receiver.stop();
});

const run = (...args: string[]) => platform.run(['webhooks', ...args]);
const json = <Body>(...args: string[]) => platform.json<Body>(['webhooks', ...args]);
const trigger = () => platform.run(['trigger', 'partner_updated']);

async function endpointAt(url: string, ...flags: string[]): Promise<string> {
  const all = ['--client', 'partner', ...PATIENT, ...flags];
  return (await json<IssuedWebhookSecret>('create', url, ...all)).endpoint.guid;
}

/** Until the last event has been tried, for as long as a test may take. */
async function tried(guid: string): Promise<WebhookDelivery> {
  for (;;) {
    const [newest] = await json<WebhookDelivery[]>('deliveries', '--endpoint', guid);
    if (newest && newest.attemptCount > 0) return newest;
  }
}

describe('servery webhooks, what waits', () => {
  test('servery webhooks test: taken, with status, time and answer', async () => {
    const guid = await endpointAt(receiver.url);
    const { code, out, err } = await run('test', guid);
    assert.equal(code, 0, err);
    assert.match(out, /^A made-up partner_updated was accepted: 200, in [\d.]+ ms\.\n {2}seen\n$/);
    const details = await json<WebhookDeliveryDetails>('test', guid);
    assert.deepEqual([details.state, details.attempts[0]?.status], ['DELIVERED', 200]);
  });

  test('servery webhooks test: not taken exits with 6, and says what comes next', async () => {
    const guid = await endpointAt(receiver.url);
    receiver.answer = 500;
    const again = await run('test', guid);
    assert.equal(again.code, 6);
    assert.match(again.out, /was not accepted: 500, in [\d.]+ ms\.\n {2}seen\n/);
    assert.match(again.out, /\nIt is waiting: next attempt at \d{4}-\S+Z\.\n$/);
    assert.match(again.err, /To follow it: "servery webhooks attempts \S+"/);
    receiver.answer = 400;
    const dead = await run('test', guid);
    assert.deepEqual([dead.code, /\nIt is DEAD now\.\n$/.test(dead.out)], [6, true], dead.out);
  });

  test('servery webhooks test: at once, what it waits for at a paused endpoint', async () => {
    const guid = await endpointAt(receiver.url);
    await json('pause', guid, '--reason', 'we move');
    const { code, out } = await run('test', guid);
    assert.equal(code, 6);
    assert.equal(
      out,
      'A made-up partner_updated was not sent yet. It is waiting: the endpoint is paused by a person ' +
        '(we move), until it is resumed.\n',
    );
    assert.equal((await run('test', guid, '--no-wait')).code, 0);
    const shown = await run('deliveries', '--endpoint', guid);
    assert.match(shown.out, /QUEUED .* the endpoint is paused by a person \(we move\), until/);
    const head = shown.out.split('\n')[0] ?? '';
    assert.doesNotMatch(head, /next/);
  });

  test('servery webhooks test: when the probe of an endpoint that is gone comes', async () => {
    const guid = await endpointAt(receiver.url);
    receiver.answer = 410;
    const gone = await run('test', guid);
    assert.match(gone.out, /was not accepted: 410, /);
    const { nextProbeAt } = await json<WebhookEndpoint>('show', guid);
    const paused = 'the endpoint is paused because it answered 410';
    const waits = `It is waiting: ${paused}, next probe at ${nextProbeAt}.`;
    assert.ok(gone.out.endsWith(`\n${waits}\n`), gone.out);
    const later = await run('test', guid);
    assert.ok(later.out.endsWith(`was not sent yet. ${waits}\n`), later.out);
    assert.match((await run('list')).out, / PAUSED because it answered 410 /);
    assert.match((await run('show', guid)).out, /^state +PAUSED because it answered 410, since /m);
  });

  test('servery webhooks: behind which delivery one waits at an ordered endpoint', async () => {
    const guid = await endpointAt(receiver.url, '--ordered');
    receiver.answer = 503;
    await trigger();
    const head = await tried(guid);
    const { code, out } = await run('test', guid);
    assert.equal(code, 6);
    const next = `which is sent again at ${head.dueAt}`;
    const words = `the endpoint is ordered: behind ${head.guid}, ${next}`;
    assert.ok(out.includes(`was not sent yet. It is waiting: ${words}.`), out);
    const shown = await run('deliveries', '--endpoint', guid);
    const [, first = '', second = ''] = shown.out.split('\n');
    assert.ok(first.endsWith(words), first);
    assert.ok(second.trimEnd().endsWith(` ${head.dueAt}`), second);
    const [newest] = await json<WebhookDelivery[]>('deliveries', '--endpoint', guid);
    const attempts = await run('attempts', newest?.guid ?? '');
    assert.ok(attempts.err.endsWith(` is QUEUED: ${words}\n`), attempts.err);
  });

  test('servery webhooks attempts: the request of the last one, and the event', async () => {
    const guid = await endpointAt(receiver.url);
    await trigger();
    const delivery = await tried(guid);
    const { out, err } = await run('attempts', delivery.guid);
    assert.match(out, new RegExp(`\nThe request of attempt 1:\n {2}POST ${receiver.url}\n`));
    assert.match(out, new RegExp(`\n {2}webhook-id: ${delivery.eventGuid}\n`));
    assert.ok(out.endsWith(`\n\n  ${receiver.received[0]?.body}\n`), out);
    assert.match(err, new RegExp(`, event ${delivery.eventGuid}, to ${receiver.url} is DELIVERED`));
  });

  test('servery webhooks deliveries: where to, when there are several endpoints', async () => {
    const urls = [`${receiver.url}/one`, `${receiver.url}/two`];
    const guids = [await endpointAt(urls[0] ?? ''), await endpointAt(urls[1] ?? '')];
    await trigger();
    for (const guid of guids) await tried(guid);
    const { out } = await run('deliveries', '--limit', '2');
    for (const url of urls) assert.ok(out.includes(` ${url} `), out);
    const alone = await run('deliveries', '--endpoint', guids[0] ?? '');
    assert.ok(!alone.out.includes(receiver.url), alone.out);
  });

  test('servery webhooks replay: by event or delivery, and what is sent is said', async () => {
    const guid = await endpointAt(receiver.url);
    await trigger();
    const delivery = await tried(guid);
    for (const named of [delivery.guid, delivery.eventGuid]) {
      const { code, out, err } = await run('replay', guid, '--event', named);
      assert.equal(code, 0, err);
      assert.match(out, /^One event, from position \d+ to \d+, is sent again\.\n$/);
      const said = `Sending one event, from position \\d+ to \\d+ to ${receiver.url} …\n`;
      assert.match(err, new RegExp(`^${said}$`));
    }
    const unknown = await run('replay', guid, '--event', randomUUID());
    assert.deepEqual([unknown.code, unknown.out], [3, '']);
    assert.match(unknown.err, /neither an event of the partner nor a delivery has the GUID /);
  });

  test('servery webhooks replay: says that dead letters are those of test events', async () => {
    const guid = await endpointAt(receiver.url);
    receiver.answer = 401;
    assert.equal((await run('test', guid)).code, 6);
    const { code, out } = await run('replay', guid, '--failed');
    assert.equal(code, 0);
    assert.match(out, /^1 dead letter is of a test event, which cannot be replayed\. Nothing is/);
    const [dead] = await json<WebhookDelivery[]>('deliveries', '--endpoint', guid);
    const named = await run('replay', guid, '--event', dead?.eventGuid ?? '');
    assert.equal(named.code, 3);
    assert.match(named.err, /is a test event, and those cannot be replayed/);
  });

  test('servery webhooks show: in words, with what is not set', async () => {
    assert.match(
      (await run()).err,
      /There are no endpoints yet\. Create one: "servery webhooks create /,
    );
    const flags = ['--client', 'partner', '--label', 'April', '--retries', '90s,1h'];
    const { endpoint } = await json<IssuedWebhookSecret>('create', receiver.url, ...flags);
    const { guid } = endpoint;
    const { out } = await run('show', guid);
    assert.match(out, /^events +all$/m);
    assert.match(out, /^retries +after 1m30s, 1h$/m);
    assert.match(out, /^timeouts +2s to connect, 2s to answer$/m);
    assert.match(out, /^state +ACTIVE, since /m);
    assert.match(out, /^secret +[0-9a-f-]{36} {2}"April", since /m);
    assert.match(out, /^created +\S+ by Demo operator$/m);
    await json('edit', guid, ...PATIENT);
    receiver.answer = 500;
    for (let count = 0; count < 3; count += 1) await run('test', guid);
    assert.match(
      (await run('show', guid)).out,
      /^failures +3 in a row; deliveries go out one at a time$/m,
    );
  });
});
