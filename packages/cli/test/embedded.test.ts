import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { findOldNode, servery } from './command.ts';
import { smallGroup } from './documents.ts';
import { runHere } from './remote-platform.ts';

/** What another process changed is gone within this, for whoever asks then. */
const LEARNT_WITHIN_MS = 1_000;

/** Ctrl-C as soon as it is known how far the import is: from outside it may come too late. */
const INTERRUPTS = `data:text/javascript,${encodeURIComponent(`
const write = process.stderr.write;
process.stderr.write = function (text, ...rest) {
  if (String(text).startsWith('importing: ')) process.kill(process.pid, 'SIGINT');
  return write.call(this, text, ...rest);
};`)}`;

let folder: string;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'servery-cli-embedded-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const pidFile = () => path.join(folder, 'postgres', 'data', 'postmaster.pid');
const env = () => ({ SERVERY_DATA_DIR: folder });

test('servery import exits with 130 on Ctrl-C in the middle, leaving nothing', async () => {
  const group = path.join(folder, 'group.json');
  assert.equal((await runHere(['generate', 'demo', '--out', group], {})).code, 0);
  const interrupted = await servery(['import', group], {
    env: { ...env(), NODE_OPTIONS: `--import=${INTERRUPTS}` },
  });
  assert.equal(interrupted.code, 130, interrupted.err);
  assert.match(interrupted.err, /interrupted; nothing was changed\n$/);
  const [, done, all] = /importing: (\d+) of (\d+)/.exec(interrupted.err) ?? [];
  assert.ok(Number(done) < Number(all), `${done} of ${all} is not the middle`);
  assert.equal(existsSync(pidFile()), false, 'the embedded PostgreSQL was left behind');
  const exported = await runHere(['export'], env());
  assert.equal(exported.code, 1);
  assert.match(exported.err, /There is no management group to export yet/);
});

test('servery start --profile none, import AUTH-9: it says how to begin, and cuts a removed connection off at once', async () => {
  const group = smallGroup('Live');
  const [client] = group.clients ?? [];
  const ready = Promise.withResolvers<{ base: string; told: string }>();
  const node = findOldNode();
  let stop = () => {};
  const server = servery(['start', '--port', '0', '--profile', 'none'], {
    // Started by an older Node.js, which then has to hand the signal on.
    ...(node ? { node } : {}),
    env: { ...env(), SERVERY_ENV: 'none', SERVERY_LOG_LEVEL: 'error' },
    onStart: (child) => {
      stop = () => child.kill('SIGTERM');
      let told = '';
      child.stdout?.on('data', (chunk) => {
        told += String(chunk);
        const address = /servery ready (\S+)\n/.exec(told)?.[1];
        if (address) ready.resolve({ base: address, told });
      });
      child.once('exit', () => ready.reject(new Error('the server has ended')));
    },
  });
  try {
    const { base, told } = await ready.promise;
    await assertFirstSteps(base, told);
    const file = path.join(folder, 'live.json');
    await writeFile(file, JSON.stringify(group));
    const imported = JSON.parse((await runHere(['import', file, '--json'], env())).out);
    const [{ clientSecret }] = imported.newClients;
    const headers = await loggedIn(base, client?.clientId ?? '', clientSecret);
    assert.deepEqual(await connected(base, headers), ['Live Grill']);
    await writeFile(file, JSON.stringify({ ...group, connections: [] }));
    const replaced = await runHere(['import', file, '--replace'], env());
    assert.equal(replaced.code, 0, replaced.err);
    assert.deepEqual(await connectedLater(base, headers), []);
  } finally {
    stop();
    const { code } = await server;
    assert.equal(code, 0);
  }
  assert.equal(existsSync(pidFile()), false, 'the embedded PostgreSQL was left behind');
});

/** What it says is missing, and the way to a first token that it tells. */
async function assertFirstSteps(base: string, told: string): Promise<void> {
  assert.match(
    told,
    /This sandbox uses the profile none, so it has no group, account or\n.*demo\.json/,
  );
  assert.ok(told.includes(`export SERVERY_URL=${base} `), told);
  const [, command = ''] = /^servery (clients create .+? all)$/ms.exec(told) ?? [];
  const made = await runHere([...command.replace('\\\n', ' ').split(/ +/), '--json'], env());
  assert.equal(made.code, 0, made.err);
  const { client, clientSecret } = JSON.parse(made.out);
  await loggedIn(base, client.clientId, clientSecret);
}

async function loggedIn(base: string, clientId: string, clientSecret: string) {
  const answer = await fetch(`${base}/authentication/v1/authentication/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clientId, clientSecret, userAccessType: 'PLATFORM_MACHINE_CLIENT' }),
  });
  const body = (await answer.json()) as { token: { accessToken: string } };
  assert.equal(answer.status, 200, JSON.stringify(body));
  return { authorization: `Bearer ${body.token.accessToken}` };
}

/** The names of the restaurants that the account's partner is connected to. */
async function connected(base: string, headers: Record<string, string>): Promise<string[]> {
  const answer = await fetch(`${base}/partners/v1/restaurants`, { headers });
  const list = (await answer.json()) as { restaurantName: string }[];
  assert.equal(answer.status, 200, JSON.stringify(list));
  return list.map(({ restaurantName }) => restaurantName);
}

/** The same, looked at until there are none or the change must be known. */
async function connectedLater(base: string, headers: Record<string, string>): Promise<string[]> {
  const changedMs = performance.now();
  for (;;) {
    const askedMs = performance.now();
    const names = await connected(base, headers);
    if (names.length === 0 || askedMs - changedMs > LEARNT_WITHIN_MS) return names;
  }
}
