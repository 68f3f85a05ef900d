import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { IssuedApiClientSecret, LoggedRequest } from '@servery/contract';
import { type Platform, start } from '../../server/src/boot/server.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { smallGroup } from './documents.ts';
import { onceLogged } from './logged.ts';
import { runHere, sendAsCurl } from './remote-platform.ts';

let folder: string;
let platform: Platform;
let operator: Record<string, string>;
let partner: Record<string, string>;
let restaurant: string;

// A production platform with a partner that may pay at one restaurant.
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-production-'));
  const env = {
    SERVERY_KIND: 'production',
    SERVERY_BRAND: 'Tavola',
    SERVERY_MASTER_KEY: randomBytes(32).toString('base64'),
    SERVERY_PUBLIC_URL: 'https://platform.example',
    SERVERY_DATA_DIR: folder,
    SERVERY_PORT: '0',
    SERVERY_LOG_LEVEL: 'silent',
    SERVERY_RATE_LIMIT_PER_SECOND: '1000000',
  };
  platform = await start(readConfig(env, []));
  const file = path.join(folder, 'north.json');
  await writeFile(file, JSON.stringify(smallGroup('North')));
  await done(env, 'import', file);
  const made = ['clients', 'create', '--name', 'A', '--scopes', 'all', '--type'];
  operator = accountOf(await done(env, ...made, 'back-office', '--local', '--json'));
  partner = accountOf(
    await done(operator, ...made, 'partner', '--partner', 'North Courier', '--json'),
  );
  const { SERVERY_CLIENT_ID: client = '' } = partner;
  await done(operator, 'keys', 'issue', client, '--algorithm', 'ECDH-ES');
  const [north] = JSON.parse(await done(operator, 'restaurants', 'list', '--json'));
  restaurant = north.guid;
});
after(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function done(env: Record<string, string>, ...args: string[]): Promise<string> {
  const { code, out, err } = await runHere(args, env);
  assert.equal(code, 0, `${args.join(' ')}: ${err}`);
  return out;
}

function accountOf(created: string): Record<string, string> {
  const { client, clientSecret } = JSON.parse(created) as IssuedApiClientSecret;
  return {
    SERVERY_URL: platform.url,
    SERVERY_CLIENT_ID: client.clientId,
    SERVERY_CLIENT_SECRET: clientSecret,
  };
}

const encrypt = (...args: string[]) => {
  const card = ['--card', '4111111111111111', '--amount', '12.50', '--tip', '2'];
  return runHere(['encrypt', ...card, '--restaurant', restaurant, '--curl', ...args], partner);
};

describe('servery against a production platform', () => {
  test('servery encrypt PAY-10: what it prints passes every check of production', async () => {
    const { code, out, err } = await encrypt('--origin-ip', '192.0.32.10');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /-H 'Tavola-Restaurant-External-ID: /);
    const token = await done(partner, 'token');
    const { status, body } = await sendAsCurl(out, token.trim());
    // The checks are behind it: what stops it is that this platform has no processor.
    assert.ok(status >= 500, JSON.stringify(body));
    assert.match(JSON.stringify(body), /process/);
  });

  test('servery encrypt PAY-10: exits with 2 for an address that production refuses', async () => {
    const missing = await encrypt();
    assert.deepEqual([missing.code, missing.out], [2, '']);
    assert.match(missing.err, /which address does the guest pay from\? .* --origin-ip 192\.0\.32/);
    for (const address of ['203.0.113.7', '10.0.0.1', '::1', 'fe80::1%eth0', 'localhost', '']) {
      const { code, out, err } = await encrypt('--origin-ip', address);
      assert.deepEqual([code, out], [2, ''], address);
      assert.match(err, /--origin-ip .* must be (a public|an IPv4 or IPv6) address \(PAY-10\)/);
    }
  });

  test('servery requests show: an operator sees the rule and field of a payment', async () => {
    const { out } = await encrypt('--origin-ip', '192.0.32.10');
    const token = await done(partner, 'token');
    const refused = await sendAsCurl(out.replace('192.0.32.10', '192.168.7.1'), token.trim());
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.body, { description: 'The request failed validation.' });
    const list = ['requests', 'list', '--operation', 'creditCards.authorize', '--status', '422'];
    const read = async () => JSON.parse(await done(operator, ...list, '--json')) as LoggedRequest[];
    const [entry] = await onceLogged(read, (entries) => entries.length > 0);
    assert.match(await done(operator, ...list), /requestMetadata\.originIPAddr: must be a public/);
    const shown = await done(operator, 'requests', 'show', entry?.requestId ?? '');
    assert.match(shown, /^refusal\.faults\[0\]\.field +requestMetadata\.originIPAddr$/m);
    assert.match(shown, /^refusal\.faults\[0\]\.rule +must be a public address$/m);
    assert.doesNotMatch(shown, /192\.168\.7\.1/, 'no value is kept');
  });
});
