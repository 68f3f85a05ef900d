import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ConnectionOptions as TlsOptions } from 'node:tls';

export interface DatabaseAddress {
  /** Host names, several for a cluster that fails over; or one folder that holds a Unix socket. */
  readonly hosts: readonly string[];
  readonly ports: readonly number[];
  readonly user: string;
  /** A function, so that printing the address cannot print the password. */
  readonly password: () => string;
  readonly database: string;
  /** How to encrypt: `false` not at all, `'prefer'` if the server can. */
  readonly tls: false | 'prefer' | 'require' | TlsOptions;
  readonly saysTls: boolean;
  /** True behind a pooler that gives each transaction another session (`?pooler=transaction`). */
  readonly pooler: boolean;
  /** True if a read-only server of a cluster is not enough (`target_session_attrs`). */
  readonly isWritable: boolean;
}

const URL_PARTS = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const KNOWN_PARAMETERS = new Set([
  'host',
  'port',
  'user',
  'password',
  'dbname',
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'pooler',
  'target_session_attrs',
]);
const DEFAULT_PORT = 5432;

/**
 * Reads `postgres://user:password@host:port/database?…` as PostgreSQL's own tools do: several hosts
 * with commas, a Unix socket's folder as the percent-encoded host or as `?host=/folder`, `sslmode`
 * with its certificates. Throws an Error that says what is wrong and never repeats the URL, because
 * it holds the password.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const parts = URL_PARTS.exec(url);
  if (!parts) {
    throw new Error(
      'the URL is not of the form postgres://user:password@host:port/database' +
        ' (special characters in the password must be percent-encoded)',
    );
  }
  const [, credentials = '', authority = '', path = '', search = ''] = parts;
  const parameters = new URLSearchParams(search);
  for (const name of parameters.keys()) {
    if (!KNOWN_PARAMETERS.has(name)) {
      const known = [...KNOWN_PARAMETERS].join(', ');
      throw new Error(`the URL has an unknown parameter "${name}"; known are ${known}`);
    }
  }
  const [, user = '', password = ''] = /^([^:]*):?(.*)$/s.exec(credentials) ?? [];
  const chosenUser = parameters.get('user') ?? (decode(user, 'user') || 'postgres');
  const chosenPassword = parameters.get('password') ?? decode(password, 'password');
  return {
    ...parseHosts(authority, parameters),
    user: chosenUser,
    password: () => chosenPassword,
    database: parameters.get('dbname') ?? (decode(path, 'database name') || chosenUser),
    tls: parseTls(parameters),
    saysTls: parameters.has('sslmode'),
    pooler: parsePooler(parameters.get('pooler')),
    isWritable: parseTargetSession(parameters.get('target_session_attrs')),
  };
}

export function formatDatabaseUrl(address: {
  /** Of a Unix socket; null for 127.0.0.1. */
  readonly folder: string | null;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}): string {
  const host = address.folder === null ? '127.0.0.1' : encodeURIComponent(address.folder);
  const credentials = `${encodeURIComponent(address.user)}:${encodeURIComponent(address.password)}`;
  const database = encodeURIComponent(address.database);
  return `postgres://${credentials}@${host}:${address.port}/${database}`;
}

/** The same server as `url`, another database. */
export function withDatabase(url: string, database: string): string {
  const parts = URL_PARTS.exec(url);
  if (!parts) throw new Error('the URL is malformed');
  const [, credentials, authority = '', , search] = parts;
  const before = credentials === undefined ? '' : `${credentials}@`;
  const after = search === undefined ? '' : `?${search}`;
  return `postgres://${before}${authority}/${encodeURIComponent(database)}${after}`;
}

function parseHosts(authority: string, parameters: URLSearchParams) {
  const port = parameters.get('port');
  const found = (parameters.get('host') ?? authority).split(',').map((part) => {
    const [, host = '', ownPort] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(part) ?? [];
    return {
      host: decode(host.replace(/^\[|\]$/g, ''), 'host') || 'localhost',
      port: parsePort(ownPort ?? port),
    };
  });
  const hosts = found.map(({ host }) => host);
  if (hosts.length > 1 && hosts.some((host) => host.startsWith('/'))) {
    throw new Error('the URL names several hosts; a Unix socket can only be the only one');
  }
  return { hosts, ports: found.map((one) => one.port) };
}

function parsePort(text: string | null): number {
  if (!text) return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Error(`the URL has the port "${text}"; a port is a number from 1 to 65535`);
  }
  return port;
}

function parseTls(parameters: URLSearchParams): DatabaseAddress['tls'] {
  const mode = parameters.get('sslmode') ?? 'disable';
  const certificates = readCertificates(parameters);
  switch (mode) {
    case 'disable':
      return false;
    case 'allow':
    case 'prefer':
      return 'prefer';
    case 'require':
      return certificates === null ? 'require' : { rejectUnauthorized: false, ...certificates };
    case 'verify-ca':
      return { ...certificates, checkServerIdentity: () => undefined };
    case 'verify-full':
      return { ...certificates };
    default:
      throw new Error(
        `the URL has sslmode=${mode}; one of disable, prefer, require, verify-ca,` +
          ' verify-full is needed',
      );
  }
}

function readCertificates(parameters: URLSearchParams): TlsOptions | null {
  const files: TlsOptions = {};
  for (const [name, key] of [
    ['sslrootcert', 'ca'],
    ['sslcert', 'cert'],
    ['sslkey', 'key'],
  ] as const) {
    const file = parameters.get(name);
    if (file === null || file === 'system') continue;
    try {
      files[key] = readFileSync(file);
    } catch (error) {
      throw new Error(`the URL's ${name} cannot be read: ${String(error)}`);
    }
    refuseUnlessPem(name, file, files[key].toString('utf8'));
  }
  return Object.keys(files).length === 0 ? null : files;
}

/** Without this, a wrong file shows only as an error of the TLS library or a refused connection. */
function refuseUnlessPem(name: string, file: string, text: string): void {
  try {
    if (name === 'sslkey') createPrivateKey(text);
    else new X509Certificate(text);
  } catch (cause) {
    const what = name === 'sslkey' ? 'private key' : 'certificate';
    throw new Error(
      `the URL's ${name} names ${file}, which holds no ${what} in PEM form: name the` +
        ' file that the database server’s administrator gave you',
      { cause },
    );
  }
}

function parsePooler(value: string | null): boolean {
  if (value === null) return false;
  if (value === 'transaction') return true;
  throw new Error(`the URL has pooler=${value}; only pooler=transaction is known`);
}

function parseTargetSession(value: string | null): boolean {
  if (value === null || value === 'any') return false;
  if (value === 'read-write' || value === 'primary') return true;
  throw new Error(
    `the URL has target_session_attrs=${value}; read-write, primary or any is needed`,
  );
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`the ${what} in the URL is not validly percent-encoded`);
  }
}
