import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, describe, test } from 'node:test';
import type {
  ClockMove,
  IssuedWebhookSecret,
  WebhookDelivery,
  WebhookEndpoint,
} from '@servery/contract';
import { reservePort } from '../../server/test/reserved-ports.ts';
import { PATIENT } from './listening.ts';
import { type RemotePlatform, useRemotePlatform } from './remote-platform.ts';

let platform: RemotePlatform;
let receiver: Server;
let host: string;
/** What the receiver answers. */
let status: number;

after(async () => {
  receiver.closeAllConnections();
  receiver.close();
  assert.equal((await clock('run')).code, 0);
});
useRemotePlatform(async (shared) => {
  platform = shared;
  receiver = createServer((_, response) => response.writeHead(status).end());
  const port = await reservePort();
  await new Promise<void>((resolve) => receiver.listen(port, '127.0.0.1', resolve));
  host = `127.0.0.1:${port}`;
  assert.equal((await clock('freeze')).code, 0);
  // The demo orders wait, too: they go first.
  let isDone = false;
  while (!isDone) {
    const moved = await platform.json<ClockMove>(['clock', 'next']);
    isDone = moved.clock.nextDeadline === null;
  }
});

const clock = (...args: string[]) => platform.run(['clock', ...args]);

/** An endpoint whose receiver has answered one event with `answer`; the clock stands. */
async function triedEndpoint(path: string, answer: number): Promise<WebhookEndpoint> {
  status = answer;
  const address = `http://${host}/${path}`;
  const create = ['webhooks', 'create', address, '--client', 'partner', ...PATIENT];
  const { endpoint } = await platform.json<IssuedWebhookSecret>(create);
  assert.equal((await clock('freeze')).code, 0);
  assert.equal((await platform.run(['trigger', 'partner_updated'])).code, 0);
  await newestThat(endpoint.guid, ({ attemptCount }) => attemptCount > 0);
  return endpoint;
}

/** Looks at the newest delivery of an endpoint until it is so, for as long as a test may take. */
async function newestThat(
  guid: string,
  isSo: (delivery: WebhookDelivery) => boolean,
): Promise<void> {
  const list = ['webhooks', 'deliveries', '--endpoint', guid];
  for (;;) {
    const [newest] = await platform.json<WebhookDelivery[]>(list);
    if (newest && isSo(newest)) return;
  }
}

// One after the other: they move the one clock that there is.
describe('servery clock and webhooks', () => {
  test('servery clock names event, address, answer and the next attempt', async () => {
    const { guid } = await triedEndpoint('retried', 500);
    const next = await platform.json<ClockMove>(['clock', 'next']);
    const [work] = next.done;
    const nextAt = work?.webhook?.nextAt ?? '';
    assert.deepEqual([work?.webhook?.endpointGuid, work?.webhook?.status], [guid, 500]);
    const tenMinutesMs = 600_000;
    assert.equal(Date.parse(nextAt) - Date.parse(work?.at ?? ''), tenMinutesMs);
    const { out } = await clock('next');
    const line = `${nextAt}  webhook  partner_updated to ${host}/retried  500, dead letter\n`;
    assert.ok(out.endsWith(line), out);
    assert.match(out, /^next {3}no deadline$/m);
    assert.doesNotMatch(out, /^held/m);
    await platform.run(['webhooks', 'archive', guid]);
  });

  test('servery clock tells what waits at paused endpoints, and the way out', async () => {
    const { guid } = await triedEndpoint('gone', 410);
    const paused = await platform.json<WebhookEndpoint>(['webhooks', 'show', guid]);
    assert.equal(paused.pauseReason, 'GONE');
    const held = (probe: string) =>
      `held   1 event at 1 paused webhook endpoint; ${probe}\n` +
      '       "servery webhooks resume <endpoint>" delivers them now\n';
    for (const args of [[], ['next']]) {
      const { out } = await clock(...args);
      assert.ok(out.includes(held(`next probe ${paused.nextProbeAt}`)), out);
    }
    const probed = await clock('advance', '90m');
    assert.match(probed.out, /webhookProbe +partner_updated to \S+\/gone +410, next \d\d:?\S+\n/);
    await platform.run(['webhooks', 'pause', guid, '--reason', 'for a test']);
    assert.ok((await clock()).out.includes(held('no probe is planned')));
    status = 204;
    await platform.run(['webhooks', 'resume', guid]);
    await newestThat(guid, ({ state }) => state === 'DELIVERED');
    assert.doesNotMatch((await clock()).out, /held/);
  });

  test('servery clock says nothing of webhooks to an account that may not read them', async () => {
    const { guid } = await triedEndpoint('hidden', 410);
    const { code, out, err } = await clock('--client-id', 'orders');
    assert.deepEqual([code, err], [0, '']);
    assert.doesNotMatch(out, /held/);
    assert.match((await clock()).out, /held/);
    await platform.run(['webhooks', 'archive', guid]);
  });
});
