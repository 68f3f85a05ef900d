/**
 * Packs what is published, and installs and uses it as people do: `npm run package-check`. Each way
 * of installing it, on each Node.js, as root and as a normal user; `-- --short` takes one of them,
 * and `-- pnpm normal` those with these words in their titles.
 * Publishes nothing. Exit code 1 if anything fails.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readManifest, tarballOf } from '../package/manifest.ts';
import { ROOT } from '../package/programs.ts';
import { accountsIn, makeFolder, type Place, succeed } from './package/account.ts';
import { checkDeployment } from './package/deployment.ts';
import { checkSizes, ModuleCount, tellTime } from './package/goals.ts';
import { judge } from './package/judge.ts';
import {
  authorize,
  callInterfaces,
  logIn,
  publishLarge,
  receiveWebhook,
  startPlatform,
  stopAll,
} from './package/platform.ts';
import { checkOldNodeInTests, checkProjects } from './package/projects.ts';
import { checkOldNode, checkRefusals } from './package/refusals.ts';
import { checkTypes } from './package/types.ts';
import { installNode, type Way, ways, withoutScripts } from './package/ways.ts';

const MAJORS = [24, 26];
const SHORT_WAY = withoutScripts;

const GOALS = { cold: 8, later: 0.8, version: 0.1 };

const run = promisify(execFile);
const isShort = process.argv.includes('--short');
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const tarball = tarballOf('servery');

// PostgreSQL has to get here, which is another user if root starts it.
const folder = await mkdtemp(path.join(tmpdir(), 'servery-package-'));
await chmod(folder, 0o755);
let number = 0;
try {
  await run(process.execPath, ['tools/package.ts'], { cwd: ROOT });
  await checkTypes();
  await checkDeployment(folder);
  const [first, ...others] = await accountsIn(folder);
  const own: Place = { account: first, folder, nodeFolder: path.dirname(process.execPath) };
  if (isShort) await check(SHORT_WAY, own);
  else {
    await checkOldNode(own, path.join(ROOT, 'dist/servery'));
    await checkOldNodeInTests(own);
    for (const major of MAJORS) {
      const nodeFolder = await installNode(own, major);
      for (const account of [first, ...others]) {
        for (const way of ways) await check(way, { account, folder, nodeFolder });
      }
    }
  }
} finally {
  await stopAll();
  await rm(folder, { recursive: true, force: true });
}

/** Installs it into an empty folder, uses all of it, and stops it. */
async function check(way: Way, { account, nodeFolder }: Place): Promise<void> {
  number += 1;
  const place = { account, nodeFolder, folder: path.join(folder, `install-${number}`) };
  await makeFolder(account, place.folder);
  const node = (await succeed(place, ['node', '--version'])).trim();
  const title = `${way.name}, Node.js ${node}, ${account.name}`;
  if (!words.every((word) => title.includes(word))) return;
  console.log(`== ${title}`);
  await way.install(place, tarball);
  const servery = way.servery(place, tarball);

  const first = await startPlatform(place, servery);
  tellTime('from nothing to the first 200', first.seconds, GOALS.cold);
  const caller = await logIn(place, first.url);
  await callInterfaces(caller);
  await authorize(place, servery, caller);
  await publishLarge(place, servery);
  await receiveWebhook(place, servery);
  await judge(place, servery, first.url);
  await checkRefusals(place, servery, first.url);
  if (isShort || way.name === 'npm') await checkProjects(place, first.url, isShort);
  await first.stop();

  const count = await ModuleCount.in(place.folder);
  const isNpx = way.name === 'npx';
  const later = await startPlatform(place, servery, [], isNpx ? {} : count.env);
  // npx takes a second or two itself.
  tellTime('a later start', later.seconds, isNpx ? GOALS.cold : GOALS.later);
  await later.stop();
  if (!isNpx) count.check();

  const workers = await startPlatform(place, servery, [
    '--workers',
    '2',
    '--tls-dev',
    '--tls-port',
    '0',
  ]);
  await callInterfaces(await logIn(place, workers.url));
  await workers.stop();
  if (!isNpx) await checkVersion(place, servery);
  if (way.name === 'npm') await checkSizes(place, tarball);
}

async function checkVersion(place: Place, servery: readonly string[]): Promise<void> {
  const beganMs = performance.now();
  const version = await succeed(place, [...servery, '--version']);
  tellTime('servery --version', (performance.now() - beganMs) / 1000, GOALS.version);
  assert.equal(version.trim(), readManifest('.').version);
}
