import assert from 'node:assert/strict';
import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { DemoFile } from '@servery/server';
import { tarballOf } from '../../package/manifest.ts';
import { ROOT } from '../../package/programs.ts';
import { giveTo, makeFolder, type Place, run, succeed } from './account.ts';
import { allGone } from './platform.ts';
import { checkRefusal } from './refusals.ts';
import { checkInstalledTypes } from './types.ts';
import { installNode, npm } from './ways.ts';

const FIXTURES = path.join(ROOT, 'packages/testing/fixtures');
const EXAMPLE = 'online-ordering';
const TARBALLS = ['servery', '@servery/client', '@servery/testing'].map(tarballOf);
/** What the runner of each project says of its tests. */
const PASSED: Readonly<Record<string, RegExp>> = {
  node: /\bpass 6$/m,
  [EXAMPLE]: /\bpass 4$/m,
  vitest: /Tests +3 passed/,
  jest: /Tests: +3 passed/,
};
const USE = `import { openSandbox } from '@servery/testing';
await openSandbox().then(
  () => process.exit(),
  ({ message }) => {
    console.error(message);
    process.exit(1);
  },
);
`;
/** The platform needs a newer one; the client does not. */
const OLDER_NODE_MAJOR = 22;

/**
 * Installs projects whose tests need nothing but `@servery/testing`, one for each test runner, and
 * runs these tests. Some use the platform of the place, which runs at `url`, and the others one that
 * the test run starts, which takes longer: in short, only the example does. Runs it there, too.
 */
export async function checkProjects(place: Place, url: string, isShort: boolean): Promise<void> {
  const projects = await install(place, Object.keys(PASSED));
  const given = await variablesOf(place, url);
  for (const name of Object.keys(PASSED)) {
    const isGiven = isShort ? name !== EXAMPLE : name === 'vitest';
    await checkTests(projects, name, isGiven ? given : {});
  }
  await checkExample(place, projects);
  if (!isShort) await checkTestRefusals(projects, given);
  await allGone(projects.folder);
}

/** Throws an Error unless tests on a Node.js that can't run the platform are told so. */
export async function checkOldNodeInTests(place: Place): Promise<void> {
  const projects = await install({ ...place, folder: path.join(place.folder, 'old-node') }, []);
  const nodeFolder = await installNode(place, OLDER_NODE_MAJOR);
  const says = /Node\.js 24 or newer is needed, and this is v22\./;
  const ended = await run({ ...projects, nodeFolder }, ['node', 'use.js']);
  checkRefusal({ name: `tests on Node.js ${OLDER_NODE_MAJOR}`, says }, ended);
}

/** Throws an Error unless the tests of a project pass. */
async function checkTests(
  projects: Place,
  name: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  const project = { ...projects, folder: path.join(projects.folder, name) };
  const { code, out, err } = await run(project, [...npm(), 'test'], {
    NO_COLOR: '1',
    ...variables,
  });
  const said = `${out}${err}`;
  assert.ok(code === 0 && PASSED[name]?.test(said), `the tests with ${name} fail:\n${said}`);
  console.log(`   tests with ${name} pass`);
}

/** Throws an Error unless the example sells what its menu shows, as the tutorial says. */
async function checkExample(place: Place, { folder }: Place): Promise<void> {
  const main = path.join(folder, EXAMPLE, 'main.js');
  const menu = await succeed(place, ['node', main, 'menu']);
  const [name] = /^Steel-Cut Oatmeal.*?(?= [\d.]+$)/m.exec(menu) ?? [];
  assert.ok(name, `the menu lacks what the tutorial orders:\n${menu}`);
  const told = await succeed(place, ['node', main, 'order', name]);
  assert.match(told, / for \d+\.\d\d: paying and ordering\norder \d+, [A-Z_]+\n$/);
  console.log(`   the example sells: ${told.trim()}`);
}

async function install(place: Place, names: readonly string[]): Promise<Place> {
  const { account } = place;
  const folder = `${place.folder}-projects`;
  const projects = { ...place, folder };
  await makeFolder(account, folder);
  for (const name of names) {
    const source = name === EXAMPLE ? path.join(ROOT, 'examples', name) : path.join(FIXTURES, name);
    await cp(source, path.join(folder, name), { recursive: true });
  }
  const manifest = { private: true, type: 'module', workspaces: names };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'use.js'), USE);
  for (const file of await readdir(folder, { recursive: true })) {
    await giveTo(account, path.join(folder, file));
  }
  await succeed(projects, [...npm(), 'install', '--ignore-scripts', ...TARBALLS]);
  await checkInstalledTypes(folder);
  return projects;
}

/** What has tests use the platform of the place. */
async function variablesOf({ folder }: Place, url: string): Promise<Record<string, string>> {
  const file = await readFile(path.join(folder, '.servery/demo.json'), 'utf8');
  const { clientId, clientSecret } = (JSON.parse(file) as DemoFile).clients.operator;
  return {
    SERVERY_TESTING_URL: url,
    SERVERY_TESTING_CLIENT_ID: clientId,
    SERVERY_TESTING_CLIENT_SECRET: clientSecret,
  };
}

async function checkTestRefusals(
  projects: Place,
  { SERVERY_TESTING_URL = '' }: Readonly<Record<string, string>>,
): Promise<void> {
  const use = async (name: string, says: RegExp, env: Record<string, string> = {}) => {
    checkRefusal({ name: `in tests: ${name}`, says }, await run(projects, ['node', 'use.js'], env));
  };
  const { port } = new URL(SERVERY_TESTING_URL);
  const taken = new RegExp(`port ${port} is (taken|in use)|already in use`, 'i');
  await use('a taken port', taken, { SERVERY_TESTING_PORT: port });
  await use('no account', /set SERVERY_TESTING_CLIENT_ID/, { SERVERY_TESTING_URL });
  const nowhere = { SERVERY_TESTING_CLIENT_ID: 'x', SERVERY_TESTING_CLIENT_SECRET: 'svs_x' };
  const away = { ...nowhere, SERVERY_TESTING_URL: 'http://127.0.0.1:2' };
  await use('a platform that is not there', /127\.0\.0\.1:2 did not answer/, away);
  const own = path.join(projects.folder, 'node_modules/servery');
  await rename(own, `${own}-away`);
  await use('no platform package', /npm install --save-dev servery/);
  await rename(`${own}-away`, own);
}
