import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SERVER = new URL('../../src/boot/server.ts', import.meta.url).href;

/** Loads the server in a process of its own, and prints the address of every module it took. */
const LOADING = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import(${JSON.stringify(SERVER)});
  console.log(JSON.stringify(loaded));
`;

/** What only a part of the platforms needs, and how it comes to those. */
const loadedLater = {
  typebox: 'schemas are built by packages/contract/src/schemas/type.ts',
  ajv: 'the first document, message or answer that is checked loads it',
  undici: 'the first event that is posted loads it',
  selfsigned: 'the first certificate that is made loads it',
  'i18n-iso-countries/langs/de.json': 'the names of countries are needed in English only',
};

test('server: no start waits for modules that only some platforms need', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', LOADING]);
  const loaded: string[] = JSON.parse(stdout);
  assert.ok(loaded.includes(SERVER));
  for (const [name, instead] of Object.entries(loadedLater)) {
    const found = loaded.filter((url) => new RegExp(`/node_modules/${name}(?:/|$)`).test(url));
    assert.deepEqual(found, [], `${name} is loaded at start: ${instead}`);
  }
});
