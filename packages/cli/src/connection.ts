import type { Credentials } from '@servery/client/back-office';
import { type DemoClientName, type DemoFile, demoClientNames, demoFilePath } from '@servery/server';
import type { Environment, Flags, Session } from './command.ts';
import { nearestDataDir } from './data-dir.ts';
import { invalidUsage } from './exit-codes.ts';
import {
  isOfPerson,
  type PersonProfile,
  type Profile,
  profileCalled,
  readProfiles,
} from './profiles.ts';
import { clientId as readClientId } from './readers.ts';
import {
  knownSandboxes,
  MAIN,
  mainAddress,
  readDemoAt,
  readSandboxDemo,
  type SandboxPlace,
  sandboxAddress,
  sandboxName,
  unknownAccounts,
} from './sandbox-accounts.ts';

export interface Connection {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Who is logged in; null for an API account. */
  readonly person: LoggedInPerson | null;
}

/** A person who logged in, and the profile with the session. */
interface LoggedInPerson {
  readonly profile: string;
  readonly email: string;
  /** See wayOutOf. */
  readonly wayOut: string;
}

export interface Known {
  /**
   * The sandbox of the data directory; null without a readable `demo.json`, and where another
   * platform is named: its names mean nothing there.
   */
  readonly demo: DemoFile | null;
  /** The profile that was asked for, or is in use; null when something else was said. */
  readonly profile: NamedProfile | null;
  /** The sandbox that was asked for, or is in use; also `main`. */
  readonly sandbox: SandboxPlace | null;
}

/** `isInUse` when nothing else was said. */
type NamedProfile = Profile & { readonly name: string; readonly isInUse: boolean };

/** The sandbox of the data directory, or null without a readable `demo.json`. */
export async function readDemo(env: Environment, flags: Flags): Promise<DemoFile | null> {
  return await readDemoAt(demoFilePath(dataDirOf(env, flags)));
}

/** Reads the sandbox of the data directory and the profile that is meant. Throws CommandFailure. */
export async function readKnown(env: Environment, flags: Flags): Promise<Known> {
  const demo = await readDemo(env, flags);
  const profile = await readProfile(env, flags);
  const url = flags.url ?? profile?.url ?? given(env.SERVERY_URL);
  const name = sandboxOf(env, flags);
  if (name === null) {
    const own = url === undefined ? demo : ownDemoOf(demo, readAddress(url));
    return { demo: own, profile, sandbox: null };
  }
  const mainUrl = mainAddress(platformUrl(env, flags, { demo, profile, sandbox: null }));
  const own = ownDemoOf(demo, mainUrl);
  const sandbox = { mainUrl, name, dataDir: own === null ? null : dataDirOf(env, flags) };
  return { demo: name === MAIN ? own : await readSandboxDemo(env, sandbox), profile, sandbox };
}

/** The sandboxes of the platform in use whose accounts are known here; none without a platform. */
export async function sandboxesKnownTo(env: Environment): Promise<readonly string[]> {
  try {
    const { sandbox } = await readKnown(env, { sandbox: MAIN });
    return sandbox === null ? [] : knownSandboxes(env, sandbox);
  } catch {
    return [];
  }
}

/** The other environments of that platform whose accounts are known here, `main` first. */
export function environmentsBeside(
  env: Environment,
  flags: Flags,
  { connection: { baseUrl }, known }: { readonly connection: Connection; readonly known: Known },
): readonly string[] {
  const mainUrl = mainAddress(baseUrl);
  const dataDir = known.sandbox?.dataDir ?? (known.demo === null ? null : dataDirOf(env, flags));
  const names = [MAIN, ...knownSandboxes(env, { mainUrl, dataDir })];
  return names.filter((name) => sandboxAddress(mainUrl, name) !== baseUrl);
}

/** A sandbox beside the main environment that a command called. */
export function sandboxPlaceOf(
  { env, flags, client, demo }: Session & { readonly env: Environment; readonly flags: Flags },
  name: string,
): SandboxPlace {
  const dataDir = demo === null ? null : dataDirOf(env, flags);
  return { mainUrl: mainAddress(client.baseUrl), name, dataDir };
}

/** The sandbox that is named; null when none is. */
export function sandboxOf(env: Environment, flags: Flags): string | null {
  if (flags.sandbox !== undefined) return sandboxName(flags.sandbox, '--sandbox ');
  const name = given(env.SERVERY_SANDBOX);
  return name === undefined ? null : sandboxName(name, 'SERVERY_SANDBOX ');
}

async function readProfile(env: Environment, flags: Flags): Promise<NamedProfile | null> {
  if (flags.profile !== undefined && flags.url !== undefined) {
    throw invalidUsage('--profile and --url both name a platform. Leave one of them out.');
  }
  if (flags.url !== undefined) return null;
  const name = flags.profile ?? given(env.SERVERY_ENV);
  if (name !== undefined) {
    if (flags.profile === undefined && given(env.SERVERY_URL) !== undefined) {
      throw invalidUsage('SERVERY_ENV and SERVERY_URL both name a platform. Unset one of them.');
    }
    return { ...profileCalled(await readProfiles(env), name), name, isInUse: false };
  }
  if ([env.SERVERY_URL, env.SERVERY_DATA_DIR, flags.dataDir].some(given)) return null;
  const profiles = await readProfiles(env);
  const { current } = profiles;
  if (current === null) return null;
  return { ...profileCalled(profiles, current), name: current, isInUse: true };
}

/**
 * Which platform, and as whom: flags, then variables, then the profile in use, then the sandbox of
 * the data directory with its account `role`. The secrets of a sandbox go only to that sandbox, and
 * those of a profile only to its platform. Throws CommandFailure that says what is missing.
 */
export function connectionOf(
  env: Environment,
  flags: Flags,
  known: Known,
  role: DemoClientName,
): Connection {
  const baseUrl = platformUrl(env, flags, known);
  if (known.sandbox !== null && known.profile?.url !== baseUrl) {
    // The profile is one of another environment of that platform.
    const own = { ...known, profile: null };
    return connectionAt(baseUrl, withoutOthers(env, flags, own, role), flags, own, role);
  }
  return connectionAt(baseUrl, env, flags, known, role);
}

/** The variables, without an account of the main environment where the sandbox's own is known. */
function withoutOthers(
  env: Environment,
  { clientId }: Flags,
  { demo, sandbox }: Known,
  role: DemoClientName,
): Environment {
  if (demo === null || sandbox === null || sandbox.name === MAIN) return env;
  if (secretOf(resolveClient(clientId ?? role, demo), demo) === undefined) return env;
  const { SERVERY_CLIENT_ID, SERVERY_CLIENT_SECRET, SERVERY_TOKEN, ...rest } = env;
  return rest;
}

function connectionAt(
  baseUrl: string,
  env: Environment,
  flags: Flags,
  known: Known,
  role: DemoClientName,
): Connection {
  const accessToken = given(env.SERVERY_TOKEN);
  if (accessToken !== undefined && flags.clientId === undefined && flags.profile === undefined) {
    return { baseUrl, credentials: { accessToken }, person: null };
  }
  const { profile } = known;
  // Only an API account can do what partners do.
  if (profile && isOfPerson(profile) && flags.clientId === undefined && role === 'operator') {
    return { baseUrl, ...sessionOf(profile) };
  }
  return { baseUrl, credentials: accountOf(env, flags, known, { baseUrl, role }), person: null };
}

function sessionOf(profile: NamedProfile & PersonProfile): Omit<Connection, 'baseUrl'> {
  const { name, url, email, cookie, csrfToken } = profile;
  if (csrfToken === null) {
    throw invalidUsage(
      `${email} is not logged in at ${url}. Run "servery login --profile ${name}".`,
    );
  }
  const person = { profile: name, email, wayOut: wayOutOf(profile) };
  return { credentials: { cookie, csrfToken }, person };
}

/**
 * What a person who is logged in can do when the platform of the profile in use does not answer or
 * does not know the session, for example after a sandbox was reset; empty for another profile.
 */
export function wayOutOf(profile: NamedProfile | null): string {
  if (!profile?.isInUse || !isOfPerson(profile) || profile.csrfToken === null) return '';
  const { email, name } = profile;
  return (
    ` You are logged in as ${email} (profile ${name}). "servery logout" goes back to the sandbox ` +
    'in the data directory.'
  );
}

function accountOf(
  env: Environment,
  flags: Flags,
  { demo, profile, sandbox }: Known,
  { baseUrl, role }: { readonly baseUrl: string; readonly role: DemoClientName },
) {
  const account = profile && !isOfPerson(profile) ? profile : null;
  if (account && (flags.clientId ?? account.clientId) === account.clientId) {
    return { clientId: account.clientId, clientSecret: account.clientSecret };
  }
  const wanted = flags.clientId ?? given(env.SERVERY_CLIENT_ID) ?? (demo ? role : undefined);
  const isInSandbox = sandbox !== null && sandbox.name !== MAIN;
  if (wanted === undefined) {
    if (isInSandbox) throw unknownAccounts(env, sandbox);
    throw invalidUsage(
      `which account? For ${baseUrl}, set SERVERY_CLIENT_ID and SERVERY_CLIENT_SECRET, or store ` +
        'them in a profile with "servery env add". If you are a person, run "servery login". ' +
        'Create the first account of an empty platform on its own machine: ' +
        '"servery clients create --local --type back-office --name Operator --scopes all".',
    );
  }
  const clientId = resolveClient(wanted, demo);
  // The variable belongs to the account that the variable beside it names, and to no other.
  const owner = given(env.SERVERY_CLIENT_ID);
  const own = owner === undefined || owner === clientId ? given(env.SERVERY_CLIENT_SECRET) : null;
  const clientSecret = own ?? secretOf(clientId, demo);
  if (clientSecret) return { clientId, clientSecret };
  if (isInSandbox && demo === null) throw unknownAccounts(env, sandbox);
  throw invalidUsage(
    `the secret of the client ${clientId} at ${baseUrl} is unknown. Set SERVERY_CLIENT_SECRET, ` +
      'and SERVERY_CLIENT_ID to the same client.',
  );
}

function secretOf(clientId: string, demo: DemoFile | null): string | undefined {
  const clients = Object.values(demo?.clients ?? {});
  return clients.find((client) => client.clientId === clientId)?.clientSecret;
}

/** The sandbox, when the address is its own; else null. */
function ownDemoOf(demo: DemoFile | null, baseUrl: string): DemoFile | null {
  return demo !== null && [demo.baseUrl, demo.tlsUrl].includes(baseUrl) ? demo : null;
}

/** The address of the platform. Throws CommandFailure when there is none, or it is wrong. */
export function platformUrl(
  env: Environment,
  flags: Flags,
  { demo, profile, sandbox }: Known,
): string {
  if (sandbox !== null) return sandboxAddress(sandbox.mainUrl, sandbox.name);
  const text = flags.url ?? profile?.url ?? given(env.SERVERY_URL) ?? demo?.baseUrl;
  if (text !== undefined) return readAddress(text);
  throw invalidUsage(
    `which platform? ${demoFilePath(dataDirOf(env, flags))} does not exist. Start a sandbox with ` +
      '"servery start", name its data directory with --data-dir or SERVERY_DATA_DIR, or name a ' +
      'platform with --url, SERVERY_URL, or a profile ("servery env"). A sandbox with the ' +
      'profile none writes no such file.',
  );
}

/** The address of a platform without what it does not need; throws CommandFailure for none. */
export function readAddress(text: string): string {
  const url = URL.parse(text);
  const isSound = url && /^https?:$/.test(url.protocol) && url.username + url.password === '';
  if (!isSound || url.search !== '' || url.hash !== '') {
    throw invalidUsage('the address of the platform must be http://host:port or https://host.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** The client ID of an account of the sandbox by its name in `demo.json`; else the text itself. */
export function resolveClient(text: string, demo: DemoFile | null): string {
  return demoClient(text, demo) ?? readClientId(text);
}

/** The client ID of the account with that name in `demo.json`; null for other text. */
export function demoClient(text: string, demo: DemoFile | null): string | null {
  const name = demoClientNames.find((one) => one === text);
  return (name && demo?.clients[name]?.clientId) ?? null;
}

function dataDirOf(env: Environment, { dataDir }: Flags): string {
  return dataDir ?? given(env.SERVERY_DATA_DIR) ?? nearestDataDir();
}

function given(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
