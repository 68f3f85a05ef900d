import assert from 'node:assert/strict';
import { asking, record } from '../answers.ts';
import { havePeers, startOidcProvider } from '../peers.ts';
import { LOGIN, type MeasuredPlatform } from '../platform.ts';
import type { Scenario } from '../scenario.ts';
import { startWorker, workerOf } from '../worker.ts';

/** The login that every client repeats, which gets the token that it has already. */
export const scenario: Scenario = {
  name: 'token',
  about: 'repeated logins, beside read-small, bare signatures and oidc-provider',
  async run(bench) {
    await using platform = await bench.startPlatform();
    const product = loggingIn(platform);
    await bench.compare({
      name: 'beside read-small',
      product,
      others: [await reading(platform)],
      goal: { atLeast: 0.6 },
    });
    await using signatures = await startWorker('signatures');
    await bench.compare({
      name: 'beside signatures',
      product,
      others: [workerOf('RS256', signatures)],
      goal: null,
    });
    if (!(await havePeers(bench, 'beside oidc-provider'))) return;
    await using peer = await startOidcProvider();
    await bench.compare({
      name: 'beside oidc-provider',
      product,
      others: [
        asking('oidc-provider', peer, '/token', {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'grant_type=client_credentials&client_id=bench&client_secret=secret',
          status: 200,
          check: (body) => assert.ok(JSON.parse(body.toString()).access_token),
        }),
      ],
      goal: { atLeast: 10 },
    });
  },
};

function loggingIn(platform: MeasuredPlatform) {
  return asking('product', platform, LOGIN, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(platform.demo.clients.partner),
    status: 200,
    check: (body) => assert.equal(typeof JSON.parse(body.toString()).token.accessToken, 'string'),
  });
}

async function reading(platform: MeasuredPlatform) {
  const { headers } = platform;
  const page = await record(`${platform.url}/config/v2/menuItems`, { headers });
  const [first] = JSON.parse(page.body.toString()) as { guid: string }[];
  return asking('one object', platform, `/config/v2/menuItems/${first?.guid}`, {
    headers,
    status: 200,
    check: (body) => assert.equal(JSON.parse(body.toString()).guid, first?.guid),
  });
}
