import { X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { sayHello } from '@servery/card-simulator/hello.ts';
import { type Config, INSTANCE_HEADER, load, type OpenFiles } from '@servery/server';
import { LATE, within } from '@servery/support/timer.ts';
import { broken, type Finding, fine, worth } from './finding.ts';

const { masterKeyFile } = await load.database();
const {
  filesFor,
  findOccupant,
  readCertificate,
  readOpenFilesLimit,
  tooFewFiles,
  usualConnections,
} = await load.checks();

const OLDEST_NODE = 24;
const GIBIBYTE = 1_073_741_824;
const MEBIBYTE = 1_048_576;
const WORTH_BYTES = GIBIBYTE;
const BROKEN_BYTES = 100 * MEBIBYTE;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 30;
/** A machine that is busy holds a sound server up for seconds. */
const ANSWER_LIMIT_MS = 10_000;

export function checkNode(version: string): Finding {
  if (Number.parseInt(version, 10) >= OLDEST_NODE) return fine('node', `Node.js ${version}`);
  return broken('node', `Node.js ${version} is too old`, 'node tools/setup.mjs');
}

export async function checkDataFolder({ dataDir }: Config): Promise<Finding[]> {
  const { path, isFolder } = await nearestFolder(dataDir);
  const isWritable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  const wrong = isFolder
    ? `this user cannot write to ${path}`
    : `${path} is a file, not a directory`;
  const { bavail, bsize } = await statfs(path);
  return [
    isFolder && isWritable
      ? fine('data folder', `${dataDir} is writable`)
      : broken('data folder', wrong, 'servery start --data-dir …'),
    roomOf(dataDir, bavail * bsize),
  ];
}

export function roomOf(dataDir: string, bytes: number): Finding {
  const found = `${Math.floor(bytes / MEBIBYTE)} MiB free for ${dataDir}`;
  const fix = 'free some space on that disk, or set --data-dir to a directory on another disk';
  if (bytes < BROKEN_BYTES) return broken('disk', found, fix);
  return bytes < WORTH_BYTES ? worth('disk', found, fix) : fine('disk', found);
}

/** What there is of the path; a file where a folder should be is told as what it is. */
async function nearestFolder(folder: string): Promise<{ path: string; isFolder: boolean }> {
  const found = await stat(folder).catch(() => null);
  if (found || dirname(folder) === folder) {
    return { path: folder, isFolder: found?.isDirectory() ?? false };
  }
  return nearestFolder(dirname(folder));
}

/** Whether others than the user of the server can read the master key of the data folder. */
export async function checkKeyFile({ masterKey, dataDir }: Config): Promise<Finding[]> {
  if (masterKey) return [fine('master key file', 'the master key comes from SERVERY_MASTER_KEY')];
  const file = masterKeyFile(dataDir);
  const found = await stat(file).catch(() => null);
  // Whether it ought to be there, the database knows.
  if (!found || process.platform === 'win32') return [];
  if ((found.mode & 0o077) === 0)
    return [fine('master key file', `only its owner can read ${file}`)];
  return [broken('master key file', `other users can read ${file}`, `chmod 600 ${file}`)];
}

/**
 * Whether the listeners of the settings can be opened, or are those of a server that runs; and
 * where the server of the data folder runs, when that is elsewhere.
 */
export async function checkPorts(config: Config): Promise<Finding[]> {
  const { host, port, tls, dataDir } = config;
  const plain = checkPlainPort({ host, port, scheme: 'http', flag: '--port' }, dataDir);
  const secure =
    tls && checkPort({ host: tls.host, port: tls.port, scheme: 'https', flag: '--tls-port' });
  return (await Promise.all([plain, secure])).filter((finding) => finding !== null);
}

/** Fewer connections than this are soon too few for a server that others reach. */
const WORTH_CONNECTIONS = 1_000;

/** Whether the server may open enough files for its connections, as far as this shell's go. */
export async function checkOpenFiles({ databasePool, maxConnections }: Config): Promise<Finding> {
  return openFilesOf({ files: await readOpenFilesLimit(), databasePool }, maxConnections);
}

export function openFilesOf(openFiles: OpenFiles, maxConnections: number | null): Finding {
  const tooFew = tooFewFiles(openFiles, maxConnections);
  if (tooFew !== null) {
    const [found = '', fix = ''] = tooFew.replace(/\.$/, '').split(/: (.*)/s);
    return broken('open files', found, fix);
  }
  const connections = maxConnections ?? usualConnections(openFiles);
  const found = `${openFiles.files ?? 'any number'} allowed: ${connections} connections at a time`;
  if (maxConnections !== null || connections >= WORTH_CONNECTIONS) return fine('open files', found);
  const needed = filesFor(WORTH_CONNECTIONS, openFiles.databasePool);
  const fix = `raise the limit to ${needed} or more with ulimit -n ${needed}, or with LimitNOFILE in systemd`;
  return worth('open files', found, fix);
}

interface Door {
  readonly host: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  readonly flag: string;
}

/** Who reads that a port is free takes the server that runs at another one for stopped. */
async function checkPlainPort(door: Door, dataDir: string): Promise<Finding> {
  const occupant = await findOccupant(dataDir);
  const finding = await checkPort(door);
  if (!occupant || finding.verdict !== 'ok') return finding;
  return fine(
    finding.check,
    `the server of ${dataDir} is running: a server listens at ${occupant.url}`,
  );
}

async function checkPort({ host, port, scheme, flag }: Door): Promise<Finding> {
  const check = `${scheme} port`;
  if (port === 0) return fine(check, 'the server picks a free port when it starts');
  const code = await tryToListen(host, port);
  if (code === null) return fine(check, `${host}:${port} is free`);
  if (code === 'EADDRINUSE') {
    // An https listener proves nothing to a caller that does not trust its certificate.
    if (scheme === 'https' || (await isOurs(host, port))) {
      return fine(check, `a server listens at ${host}:${port}`);
    }
    const found = `another program listens at ${host}:${port}`;
    return broken(check, found, `servery start ${flag} ${port + 1}`);
  }
  const found = `the server cannot listen at ${host}:${port} (${code})`;
  const fix = code === 'EACCES' ? `servery start ${flag} 4400` : 'correct SERVERY_HOST';
  return broken(check, found, fix);
}

/** Null when the port is free, else the code of the system. */
function tryToListen(host: string, port: number): Promise<string | null> {
  const listener = createServer();
  return new Promise((resolve) => {
    listener.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    listener.listen({ host, port, exclusive: true }, () => listener.close(() => resolve(null)));
  });
}

async function isOurs(host: string, port: number): Promise<boolean> {
  const stop = new AbortController();
  const address = host.includes(':') ? `[${host}]` : host;
  const asked = fetch(`http://${address}:${port}/healthz`, {
    ...{ signal: stop.signal, redirect: 'manual' },
  }).catch(() => null);
  const answer = await within(asked, ANSWER_LIMIT_MS);
  stop.abort();
  return answer !== LATE && answer !== null && answer.headers.has(INSTANCE_HEADER);
}

export async function checkProcessor({ processor, kind }: Config): Promise<Finding> {
  const check = 'processor';
  if (processor.kind === 'none') {
    const found = 'no card processor is configured: every payment is refused with 503';
    const fix =
      kind === 'production'
        ? 'set SERVERY_PROCESSOR_URL; see docs/reference/processor-protocol.md'
        : 'unset SERVERY_PROCESSOR to use the simulator of the sandbox';
    return worth(check, found, fix);
  }
  if (processor.kind !== 'http') return fine(check, 'the simulator, which moves no real money');
  const { url, secret } = processor;
  const greeting = await sayHello(url, secret);
  if (greeting.kind === 'ready') return fine(check, `${url} answers`);
  const fix = 'start it, or correct SERVERY_PROCESSOR_URL and SERVERY_PROCESSOR_SECRET';
  return worth(check, `${url} is not ready: ${greeting.explanation}`, fix);
}

export async function checkCertificate({ tls }: Config, nowMs: number): Promise<Finding[]> {
  if (!tls || 'selfSigned' in tls) return [];
  try {
    const { cert } = await readCertificate(tls.certFile, tls.keyFile);
    return [lifeOf(tls.certFile, Date.parse(new X509Certificate(cert).validTo), nowMs)];
  } catch (error) {
    const fix = 'correct SERVERY_TLS_CERT and SERVERY_TLS_KEY';
    return [broken('certificate', (error as Error).message.replace(/\.$/, ''), fix)];
  }
}

function lifeOf(file: string, endMs: number, nowMs: number): Finding {
  const until = new Date(endMs).toISOString();
  const fix = `get a new one from its issuer, save it as ${file}, and restart the server`;
  if (endMs <= nowMs) return broken('certificate', `${file} expired at ${until}`, fix);
  const found = `${file} is valid until ${until}`;
  return endMs - nowMs < CERTIFICATE_DAYS * DAY_MS
    ? worth('certificate', found, fix)
    : fine('certificate', found);
}
