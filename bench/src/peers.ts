import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { untilItAnswers } from './pause.ts';
import { ROOT, type StartedProcess, startProcess } from './processes.ts';
import type { Bench } from './scenario.ts';

const FOLDER = join(ROOT, 'bench/peers');
/** The contract that all of them answer from. */
const CONTRACT = join(ROOT, 'packages/contract/openapi/configuration.json');

/** Why peers are not measured in a smoke run on a machine that never had them. */
const NOT_INSTALLED = 'npm ci --prefix bench/peers installs what it is compared with';

/**
 * Whether the peers are there; installs them at first need, except in a smoke run. They are never
 * part of an installation of the product.
 */
export async function havePeers({ effort, skip }: Bench, what: string): Promise<boolean> {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return true;
  if (effort.isSmoke) {
    skip(what, NOT_INSTALLED);
    return false;
  }
  const args = ['ci', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = spawn('npm', args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] });
  // Without npm there are no peers, but all the rest can be measured.
  const [code] = await once(npm, 'exit').catch(() => [null]);
  if (code !== 0) skip(what, NOT_INSTALLED);
  return code === 0;
}

/** Prism mock of the configuration interface, which says nothing of single requests. */
export async function startPrism(): Promise<StartedProcess> {
  const port = String(await freePort());
  const started = await startProcess(
    [
      join(FOLDER, 'node_modules/@stoplight/prism-cli/dist/index.js'),
      ...['mock', '--host', '127.0.0.1', '--port', port, '--verboseLevel', 'warn', CONTRACT],
    ],
    { ready: /(Starting)/ },
  );
  const url = `http://127.0.0.1:${port}`;
  await untilItAnswers(url);
  return { ...started, url };
}

/** Mockoon’s server of the configuration interface, without a log of requests. */
export async function startMockoon(): Promise<StartedProcess> {
  const port = String(await freePort());
  const started = await startProcess(
    [
      join(FOLDER, 'node_modules/@mockoon/cli/bin/run.js'),
      ...['start', '--data', CONTRACT, '--hostname', '127.0.0.1', '--port', port],
      ...['--disable-log-to-file', '--disable-admin-api'],
    ],
    { ready: /(started)/ },
  );
  return { ...started, url: `http://127.0.0.1:${port}` };
}

/** A server of json-server with so many items of the menu, which it keeps in memory. */
export function startJsonServer(items: readonly object[]): Promise<StartedProcess> {
  return startProcess([join(FOLDER, 'json-server.mjs'), JSON.stringify(items)]);
}

/** A token service of oidc-provider with one client, which keeps everything in memory. */
export function startOidcProvider(): Promise<StartedProcess> {
  return startProcess([join(FOLDER, 'oidc-provider.mjs')]);
}

/** A port that nobody listens at, for programs that cannot choose one themselves. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || !address) throw new Error('there is no free port');
  return address.port;
}
