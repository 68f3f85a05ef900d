import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { readClient } from '../arguments.ts';
import {
  type Connection,
  connectionOf,
  type Known,
  ownDemoOf,
  readAddress,
  readKnown,
} from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import {
  isOfPerson,
  type Profiles,
  profileCalled,
  profileFile,
  readProfiles,
  writeProfiles,
} from '../profiles.ts';
import { type RemoteDeps, type RemoteFlags, showJson, showTable } from '../session.ts';
import type { Column } from '../table.ts';
import { printable } from '../terminal.ts';

/** The options of every `servery env`. */
export type EnvFlags = RemoteFlags;

/** The options of `servery env add`. */
export interface EnvAddFlags extends EnvFlags {
  readonly secretFile?: string;
}

interface ListedProfile {
  readonly name: string;
  readonly url: string;
  /** Null for a person. */
  readonly clientId: string | null;
  /** Null for an API account. */
  readonly email: string | null;
  readonly isLoggedIn: boolean;
  readonly isCurrent: boolean;
}

const columns: readonly Column<ListedProfile>[] = [
  { title: 'profile', cell: ({ name }) => name },
  { title: 'platform', cell: ({ url }) => url },
  { title: 'account or person', cell: whoText },
  { title: 'in use', cell: ({ isCurrent }) => (isCurrent ? 'in use' : '') },
];

/**
 * `servery env`: prints the platform and the account that commands go by as shell variables, with
 * the secret, so that other programs find them too. Throws CommandFailure when there is none.
 */
export async function runEnvExport(deps: RemoteDeps, flags: EnvFlags): Promise<void> {
  const known = await readKnown(deps.env, flags);
  const variables = variablesOf(connectionOf(deps.env, flags, known, 'operator'));
  if (flags.json) return showJson(deps, variables);
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}=${quoted(value)}`);
  deps.terminal.out.write(`${lines.join('\n')}\n`);
}

/** `servery env show`: says whom commands talk to, why, and whether they hold a secret. */
export async function runEnvShow(deps: RemoteDeps, flags: EnvFlags): Promise<void> {
  const known = await readKnown(deps.env, flags);
  const connection = connectionOf(deps.env, flags, known, 'operator');
  const { baseUrl } = connection;
  const clientId = 'clientId' in connection ? connection.clientId : null;
  const because = reasonOf(deps, flags, known, baseUrl);
  const email = 'session' in connection ? connection.session.email : null;
  if (flags.json) return showJson(deps, { url: baseUrl, clientId, email, because });
  const name = clientId ?? email;
  const who = name === null ? 'with the access token of SERVERY_TOKEN' : `as ${name}`;
  deps.terminal.out.write(`${printable(`${baseUrl} ${who}, because of ${because}`)}\n`);
}

/** `servery env list`: the profiles, without secrets. */
export async function runEnvList(deps: RemoteDeps, flags: EnvFlags): Promise<void> {
  const { current, profiles } = await readProfiles(deps.env);
  const listed = Object.entries(profiles).map(([name, profile]) => ({
    ...{ name, url: profile.url },
    clientId: isOfPerson(profile) ? null : profile.clientId,
    email: isOfPerson(profile) ? profile.email : null,
    isLoggedIn: !isOfPerson(profile) || profile.csrfToken !== null,
    isCurrent: name === current,
  }));
  if (flags.json) return showJson(deps, listed);
  showTable(deps, columns, listed, 'There is no profile: make one with "servery env add".');
}

/**
 * `servery env add NAME`: keeps a platform, an account and its secret under a name; a profile of
 * that name is replaced. It is not taken into use: `env use` does that. The secret comes from
 * SERVERY_CLIENT_SECRET, a file or standard input.
 */
export async function runEnvAdd(deps: RemoteDeps, name: string, flags: EnvAddFlags): Promise<void> {
  const url = flags.url ?? deps.env.SERVERY_URL;
  const client = flags.clientId ?? deps.env.SERVERY_CLIENT_ID;
  if (!url) throw invalidUsage('which platform? Say it with --url.');
  if (!client) throw invalidUsage('as whom? Say it with --client-id.');
  const sound = { url: readAddress(url), clientId: readClient(client) };
  const clientSecret = await readSecret(deps, flags);
  const before = await readProfiles(deps.env);
  const profile = { ...sound, clientSecret };
  const profiles = { ...before.profiles, [name]: profile };
  const { current } = before;
  const use =
    current === name ? 'It is in use.' : `"servery env use ${name}" takes it into use from now on.`;
  const said = `${name} is ${sound.url} as ${sound.clientId}. ${use}`;
  await keep(deps, flags, { current, profiles }, said);
}

/** `servery env use [NAME]`: the profile that commands go by from now on; none without a name. */
export async function runEnvUse(
  deps: RemoteDeps,
  name: string | null,
  flags: EnvFlags,
): Promise<void> {
  const before = await readProfiles(deps.env);
  if (name !== null) profileCalled(before, name);
  const said =
    name === null
      ? 'No profile is in use: commands talk to the sandbox of the data folder.'
      : `Commands talk to ${profileCalled(before, name).url} now, unless they are told else.`;
  await keep(deps, flags, { ...before, current: name }, said);
}

/** `servery env remove NAME`: forgets a profile with its secret. */
export async function runEnvRemove(deps: RemoteDeps, name: string, flags: EnvFlags): Promise<void> {
  const before = await readProfiles(deps.env);
  profileCalled(before, name);
  const rest = Object.entries(before.profiles).filter(([own]) => own !== name);
  const current = before.current === name ? null : before.current;
  const after = { current, profiles: Object.fromEntries(rest) };
  const { [name]: removed } = before.profiles;
  const isOpen = removed && isOfPerson(removed) && removed.csrfToken !== null;
  const goesOn = isOpen
    ? 'the session at the platform goes on until it ends: "servery logout" would have ended it.'
    : 'the account at the platform is unchanged.';
  await keep(deps, flags, after, `${name} is forgotten; ${goesOn}`);
}

async function keep(
  deps: RemoteDeps,
  flags: EnvFlags,
  profiles: Profiles,
  said: string,
): Promise<void> {
  const file = await writeProfiles(deps.env, profiles);
  const { current } = profiles;
  if (flags.json) showJson(deps, { file, current, names: Object.keys(profiles.profiles) });
  else deps.terminal.out.write(`${printable(said)}\n`);
}

async function readSecret({ env, terminal }: RemoteDeps, flags: EnvAddFlags): Promise<string> {
  const { secretFile } = flags;
  const isTyped = secretFile === undefined && process.stdin.isTTY === true;
  if (secretFile === undefined && env.SERVERY_CLIENT_SECRET) return env.SERVERY_CLIENT_SECRET;
  if (isTyped) terminal.err.write('The secret of the account, then Enter and Ctrl-D:\n');
  const file = secretFile ?? '-';
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      throw fileFailure(file, 'read', error);
    },
  );
  const secret = content.trim();
  if (secret !== '') return secret;
  throw new CommandFailure(
    'the secret is empty: give it on standard input, with --secret-file, or in ' +
      'SERVERY_CLIENT_SECRET. There is no flag for it, because lists of processes show flags.',
    exitCodes.invalid,
  );
}

function whoText({ clientId, email, isLoggedIn }: ListedProfile): string {
  return clientId ?? `${email}${isLoggedIn ? '' : ' (logged out)'}`;
}

function variablesOf(connection: Connection): Readonly<Record<string, string>> {
  const { baseUrl: SERVERY_URL } = connection;
  if ('session' in connection) {
    throw invalidUsage(
      `${connection.session.email} is logged in as a person, whose session is not for other ` +
        'programs: name an API account with --client-id, or a profile of one with --profile.',
    );
  }
  if ('accessToken' in connection) {
    return { SERVERY_URL, SERVERY_TOKEN: connection.accessToken.reveal() };
  }
  return {
    SERVERY_URL,
    SERVERY_CLIENT_ID: connection.clientId,
    SERVERY_CLIENT_SECRET: connection.clientSecret.reveal(),
  };
}

/** As every shell of the POSIX family takes it. */
function quoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function reasonOf(
  { env }: RemoteDeps,
  flags: EnvFlags,
  { demo, profile }: Known,
  baseUrl: string,
): string {
  if (flags.url !== undefined) return '--url';
  if (flags.profile !== undefined) return `--profile ${flags.profile}`;
  if (profile) return env.SERVERY_ENV ? 'SERVERY_ENV' : `the profile in ${profileFile(env)}`;
  if (env.SERVERY_URL) return 'SERVERY_URL';
  return ownDemoOf(demo, baseUrl) ? 'the sandbox of the data folder' : 'the data folder';
}
