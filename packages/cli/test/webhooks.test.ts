import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { IssuedWebhookSecret, WebhookDelivery, WebhookEndpoint } from '@servery/contract';
import { makeTestHeaders } from '@servery/webhooks';
import { type RemotePlatform, runHere, useRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
useRemotePlatform((shared) => {
  platform = shared;
});

const run = (...args: string[]) => platform.run(['webhooks', ...args]);
const json = <Body>(...args: string[]) => platform.json<Body>(['webhooks', ...args]);

/** An endpoint that nobody answers at, paused so that its queue stays as it is. */
async function pausedEndpoint(name: string): Promise<WebhookEndpoint> {
  const address = `http://127.0.0.1:9099/${name}`;
  const made = await json<IssuedWebhookSecret>('create', address, '--client', 'partner');
  await json('pause', made.endpoint.guid, '--reason', 'for a test');
  return made.endpoint;
}

describe('servery webhooks', () => {
  test('servery webhooks create: with its settings, and the secret shown once', async () => {
    const flags = ['--events', 'partner_added,partner_removed', '--retries', '1m,1h', '--ordered'];
    const more = ['--answer-timeout', '500ms', '--connect-timeout', '3s', '--label', 'first'];
    const address = 'http://127.0.0.1:9099/create';
    const made = await run('create', address, '--client', 'partner', ...flags, ...more);
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /The secret is shown only once:\n {2}whsec_[\w+/=]+\n/);
    const endpoint = await json<WebhookEndpoint>('show', '9099/create');
    assert.deepEqual(
      [endpoint.eventTypes, endpoint.retryDelaysSeconds, endpoint.isOrdered],
      [['partner_added', 'partner_removed'], [60, 3_600], true],
    );
    assert.deepEqual([endpoint.answerTimeoutMs, endpoint.connectTimeoutMs], [500, 3_000]);
    const edited = await json<WebhookEndpoint>(
      ...['edit', endpoint.guid, '--events', 'all', '--retries', 'none', '--unordered'],
    );
    assert.deepEqual(
      [edited.eventTypes, edited.retryDelaysSeconds, edited.isOrdered],
      [null, [], false],
    );
  });

  test('servery webhooks: what is no endpoint, state or selection exits with 2', async () => {
    await pausedEndpoint('same/1');
    await pausedEndpoint('same/2');
    const cases: readonly (readonly [RegExp, ...string[]])[] = [
      [/several endpoints are named "same"\. Use an ID/, 'show', 'same'],
      [/no endpoint that you have access to is named "nowhere"/, 'show', 'nowhere'],
      [/"lost" is unknown/, 'list', '--state', 'lost'],
      [/5 has no unit\. Use, for example, 2s or 500ms/, 'edit', 'same/1', '--answer-timeout', '5'],
      [/contradict each other/, 'edit', 'same/1', '--ordered', '--unordered'],
      [/which fields\? Use --set/, 'edit', 'same/1'],
      [/which events\? Use one of/, 'replay', 'same/1'],
      [/which events\? Use one of/, 'replay', 'same/1', '--failed', '--since', '2h'],
      [/--to 3 needs --from/, 'replay', 'same/1', '--to', '3'],
      [/\S+ has no live secret with the label "April"/, 'secrets', 'revoke', 'same/1', 'April'],
      [/"x" is not a position/, 'replay', 'same/1', '--from', 'x'],
    ];
    for (const [words, ...args] of cases) {
      const { code, err } = await run(...args);
      assert.equal(code, 2, `${args.join(' ')}: ${err}`);
      assert.match(err, words);
    }
    const refused = await run('create', 'http://10.0.0.7/', '--client', 'partner');
    assert.equal(refused.code, 3);
    const unknown = await run('show', '01929d2f-5e61-7f6a-8a51-3c7f1d0b9a11');
    assert.equal(unknown.code, 3);
    assert.match(unknown.err, /"servery webhooks list" shows what there is/);
  });

  test('servery webhooks pause, resume, disable, archive: each says what is so then', async () => {
    const { guid } = await pausedEndpoint('state');
    assert.match(
      (await run('list', '--state', 'paused')).out,
      /9099\/state .* PAUSED by a person /,
    );
    assert.match((await run('resume', guid)).out, /receives events again; 0 events waited/);
    assert.match((await run('resume', guid)).out, /was already active; 0 events on the way/);
    assert.match((await run('disable', guid, '--reason', 'over')).out, /is disabled/);
    assert.match((await run('archive', guid)).out, /no longer receives events/);
    assert.equal((await run('resume', guid)).code, 3);
    const listed = await json<WebhookEndpoint[]>('list', '--state', 'archived');
    assert.ok(listed.some((one) => one.guid === guid));
    assert.ok(listed.every(({ state }) => state === 'ARCHIVED'));
  });

  test('servery webhooks secrets: a second one, and the first one revoked', async () => {
    const { guid, secrets } = await pausedEndpoint('secrets');
    const added = await run('secrets', 'add', guid, '--others-expire', '7d');
    assert.match(added.out, /has 2 live secrets.*\n {2}whsec_/);
    const left = await run('secrets', 'revoke', guid, secrets[0]?.guid ?? '');
    assert.match(left.out, /has 1 live secret\./);
    assert.equal((await run('secrets', 'add', guid, '--label', 'April')).code, 0);
    const byLabel = await run('secrets', 'revoke', guid, 'april');
    assert.match(byLabel.out, /has 1 live secret\./);
    const { secrets: living } = await json<WebhookEndpoint>('show', guid);
    assert.deepEqual(
      living.map(({ label }) => label),
      [null],
    );
  });

  test('servery webhooks deliveries, attempts, replay, drop, test: a queue', async () => {
    const { guid } = await pausedEndpoint('queue');
    const triggered = await platform.run(['trigger', 'partner_updated']);
    assert.match(triggered.out, /gets partner_updated for /);
    const deliveries = await json<WebhookDelivery[]>('deliveries', '--endpoint', '9099/queue');
    assert.deepEqual(
      deliveries.map(({ eventType, state }) => [eventType, state]),
      [['partner_updated', 'QUEUED']],
    );
    const [delivery] = deliveries;
    assert.ok(delivery);
    const dropped = await run('drop', delivery.guid, '--reason', 'by hand');
    assert.match(dropped.out, /^Dropped the delivery/);
    const attempts = await run('attempts', delivery.guid);
    assert.match(attempts.err, /is DROPPED: by hand\n$/);
    const counted = await run('replay', guid, '--event', delivery.eventGuid, '--dry-run');
    assert.match(counted.out, /One event, from position .*, would be sent again/);
    assert.match((await run('replay', guid, '--since', '1h')).out, /are? sent again|is sent again/);
    assert.match((await run('replay', guid, '--failed')).out, /Nothing is sent/);
    const type = ['--type', 'partner_removed'];
    const sent = await json<WebhookDelivery>('test', guid, ...type, '--no-wait');
    assert.ok(sent.isTest);
    const queued = await json<WebhookDelivery[]>('deliveries', '--state', 'queued');
    assert.ok(queued.some((one) => one.isReplay));
    assert.match((await run('deliveries')).out, /partner_removed \(test\)/);
  });

  test('servery webhooks verify: right, or why not, without a platform', async () => {
    const secret = 'whsec_c2hvd24tb25jZS1hbmQtbmV2ZXItYWdhaW4tMzI=';
    const body = '{"timestamp":"2026-01-31T18:30:00.000Z","guid":"g","eventType":"partner_added"}';
    const file = (name: string) => path.join(platform.dataDir, name);
    const headers = Object.entries(makeTestHeaders({ body, secrets: secret, brand: 'Acme' }));
    await writeFile(file('body'), body);
    await writeFile(file('spaced'), JSON.stringify(JSON.parse(body), null, 1));
    const wire = headers.map(([name, value]) => `${name}: ${value}`).join('\r\n');
    await writeFile(file('headers'), `POST /hooks HTTP/1.1\r\n${wire}\r\n`);
    await writeFile(file('headers.json'), JSON.stringify(Object.fromEntries(headers)));
    const verify = (name: string, bodyName: string, key = secret, more: string[] = []) =>
      runHere(
        [...['webhooks', 'verify', '--headers', file(name), '--body', file(bodyName)], ...more],
        { SERVERY_WEBHOOK_SECRET: key },
      );
    for (const name of ['headers', 'headers.json']) {
      const { code, out } = await verify(name, 'body');
      assert.equal(code, 0, out);
      assert.equal(
        out,
        'webhook-signature: valid, by secret 1\nacme-signature: valid, by secret 1\n',
      );
    }
    const other = 'whsec_YW5vdGhlci1zZWNyZXQtYW5vdGhlci1zZWNyZXQtMzI=';
    const rotated = await verify('headers', 'body', `${other} ${secret}`);
    assert.match(rotated.out, /valid, by secret 2/);
    const wrong = await verify('headers', 'body', other);
    assert.equal(wrong.code, 6);
    assert.match(wrong.out, /wrongSecret/);
    assert.match((await verify('headers', 'spaced')).out, /bodyReserialized/);
    const asJson = await verify('headers', 'spaced', secret, ['--json']);
    assert.deepEqual([asJson.code, JSON.parse(asJson.out).isValid], [6, false]);
    assert.equal((await verify('headers', 'missing')).code, 1);
    assert.equal((await verify('headers', 'body', '')).code, 2);
    await writeFile(file('moved'), wire.replace(/webhook-id: .*/, 'webhook-id: h'));
    assert.match(
      (await verify('moved', 'body')).out,
      /^webhook-signature: headerChanged\. .*acme/m,
    );
  });

  test('servery webhooks verify: what is no secret is said so, and not shown', async () => {
    const file = path.join(platform.dataDir, 'no-secret');
    await writeFile(file, 'nonsense-that-was-pasted\n');
    const files = ['--headers', file, '--body', file];
    const inFile = await run('verify', ...files, '--secret-file', file);
    assert.equal(inFile.code, 2, inFile.err);
    assert.match(inFile.err, /no-secret is not a webhook secret\. A secret is whsec_ and/);
    const args = ['webhooks', 'verify', ...files];
    const inEnv = await runHere(args, { SERVERY_WEBHOOK_SECRET: 'whsec_dG9vLXNob3J0' });
    assert.equal(inEnv.code, 2, inEnv.err);
    assert.match(inEnv.err, /SERVERY_WEBHOOK_SECRET is not a webhook secret/);
    assert.doesNotMatch(inFile.err + inEnv.err, /nonsense|dG9vLXNob3J0/);
  });
});
