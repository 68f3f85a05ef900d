import { readFile } from 'node:fs/promises';
import {
  type DemoClientName,
  type DemoFile,
  demoClientNames,
  demoFilePath,
} from '@servery/server/sandbox/demo-file.ts';
import { settings } from '@servery/server/settings.ts';
import { Secret } from '@servery/server/support/secret.ts';
import { isGuid, readClient } from './arguments.ts';
import { invalidUsage } from './exit-codes.ts';

/** The variables that a command may read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that every command over HTTP has. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly clientId?: string;
  readonly dataDir?: string;
}

/** Which platform a command talks to, and as whom. */
export interface Connection {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: Secret;
}

/** The sandbox of the data folder, or null when it has no `demo.json` that can be read. */
export async function readDemo(env: Environment, flags: ConnectionFlags): Promise<DemoFile | null> {
  const file = demoFilePath(dataDirOf(env, flags));
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoFile;
  } catch {
    return null;
  }
}

/**
 * Which platform to talk to, and as whom: flags, then SERVERY_URL, SERVERY_CLIENT_ID and
 * SERVERY_CLIENT_SECRET, then the sandbox of the data folder with its account `role`. Its secrets
 * go nowhere but to that sandbox. Throws CommandFailure that says what is missing.
 */
export function connectionOf(
  env: Environment,
  flags: ConnectionFlags,
  demo: DemoFile | null,
  role: DemoClientName,
): Connection {
  const baseUrl = platformUrl(env, flags, demo);
  const isDemo = demo !== null && [demo.baseUrl, demo.tlsUrl].includes(baseUrl);
  const ownDemo = isDemo ? demo : null;
  const wanted = flags.clientId ?? given(env.SERVERY_CLIENT_ID) ?? (ownDemo ? role : undefined);
  if (wanted === undefined) {
    throw invalidUsage(`as whom? For ${baseUrl} set SERVERY_CLIENT_ID and SERVERY_CLIENT_SECRET.`);
  }
  const clientId = resolveClient(wanted, demo);
  const secret = ownSecret(env, clientId) ?? demoSecret(ownDemo, clientId);
  if (secret === undefined) {
    throw invalidUsage(
      `the secret of the client ${clientId} at ${baseUrl} is not known: set ` +
        'SERVERY_CLIENT_SECRET, and SERVERY_CLIENT_ID to the same client.',
    );
  }
  return { baseUrl, clientId, clientSecret: new Secret(secret) };
}

/** Where the platform is. Throws CommandFailure when nobody says it, or when it is no address. */
export function platformUrl(
  env: Environment,
  flags: ConnectionFlags,
  demo: DemoFile | null,
): string {
  const text = flags.url ?? given(env.SERVERY_URL) ?? demo?.baseUrl;
  if (text === undefined) {
    throw invalidUsage(
      `which platform? There is no ${demoFilePath(dataDirOf(env, flags))}: start a sandbox with ` +
        '"servery start", or name a platform with --url or SERVERY_URL.',
    );
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  const isSound = url && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  if (!isSound || url.search !== '' || url.hash !== '') {
    throw invalidUsage('the address of the platform must be http://host:port or https://host.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * The client id of an account of the sandbox by its name in `demo.json`; else the text itself.
 * Throws CommandFailure for text that no platform gives out as a client id.
 */
export function resolveClient(text: string, demo: DemoFile | null): string {
  const name = demoClientNames.find((one) => one === text);
  return (name && demo?.clients[name]?.clientId) ?? readClient(text);
}

/**
 * The restaurant that is meant: a GUID, or the name of one of the sandbox's; its first one that is
 * open when nothing is said. Throws CommandFailure.
 */
export function resolveRestaurant(text: string | undefined, demo: DemoFile | null): string {
  const restaurants = demo?.restaurants ?? [];
  if (text === undefined) {
    const first = restaurants.find(({ archived }) => !archived);
    if (first) return first.guid;
    throw invalidUsage('which restaurant? Say its GUID with --restaurant.');
  }
  if (isGuid(text)) return text.toLowerCase();
  const wanted = text.toLowerCase();
  const found = restaurants.filter(({ name }) => name.toLowerCase().includes(wanted));
  const exact = found.find(({ name }) => name.toLowerCase() === wanted) ?? found[0];
  if (exact && (found.length === 1 || exact.name.toLowerCase() === wanted)) return exact.guid;
  const names = restaurants.map(({ name }) => name).join(', ');
  throw invalidUsage(
    `no one restaurant is ${JSON.stringify(text)}: say a GUID` +
      (names === '' ? '.' : `, or one of ${names}.`),
  );
}

function dataDirOf(env: Environment, { dataDir }: ConnectionFlags): string {
  return dataDir ?? given(env.SERVERY_DATA_DIR) ?? settings.dataDir.fallback;
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** The variable belongs to the client that the variable beside it names, and to no other. */
function ownSecret(env: Environment, clientId: string): string | undefined {
  const owner = given(env.SERVERY_CLIENT_ID);
  const secret = given(env.SERVERY_CLIENT_SECRET);
  return owner === undefined || owner === clientId ? secret : undefined;
}

function demoSecret(demo: DemoFile | null, clientId: string): string | undefined {
  const clients = Object.values(demo?.clients ?? {});
  return clients.find((client) => client.clientId === clientId)?.clientSecret;
}
