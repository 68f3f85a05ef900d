import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { type Ended, makeFolder, type Place, run } from './account.ts';
import { installNode } from './ways.ts';

const OLD_NODE_MAJOR = 18;
/** npx adds lines of its own. */
const LINES_AT_MOST = 3;

interface Refusal {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly says: RegExp;
}

/**
 * Throws an Error unless each mistake is told in a few words with what to do, and fails. `url` is
 * that of a platform that runs.
 */
export async function checkRefusals(
  place: Place,
  servery: readonly string[],
  url: string,
): Promise<void> {
  const { port } = new URL(url);
  const other = ['--data-dir', path.join(place.folder, 'other')];
  // Not below a folder whose platform it would take.
  const closed = `${place.folder}-closed`;
  await makeFolder(place.account, closed);
  await chmod(closed, 0o555);
  const refusals: Refusal[] = [
    {
      name: 'a taken port',
      args: ['start', '--port', port, ...other],
      says: /port \d+ is (taken|in use)|already in use/i,
    },
    {
      name: 'a platform that is not there',
      args: ['whoami', '--url', 'http://127.0.0.1:2', '--client-id', 'x'],
      env: { SERVERY_CLIENT_SECRET: 'svs_x' },
      says: /127\.0\.0\.1:2/,
    },
    {
      name: 'wrong credentials',
      args: ['whoami', '--url', url, '--client-id', '00000000-0000-4000-8000-000000000000'],
      env: { SERVERY_CLIENT_SECRET: 'svs_x' },
      says: /secret|credentials|log in/i,
    },
    { name: 'no home', args: ['login', '--url', url], env: { HOME: '' }, says: /Set HOME|--email/ },
  ];
  const isRoot = process.getuid?.() === 0 && place.account.identity.uid === undefined;
  if (!isRoot) {
    const says = /closed.*(cannot be written|permission denied|--data-dir)/is;
    refusals.push({ name: 'a read-only folder', args: ['start'], folder: closed, says });
  }
  for (const refusal of refusals) {
    const { args, env = {}, folder = place.folder } = refusal;
    checkRefusal(refusal, await run({ ...place, folder }, [...servery, ...args], env));
  }
}

/** Throws an Error unless a Node.js that can't run it is told which one can. */
export async function checkOldNode(place: Place, unpacked: string): Promise<void> {
  const nodeFolder = await installNode(place, OLD_NODE_MAJOR);
  const launcher = path.join(unpacked, 'bin/servery.mjs');
  const ended = await run({ ...place, nodeFolder }, ['node', launcher, 'start']);
  const says = /Node\.js 24 or newer is needed, and this is v18\./;
  checkRefusal({ name: `Node.js ${OLD_NODE_MAJOR}`, says }, ended);
}

export function checkRefusal(
  { name, says }: Pick<Refusal, 'name' | 'says'>,
  { code, err }: Ended,
): void {
  const told = err.trim();
  assert.notEqual(code, 0, `${name} is refused`);
  assert.match(told, says, name);
  assert.doesNotMatch(told, /^\s+at /m, `${name} is told without a stack`);
  assert.ok(told.split('\n').length <= LINES_AT_MOST, `${name} is told in a few words:\n${told}`);
  console.log(`   ${name}: ${told.split('\n')[0]}`);
}
