/**
 * Sells with `@servery/client`, as it is published, on each JavaScript runtime that npm brings: `npm
 * run client-runtimes`. Exit code 1 if a sale fails.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readArguments, readOrEnd } from '../../bench/src/command-line.ts';
import { openSandbox, orderFault } from '../../packages/client/test/sandbox.ts';
import { makeSecret, makeTestHeaders } from '../../packages/webhooks/src/index.ts';
import { tarballOf } from '../package/manifest.ts';
import { ROOT } from '../package/programs.ts';

const line = {
  command: 'npm run client-runtimes',
  about:
    'Packs and installs @servery/client, and sells with it on the oldest Node.js that it supports, ' +
    'on Bun, and on Deno. Exit code 1 if a sale fails.',
  words: null,
  flags: {},
};
readOrEnd(() => readArguments(line, process.argv.slice(2)));

const NODE = `node-${process.platform}-${process.arch}`;
const PACKAGES = [`${NODE}@20`, 'bun@1', 'deno@2'];
const RUNTIMES: Readonly<Record<string, readonly string[]>> = {
  'Node.js': [`node_modules/${NODE}/bin/node`],
  Bun: ['node_modules/.bin/bun'],
  Deno: ['node_modules/.bin/deno', 'run', '--allow-env', '--allow-net'],
};
/** The platform loses the first response to each of these. Some runtimes then repeat the request. */
const LOST = ['creditCards.authorize', 'orders.place'] as const;
const SALE = 'tools/verify/client-runtimes/sale.js';
const FILES = [SALE, 'examples/online-ordering/shop.js'];

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), 'servery-runtimes-'));
const sandbox = await openSandbox();
try {
  await run(process.execPath, ['tools/package.ts'], { cwd: ROOT });
  for (const file of FILES) await cp(path.join(ROOT, file), path.join(folder, file));
  await writeFile(path.join(folder, 'package.json'), '{"private": true, "type": "module"}\n');
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  await within(['npm', ...install, tarballOf('@servery/client'), ...PACKAGES]);
  // It puts the program where the package says that it is.
  await within([process.execPath, 'node_modules/bun/install.js']);
  for (const [name, runtime] of Object.entries(RUNTIMES)) {
    const [version] =
      /\d+\.\d+\.\d+/.exec(await within([...runtime.slice(0, 1), '--version'])) ?? [];
    for (const operation of LOST) await orderFault(sandbox, operation, 'lostAnswer');
    const sold = await within([...runtime, SALE], { GIVEN: JSON.stringify(given()) });
    const { rules } = await sandbox.operator.call('backOffice.faults.list');
    assert.ok(
      rules.every(({ remaining }) => remaining === 0),
      `${name} lost no response`,
    );
    console.log(`${name} ${version}: ${sold.trim()}`);
  }
} finally {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
}

/** What the sale is done with: an account, and a webhook as the platform would send it. */
function given() {
  const { baseUrl, restaurant, platform } = sandbox;
  const { clientId, clientSecret } = platform.demo.clients.partner;
  const secret = makeSecret();
  const event = { eventCategory: 'menus', eventType: 'menus_updated', guid: randomUUID() };
  const body = JSON.stringify({ timestamp: '2026-01-05T12:00:00.000Z', ...event, details: {} });
  return {
    account: { baseUrl, clientId, clientSecret, restaurant, currency: 'USD' },
    webhook: { secret, body, headers: makeTestHeaders({ body, secrets: secret }) },
  };
}

/** What it printed. Throws an Error with all it said if it fails. */
async function within(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...env } };
  return await run(program, args, options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => {
      throw new Error(`${[program, ...args].join(' ')} fails:\n${stdout}${stderr}`);
    },
  );
}
