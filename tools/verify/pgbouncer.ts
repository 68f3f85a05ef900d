/**
 * Runs the contract checks through a pooler that gives each transaction another session: `npm run
 * verify:pgbouncer`. Exit code 1 if one of them fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWN_SETTINGS, startPlatform } from '../../acceptance/src/platform.ts';
import { readArguments, readOrEnd, wholeNumber } from '../../bench/src/command-line.ts';
import { parseDatabaseUrl } from '../../packages/postgres/src/database-url.ts';
import { startEmbeddedDatabase } from '../../packages/postgres/src/embedded.ts';
import { chooseAccount } from '../../packages/postgres/src/postgres-account.ts';
import { makeTestFolder, removeTestFolder } from '../../packages/postgres/test/test-folder.ts';
import { startChild } from '../../packages/support/src/start-child.ts';
import { conformTo } from './conform-faults/find-fault.ts';
import { countConnections, setForeignTimeZone } from './pgbouncer-store.ts';

const ACCEPTANCE = fileURLToPath(new URL('../../acceptance/src/', import.meta.url));
/** Of the back office, which `servery conform` doesn't check; they need no platform of their own. */
const BEYOND_CONFORM = ['accounts', 'organization', 'publications', 'logs'];
const PORT = 6432;

const line = {
  command: 'npm run verify:pgbouncer',
  about:
    'Runs servery conform and tests of the back office on a platform whose database is behind ' +
    'pgbouncer in transaction mode. Needs the program pgbouncer. Exit code 1 if a check fails.',
  words: null,
  flags: { connections: wholeNumber('how many connections pgbouncer may open', 10, 1) },
};
const { connections } = readOrEnd(() => readArguments(line, process.argv.slice(2))).values;
const folder = await makeTestFolder();
// PostgreSQL and pgbouncer refuse to run as root.
await chmod(folder, 0o755);
await using undo = new AsyncDisposableStack();
undo.defer(() => removeTestFolder(folder));
const server = await startEmbeddedDatabase({ name: 'servery', dataDir: join(folder, 'database') });
undo.defer(() => server.stop());
await setForeignTimeZone(server.url);
const pooledUrl = await startPooler(server.url);
const platform = await startPlatform({ settings: { ...OWN_SETTINGS, DATABASE_URL: pooledUrl } });
undo.defer(() => platform.stop());
const { checks } = await conformTo(platform.demoPath, platform.baseUrl, ['--level', 'full']);
const wrong = checks.filter(({ outcome }) => outcome === 'failed');
console.log(`servery conform: ${checks.length} checks, ${wrong.length} failed`);
for (const { title } of wrong) console.log(`  ${title}`);
const code = await runAcceptance(platform);
const used = await countConnections(server.url);
console.log(`acceptance: ${code === 0 ? 'passed' : 'failed'}; ${used} connections at the end`);
process.exitCode =
  checks.length > 0 && wrong.length === 0 && code === 0 && used <= connections ? 0 : 1;

async function startPooler(url: string): Promise<string> {
  const { hosts, ports, user, password } = parseDatabaseUrl(url);
  const account = await chooseAccount(join(folder, 'database', 'postgres'));
  const own = join(folder, 'pooler');
  await mkdir(own);
  if (account) await chown(own, account.uid, account.gid);
  const file = join(own, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${hosts[0]} port=${ports[0]} user=${user} password=${password()}
[pgbouncer]
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 1000
auth_type = any
unix_socket_dir = ${own}
listen_port = ${PORT}
`,
  );
  const child = await startChild('pgbouncer', ['--quiet', file], {
    stdio: ['ignore', 'inherit', 'inherit'],
    ...(account && { uid: account.uid, gid: account.gid }),
  });
  undo.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  });
  return `postgres://${user}@${encodeURIComponent(own)}:${PORT}/servery?pooler=transaction`;
}

async function runAcceptance({ baseUrl, demoPath }: typeof platform): Promise<number> {
  const files = BEYOND_CONFORM.map((name) => join(ACCEPTANCE, `${name}.test.ts`));
  const child = spawn(process.execPath, ['--test', '--test-reporter=dot', ...files], {
    stdio: 'inherit',
    env: { ...process.env, SERVERY_URL: baseUrl, SERVERY_DEMO: demoPath },
  });
  const [code] = await once(child, 'exit');
  return code;
}
