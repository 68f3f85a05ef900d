import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { after, before, test } from 'node:test';
import ipaddr from 'ipaddr.js';
import type { BlockedAddress } from '../../../src/webhooks/sockets/dial.ts';
import type { Names } from '../../../src/webhooks/sockets/names.ts';
import { findObstacle } from '../../../src/webhooks/sockets/networks.ts';
import type { Outcome } from '../../../src/webhooks/sockets/outcome.ts';
import { readTarget } from '../../../src/webhooks/sockets/read-target.ts';
import { Targets, type TargetsOptions } from '../../../src/webhooks/sockets/targets.ts';
import { blockedAddresses, blockedHosts, oddUrls, publicAddresses } from './corpus.ts';
import { type ForbiddenListener, startForbiddenListener } from './forbidden-listener.ts';
import { ManualTimer } from './manual-timer.ts';

const NAME = 'receiver.partner-hooks.com';
const production = { allowsLoopback: false };
const sandbox = { allowsLoopback: true };

let forbidden: ForbiddenListener;
before(async () => {
  forbidden = await startForbiddenListener();
});
after(() => forbidden.close());

/** A name that leads to these addresses. */
function leadingTo(...addresses: readonly string[]): Names {
  return { addressesOf: async () => addresses };
}

/** Every address of the Internet leads to the forbidden listener. */
function targetsToForbidden(options: Partial<TargetsOptions> = {}): Targets {
  const own = { open: forbidden.open, ownAddresses: () => [], timer: new ManualTimer() };
  return new Targets({ rules: production, ...own, ...options });
}

async function post(targets: Targets, url: string): Promise<Outcome> {
  return await targets.post({
    url,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"secret":"told to nobody"}'),
    connectTimeoutMs: 10_000,
    answerTimeoutMs: 10_000,
  });
}

/** Every one of these is refused, and nothing arrives at the forbidden listener. */
async function assertNothingOpened(
  posts: readonly (() => readonly [targets: Targets, url: string])[],
): Promise<void> {
  const before = { ...forbidden.caught };
  for (const make of posts) {
    const [targets, url] = make();
    const outcome = await post(targets, url);
    assert.equal(outcome.kind, 'BLOCKED_TARGET', `${url}: ${JSON.stringify(outcome)}`);
  }
  await forbidden.checkThatItListens();
  assert.deepEqual(forbidden.caught, { ...before, connections: before.connections + 1 });
}

function urls(): string[] {
  const odd = oddUrls.map((url) => url.replaceAll('{port}', String(forbidden.port)));
  const byNumbers = blockedHosts.map((host) => `https://${host}:${forbidden.port}/`);
  return [...new Set([...odd, ...byNumbers])];
}

test('the corpus has far more than 300 targets, 200 of them written by hand', () => {
  assert.equal(new Set(oddUrls).size, oddUrls.length);
  assert.ok(oddUrls.length >= 200, String(oddUrls.length));
  const all = [...urls(), ...blockedAddresses];
  assert.ok(all.length >= 1_500, String(all.length));
});

test('every odd URL and address by numbers is refused by its text, in words for its writer', () => {
  const refusals = urls().map((url) => {
    const read = readTarget(url, production);
    assert.ok('refusal' in read, url);
    assert.match(read.refusal, /^[^a-z].*\.$|^[0-9a-f:]+ .*\.$/s);
    return [url, read.refusal] as const;
  });
  const words: readonly (readonly [RegExp, RegExp])[] = [
    [/^https:\/\/user@/, /no user name/],
    [/^http:/i, /^An address is https:\/\//],
    [/#/, /no fragment/],
    [/^https:\/\/receiver\.partner-hooks\.com:\d+\/$/, /port|none/],
    [/^https:\/\/127\.0\.0\.1:\d+\/$/, /loopback/],
    [/^https:\/\/2130706433/, /usual way: 127\.0\.0\.1\./],
  ];
  for (const [form, text] of words) {
    const meant = refusals.filter(([url]) => form.test(url));
    assert.ok(meant.length > 0, String(form));
    for (const [url, refusal] of meant) assert.match(refusal, text, url);
  }
});

test('no odd URL and no address by numbers opens a connection to anywhere', async () => {
  const targets = targetsToForbidden({ names: leadingTo('8.8.8.8') });
  await assertNothingOpened(urls().map((url) => () => [targets, url]));
});

test('no odd URL and no address by numbers opens a connection of this machine’s', async () => {
  const targets = new Targets({
    ...{ rules: production, names: leadingTo('127.0.0.1'), timer: new ManualTimer() },
  });
  await assertNothingOpened(urls().map((url) => () => [targets, url]));
});

test('no name that leads to a blocked address opens a connection', async () => {
  const url = `https://${NAME}:${forbidden.port}/`;
  await assertNothingOpened(
    blockedAddresses.map((address) => () => [
      targetsToForbidden({ names: leadingTo(address) }),
      url,
    ]),
  );
});

test('where a name leads inside is told to the operator alone', async () => {
  const inner = ['10.2.3.4', '192.168.7.1', 'fd12::7', '127.0.0.1', '169.254.169.254', '8.8.8.8'];
  const rules = { allowsLoopback: false, blockedNetworks: ['8.8.8.8'] };
  const texts = new Set<string>();
  const found: string[] = [];
  for (const address of inner) {
    const onBlocked = (one: BlockedAddress) => void found.push(one.address);
    const targets = targetsToForbidden({ rules, names: leadingTo(address), onBlocked });
    const outcome = await post(targets, `https://${NAME}:${forbidden.port}/`);
    assert.ok(outcome.kind === 'BLOCKED_TARGET');
    texts.add(outcome.explanation);
  }
  // One text for all: which of them it is would say something of an inner network.
  assert.deepEqual([...texts], [`${NAME} leads to a private network, or to no public address.`]);
  assert.deepEqual(found, inner);
});

test('no name of whose addresses a single one is blocked opens a connection', async () => {
  const url = `https://${NAME}:${forbidden.port}/`;
  const mixed = blockedAddresses.flatMap((address) => [
    leadingTo('8.8.8.8', address),
    leadingTo(address, '2606:4700::1111'),
  ]);
  await assertNothingOpened(mixed.map((names) => () => [targetsToForbidden({ names }), url]));
});

test('what a name server must not say is no address', async () => {
  const url = `https://${NAME}:${forbidden.port}/`;
  const texts = ['', 'localhost', '127.1', '2130706433', '0x7f.1', '0177.0.0.1', '::1%lo', '8.8.8'];
  await assertNothingOpened(
    texts.map((text) => () => [targetsToForbidden({ names: leadingTo(text) }), url]),
  );
});

test('the addresses of this machine’s own interfaces are blocked, public ones too', async () => {
  const url = `https://${NAME}:${forbidden.port}/`;
  const own = Object.values(networkInterfaces()).flatMap((all = []) => all);
  assert.ok(own.length > 0);
  await assertNothingOpened([
    ...own.map(({ address }) => () => {
      const names = leadingTo(address);
      return [new Targets({ rules: production, names, timer: new ManualTimer() }), url] as const;
    }),
    () => [
      targetsToForbidden({ names: leadingTo('8.8.8.8'), ownAddresses: () => ['8.8.8.8'] }),
      url,
    ],
    () => [
      targetsToForbidden({
        names: leadingTo('2606:4700::1111'),
        ownAddresses: () => ['2606:4700:0:0:0:0:0:1111'],
      }),
      url,
    ],
  ]);
});

test('public networks beside the blocked ones are not blocked', async () => {
  for (const address of publicAddresses) {
    assert.equal(findObstacle(address, []), null, address);
    const host = address.includes(':') ? `[${address}]` : address;
    assert.ok('url' in readTarget(`https://${host}/hook`, production), address);
  }
});

test('a connection that went to another address than the checked one is told nothing', async () => {
  for (const address of publicAddresses) {
    const before = { ...forbidden.caught };
    const targets = targetsToForbidden({ names: leadingTo(address) });
    const outcome = await post(targets, `https://${NAME}:${forbidden.port}/`);
    await targets.close();
    assert.equal(outcome.kind, 'BLOCKED_TARGET');
    assert.match(
      'explanation' in outcome ? outcome.explanation : '',
      /another address than the one checked/,
    );
    // This also proves that the listener catches what gets past the rules.
    await forbidden.checkThatItListens();
    assert.deepEqual(forbidden.caught, { ...before, connections: before.connections + 2 });
  }
});

test('a sandbox that allows loopback allows nothing else', async () => {
  const port = forbidden.port;
  const isOfLoopback = (text: string) => /localhost|127\.|\[::1\]|0:0:0:1\]|0000:0001\]/.test(text);
  const others = urls().filter((url) => !isOfLoopback(decodeURIComponent(safe(url)).toLowerCase()));
  assert.ok(others.length >= 600, String(others.length));
  const targets = targetsToForbidden({ rules: sandbox, names: leadingTo('8.8.8.8') });
  const inner = blockedAddresses.filter((address) => ipaddr.parse(address).range() !== 'loopback');
  await assertNothingOpened([
    ...others.map((url) => () => [targets, url] as const),
    ...inner.map((address) => () => {
      const names = leadingTo(address);
      return [targetsToForbidden({ rules: sandbox, names }), `https://${NAME}:${port}/`] as const;
    }),
    // A name may lead here, but what is not encrypted goes to this machine's own names alone.
    () => [targets, `http://${NAME}:${port}/`],
    () => [targets, `http://8.8.8.8:${port}/`],
  ]);
});

/** What `decodeURIComponent` takes: a percent sign that stands for itself is written out. */
function safe(text: string): string {
  return text.replaceAll(/%(?![0-7][0-9a-f])/gi, '%25');
}

test('a sandbox takes the usual ways to name this machine, and production none of them', () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    'demo.localhost',
    '127.0.0.1',
    '127.8.8.8',
    '[::1]',
  ]) {
    for (const scheme of ['http', 'https']) {
      const text = `${scheme}://${host}:4000/hook?x=1`;
      assert.ok('url' in readTarget(text, sandbox), text);
      assert.ok('refusal' in readTarget(text, production), text);
    }
  }
});

test('what the operator keeps to itself is refused, by address and by name', async () => {
  const blockedNetworks = ['8.8.8.0/24', '2606:4700::1111'];
  const rules = { allowsLoopback: false, blockedNetworks };
  const port = forbidden.port;
  for (const host of ['8.8.8.8', '[2606:4700::1111]']) {
    assert.ok('refusal' in readTarget(`https://${host}/hook`, rules), host);
    assert.ok('url' in readTarget(`https://${host}/hook`, production), host);
  }
  assert.ok('url' in readTarget('https://8.8.9.8/hook', rules));
  const names = [leadingTo('8.8.8.8'), leadingTo('93.184.216.34', '2606:4700::1111')];
  await assertNothingOpened(
    names.map((each) => () => {
      return [targetsToForbidden({ rules, names: each }), `https://${NAME}:${port}/`] as const;
    }),
  );
});
