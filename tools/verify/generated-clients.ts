/**
 * Generates clients from the OpenAPI document that a platform serves, compiles them as they are, and
 * makes calls with each: `npm run generated-clients`. npm fetches the generators into a folder of
 * their own. Exit code 1 if one fails.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readArguments, readOrEnd } from '../../bench/src/command-line.ts';
import { openSandbox } from '../../packages/client/test/sandbox.ts';

const line = {
  command: 'npm run generated-clients',
  about:
    'Generates clients from the OpenAPI document that a platform serves, compiles them as they ' +
    'are, and makes calls with each. Exit code 1 if one fails.',
  words: null,
  flags: {},
};
readOrEnd(() => readArguments(line, process.argv.slice(2)));

/** The generators need the compiler as a library, which newer versions no longer are. */
const PACKAGES = {
  '@hey-api/openapi-ts': '0.99.0',
  'openapi-fetch': '0.17.0',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
};
const PROGRAMS = fileURLToPath(new URL('../../docs/guides/generated-clients/', import.meta.url));
const TYPES = fileURLToPath(new URL('../../node_modules/@types', import.meta.url));
const CONFIG = {
  compilerOptions: {
    ...{ strict: true, target: 'esnext', module: 'nodenext', outDir: 'out' },
    ...{ typeRoots: [TYPES], types: ['node'] },
  },
};

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), 'servery-generated-'));
const sandbox = await openSandbox();
try {
  const { demo } = sandbox.platform;
  const document = `${demo.baseUrl}/openapi/servery.json`;
  const manifest = { private: true, type: 'module', dependencies: PACKAGES };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
  await within('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund']);
  const clients = {
    'openapi-fetch': ['openapi-typescript', document, '--output', 'servery.ts'],
    'hey-api': ['openapi-ts', '--input', document, '--output', 'servery'],
  };
  for (const [name, generate] of Object.entries(clients)) {
    await within('npx', ['--no', '--', ...generate]);
    await copyFile(`${PROGRAMS}${name}.ts`, path.join(folder, `${name}.ts`));
    await within('npx', ['--no', '--', 'tsc']);
    const { clientId, clientSecret } = demo.clients.partner;
    const told = await within(process.execPath, [`out/${name}.js`], {
      BASE_URL: demo.baseUrl,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      RESTAURANT: sandbox.restaurant,
    });
    console.log(`${name}: ${told.trim()}`);
  }
} finally {
  await sandbox.stop();
  await rm(folder, { recursive: true, force: true });
}

/** What it printed. Throws an Error with all it said if it fails. */
async function within(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e8 };
  return await run(program, args, options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => {
      throw new Error(`${program} ${args.join(' ')} fails:\n${stdout}${stderr}`);
    },
  );
}
