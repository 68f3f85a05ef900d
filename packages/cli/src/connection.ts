import { readFile } from 'node:fs/promises';
import {
  type DemoClientName,
  type DemoFile,
  demoClientNames,
  demoFilePath,
} from '@servery/server/sandbox/demo-file.ts';
import { Secret } from '@servery/support/secret.ts';
import { isGuid, readClient } from './arguments.ts';
import { nearestDataDir } from './data-dir.ts';
import { invalidUsage } from './exit-codes.ts';
import {
  isOfPerson,
  type PersonProfile,
  type Profile,
  profileCalled,
  readProfiles,
} from './profiles.ts';
import { didYouMean } from './verbs/did-you-mean.ts';

/** The variables that a command may read. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The options that every command over HTTP has. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly clientId?: string;
  readonly profile?: string;
  readonly dataDir?: string;
}

/** Which platform a command talks to, and as whom. */
export type Connection = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
} & (
  | { readonly clientId: string; readonly clientSecret: Secret }
  | { readonly accessToken: Secret }
  | { readonly session: PersonSession }
);

/** The session of a person who logged in. */
interface PersonSession {
  /** The profile that keeps it. */
  readonly profile: string;
  readonly email: string;
  readonly cookie: Secret;
  readonly csrfToken: Secret;
  /** See wayOutOf. */
  readonly wayOut: string;
}

/** What is known before a platform is asked. */
export interface Known {
  /**
   * The sandbox of the data folder; null when it has no `demo.json` that can be read, and where
   * another platform is named: neither its names nor its first restaurant mean anything there.
   */
  readonly demo: DemoFile | null;
  /** The profile that was asked for, or is in use; null when something else was said. */
  readonly profile: NamedProfile | null;
}

/** A profile with its name, and whether commands use it because nothing else was said. */
type NamedProfile = Profile & { readonly name: string; readonly isInUse: boolean };

/** The sandbox of the data folder, or null when it has no `demo.json` that can be read. */
export async function readDemo(env: Environment, flags: ConnectionFlags): Promise<DemoFile | null> {
  const file = demoFilePath(dataDirOf(env, flags));
  try {
    return JSON.parse(await readFile(file, 'utf8')) as DemoFile;
  } catch {
    return null;
  }
}

/** Reads the sandbox of the data folder and the profile that is meant. Throws CommandFailure. */
export async function readKnown(env: Environment, flags: ConnectionFlags): Promise<Known> {
  const demo = await readDemo(env, flags);
  const profile = await readProfile(env, flags);
  const named = flags.url ?? profile?.url ?? given(env.SERVERY_URL);
  return { demo: named === undefined ? demo : ownDemoOf(demo, readAddress(named)), profile };
}

async function readProfile(env: Environment, flags: ConnectionFlags): Promise<NamedProfile | null> {
  if (flags.profile !== undefined && flags.url !== undefined) {
    throw invalidUsage('--profile and --url both say which platform: leave one of them out.');
  }
  if (flags.url !== undefined) return null;
  const name = flags.profile ?? given(env.SERVERY_ENV);
  if (name !== undefined) {
    if (flags.profile === undefined && given(env.SERVERY_URL) !== undefined) {
      throw invalidUsage('SERVERY_ENV and SERVERY_URL both say which platform: unset one.');
    }
    return { ...profileCalled(await readProfiles(env), name), name, isInUse: false };
  }
  const isSaid = [env.SERVERY_URL, env.SERVERY_DATA_DIR, flags.dataDir].some(given);
  if (isSaid) return null;
  const profiles = await readProfiles(env);
  const { current } = profiles;
  if (current === null) return null;
  return { ...profileCalled(profiles, current), name: current, isInUse: true };
}

/**
 * Which platform to talk to, and as whom: flags, then variables, then the profile in use, then the
 * sandbox of the data folder with its account `role`. Its secrets go nowhere but to that sandbox,
 * and those of a profile nowhere but to its platform. Throws CommandFailure that says what is
 * missing.
 */
export function connectionOf(
  env: Environment,
  flags: ConnectionFlags,
  known: Known,
  role: DemoClientName,
): Connection {
  const baseUrl = platformUrl(env, flags, known);
  const token = given(env.SERVERY_TOKEN);
  if (token !== undefined && flags.clientId === undefined && flags.profile === undefined) {
    return { baseUrl, accessToken: new Secret(token) };
  }
  const { profile } = known;
  // What partners do is nothing that a person can be logged in for.
  if (profile && isOfPerson(profile) && flags.clientId === undefined && role === 'operator') {
    return { baseUrl, session: sessionOf(profile) };
  }
  return { baseUrl, ...accountOf(env, flags, known, { baseUrl, role }) };
}

function sessionOf(profile: NamedProfile & PersonProfile): PersonSession {
  const { name, url, email, cookie, csrfToken } = profile;
  if (csrfToken === null) {
    throw invalidUsage(
      `${email} is not logged in at ${url}: run "servery login --profile ${name}".`,
    );
  }
  return {
    ...{ profile: name, email },
    cookie: new Secret(cookie),
    csrfToken: new Secret(csrfToken),
    wayOut: wayOutOf(profile),
  };
}

/**
 * What a person who is logged in may do when the platform of the profile in use does not answer or
 * does not know the session, as after a new start of a sandbox; empty for another profile.
 */
export function wayOutOf(profile: NamedProfile | null): string {
  if (!profile?.isInUse || !isOfPerson(profile) || profile.csrfToken === null) return '';
  const { email, name } = profile;
  return (
    ` You are logged in as ${email} (profile ${name}). "servery logout" goes back to the sandbox ` +
    'of the data folder.'
  );
}

function accountOf(
  env: Environment,
  flags: ConnectionFlags,
  { demo, profile }: Known,
  { baseUrl, role }: { readonly baseUrl: string; readonly role: DemoClientName },
): { readonly clientId: string; readonly clientSecret: Secret } {
  const account = profile && !isOfPerson(profile) ? profile : null;
  if (account && (flags.clientId ?? account.clientId) === account.clientId) {
    return { clientId: account.clientId, clientSecret: new Secret(account.clientSecret) };
  }
  const ownDemo = ownDemoOf(demo, baseUrl);
  const wanted = flags.clientId ?? given(env.SERVERY_CLIENT_ID) ?? (ownDemo ? role : undefined);
  if (wanted === undefined) {
    throw invalidUsage(
      `as whom? For ${baseUrl} set SERVERY_CLIENT_ID and SERVERY_CLIENT_SECRET, or keep them in ` +
        'a profile: "servery env add". If you are a person, run "servery login". The first ' +
        'account of an empty platform is made where it runs: ' +
        '"servery clients create --local --type back-office --name Operator --scopes all".',
    );
  }
  const clientId = resolveClient(wanted, demo);
  const secret = ownSecret(env, clientId) ?? demoSecret(ownDemo, clientId);
  if (secret === undefined) {
    throw invalidUsage(
      `the secret of the client ${clientId} at ${baseUrl} is not known: set ` +
        'SERVERY_CLIENT_SECRET, and SERVERY_CLIENT_ID to the same client.',
    );
  }
  return { clientId, clientSecret: new Secret(secret) };
}

/** The sandbox of the data folder, when the address is its own; else null. */
export function ownDemoOf(demo: DemoFile | null, baseUrl: string): DemoFile | null {
  return demo !== null && [demo.baseUrl, demo.tlsUrl].includes(baseUrl) ? demo : null;
}

/** Where the platform is. Throws CommandFailure when nobody says it, or when it is no address. */
export function platformUrl(
  env: Environment,
  flags: ConnectionFlags,
  { demo, profile }: Known,
): string {
  const text = flags.url ?? profile?.url ?? given(env.SERVERY_URL) ?? demo?.baseUrl;
  if (text === undefined) {
    throw invalidUsage(
      `which platform? There is no ${demoFilePath(dataDirOf(env, flags))}: start a sandbox with ` +
        '"servery start", name the folder of one with --data-dir or SERVERY_DATA_DIR, or name a ' +
        'platform with --url, SERVERY_URL or a profile ("servery env"). A sandbox with the ' +
        'profile none has no such file.',
    );
  }
  return readAddress(text);
}

/** The address of a platform without what it does not need; throws CommandFailure for none. */
export function readAddress(text: string): string {
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
  return demoClient(text, demo) ?? readClient(text);
}

/** The client id of the account that `demo.json` calls so; null for other text. */
export function demoClient(text: string, demo: DemoFile | null): string | null {
  const name = demoClientNames.find((one) => one === text);
  return (name && demo?.clients[name]?.clientId) ?? null;
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
  const names = restaurants.map(({ name }) => name);
  throw invalidUsage(
    `no single restaurant matches ${JSON.stringify(text)}${didYouMean(text, names) || '.'} Write a GUID` +
      (names.length === 0 ? '.' : `, or one of ${names.join(', ')}.`),
  );
}

function dataDirOf(env: Environment, { dataDir }: ConnectionFlags): string {
  return dataDir ?? given(env.SERVERY_DATA_DIR) ?? nearestDataDir();
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
