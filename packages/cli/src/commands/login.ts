import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type BackOfficeSession, sessionCookieName } from '@servery/contract';
import { askOnce, connect, PlatformRefusal } from '../back-office.ts';
import { platformUrl, readKnown, wayOutOf } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { fileFailure } from '../files.ts';
import {
  changeProfiles,
  isOfPerson,
  type PersonProfile,
  type Profile,
  type Profiles,
  readProfileName,
  readProfiles,
  requireWritableProfiles,
} from '../profiles.ts';
import { askPerson } from '../prompt.ts';
import { type RemoteDeps, type RemoteFlags, showJson } from '../session.ts';
import { printable } from '../terminal.ts';

/** The options of `servery login`. */
export interface LoginFlags extends RemoteFlags {
  readonly email?: string;
  /** The password on its first line, and a code on the second; `-` for standard input. */
  readonly passwordFile?: string;
}

/** The profile to keep a session in, and its platform. */
interface Target {
  readonly name: string;
  readonly url: string;
  /** See wayOutOf. */
  readonly wayOut: string;
}

/** What a person logs in with. */
interface Credentials {
  readonly email: string;
  readonly password: string;
  /** Null when none was given yet. */
  readonly totpCode: string | null;
}

const SESSIONS = '/backoffice/v1/sessions';
const UNAUTHORIZED = 401;
/** So the platform says that the password is right and a code is missing. */
const WANTS_CODE = /totpCode/;

/**
 * `servery login`: logs a person in, keeps the session in a profile, and takes that into use. The
 * password comes from a hidden prompt, a file or standard input, never from the command line.
 * Throws CommandFailure.
 */
export async function runLogin(deps: RemoteDeps, flags: LoginFlags): Promise<void> {
  const before = await readProfiles(deps.env);
  const target = await targetOf(deps, flags, before);
  const { name, url } = target;
  const known = keptAt(before, name, url);
  const email = flags.email ?? known?.email ?? (await askEmail(deps));
  requireSamePerson(name, known, email);
  await requireWritableProfiles(deps.env);
  const { password, totpCode } = await readSecrets(deps, flags, email, url);
  // The mark of the device is one of this person at this platform.
  const mark = known && isSame(known, email) ? known.cookie : '';
  const { json, cookie } = await begin(deps, target, mark, {
    ...{ email, password, totpCode },
  });
  const { csrfToken, expiresAt, person } = json;
  const profile: PersonProfile = { url, email: person.email, cookie, csrfToken };
  const file = await keep(deps, name, profile);
  if (flags.json) {
    return showJson(deps, { profile: name, url, email: person.email, expiresAt, file });
  }
  const other = otherInUse(deps);
  const said =
    `${person.name} (${person.email}) is logged in at ${url}, as the profile ${name}, until ` +
    `${expiresAt} at the latest.`;
  const use = other
    ? `${other} goes before the profile in use: unset it, or add --profile ${name}.`
    : 'Commands go by it from now on. "servery logout" ends it.';
  deps.terminal.out.write(`${printable(`${said}\n${use}`)}\n`);
}

/**
 * `servery logout`: ends the session at the platform, and forgets it. What is kept is the address
 * of the platform and of the person, for the next login. Throws CommandFailure.
 */
export async function runLogout(deps: RemoteDeps, flags: RemoteFlags): Promise<void> {
  const before = await readProfiles(deps.env);
  const { profile: known } = await readKnown(deps.env, flags);
  if (!known || !isOfPerson(known)) {
    throw invalidUsage(
      'nobody is logged in here: name the profile of a person with --profile. "servery env list" ' +
        'shows them.',
    );
  }
  const { name, url, email, cookie, csrfToken } = known;
  const mark = `${sessionCookieName}=.${cookie.split('.')[1] ?? ''}`;
  const profile: PersonProfile = { url, email, cookie: mark, csrfToken: null };
  const failure = csrfToken === null ? null : await endSession(deps, known);
  await changeProfiles(deps.env, (present) => {
    const kept = ownOf(present, name);
    // Another command may have logged in, or forgotten the profile, meanwhile.
    if (!kept || !isOfPerson(kept) || kept.cookie !== cookie) return present;
    const current = present.current === name ? null : present.current;
    return { current, profiles: { ...present.profiles, [name]: profile } };
  });
  if (failure) {
    throw new CommandFailure(
      `the session is forgotten here, but it goes on at the platform until it ends: ${failure}`,
      exitCodes.failure,
    );
  }
  if (flags.json) return showJson(deps, { profile: name, url, email });
  const rest = before.current === name ? ' No profile is in use now.' : '';
  deps.terminal.out.write(`${printable(`${email} is logged out at ${url}.${rest}`)}\n`);
}

/**
 * Keeps the session in the profiles as they are now, and ends the one that was kept there before.
 * A session that cannot be kept is ended: nobody could use it. Gives the file.
 */
async function keep(deps: RemoteDeps, name: string, profile: PersonProfile): Promise<string> {
  let replaced: PersonProfile | null = null;
  const file = await changeProfiles(deps.env, (present) => {
    replaced = keptAt(present, name, profile.url);
    requireSamePerson(name, replaced, profile.email);
    return { current: name, profiles: { ...present.profiles, [name]: profile } };
  }).catch(async (error: unknown) => {
    await endSession(deps, { name, ...profile });
    throw error;
  });
  await endReplaced(deps, name, replaced);
  return file;
}

async function endReplaced(
  deps: RemoteDeps,
  name: string,
  replaced: PersonProfile | null,
): Promise<void> {
  if (replaced === null || replaced.csrfToken === null) return;
  const failure = await endSession(deps, { name, ...replaced });
  if (failure === null) return;
  deps.terminal.err.write(
    `${printable(`The earlier session goes on at the platform until it ends: ${failure}`)}\n`,
  );
}

async function targetOf(deps: RemoteDeps, flags: LoginFlags, profiles: Profiles): Promise<Target> {
  const { profile: wanted, ...rest } = flags;
  const isNew = wanted !== undefined && ownOf(profiles, wanted) === null;
  // A new profile gets its platform from --url, a variable or the data folder.
  const known = await readKnown(deps.env, isNew || flags.url !== undefined ? rest : flags);
  const url = platformUrl(deps.env, rest, known);
  const own = known.profile;
  const name = readProfileName(wanted ?? (own && isOfPerson(own) ? own.name : nameFor(url)));
  return { name, url, wayOut: wayOutOf(own) };
}

/**
 * The person that the profile of that name keeps at that platform; null where a new one may stand.
 * Throws CommandFailure for a profile of an API account, or of a live session at another platform.
 */
function keptAt(profiles: Profiles, name: string, url: string): PersonProfile | null {
  const kept = ownOf(profiles, name);
  if (kept === null) return null;
  if (!isOfPerson(kept)) {
    throw invalidUsage(
      `the profile ${name} is of the API account ${kept.clientId}: choose another name with ` +
        '--profile.',
    );
  }
  if (kept.url === url) return kept;
  requireLoggedOut(name, kept);
  return null;
}

function requireSamePerson(name: string, kept: PersonProfile | null, email: string): void {
  if (kept && !isSame(kept, email)) requireLoggedOut(name, kept);
}

function isSame(kept: PersonProfile, email: string): boolean {
  return kept.email === email.trim().toLowerCase();
}

/** Only a live session is protected: one that has ended may be replaced. */
function requireLoggedOut(name: string, { url, email, csrfToken }: PersonProfile): void {
  if (csrfToken === null) return;
  throw invalidUsage(
    `the profile ${name} is of ${email} at ${url}: log out first ("servery logout --profile ` +
      `${name}"), or choose another name with --profile.`,
  );
}

function ownOf({ profiles }: Profiles, name: string): Profile | null {
  return (Object.hasOwn(profiles, name) && profiles[name]) || null;
}

/** A platform without a name of yours is called as its host. */
function nameFor(url: string): string {
  return new URL(url).host.replaceAll(/[^A-Za-z0-9.]+/g, '-').replace(/^[-.]+/, '');
}

async function askEmail(deps: RemoteDeps): Promise<string> {
  if (process.stdin.isTTY !== true) {
    throw invalidUsage('who logs in? Say it with --email, for example --email ada@example.com.');
  }
  return (await askPerson(deps, 'E-mail address: ', { isHidden: false })).trim();
}

async function readSecrets(
  deps: RemoteDeps,
  { passwordFile }: LoginFlags,
  email: string,
  url: string,
): Promise<Omit<Credentials, 'email'>> {
  if (passwordFile === undefined && process.stdin.isTTY === true) {
    const question = `Password of ${printable(email)} at ${url}: `;
    return { password: await askPerson(deps, question, { isHidden: true }), totpCode: null };
  }
  const file = passwordFile ?? '-';
  const content = await (file === '-' ? text(process.stdin) : readFile(file, 'utf8')).catch(
    (error: unknown) => {
      throw fileFailure(file, 'read', error);
    },
  );
  const [password = '', code = ''] = content.split(/\r?\n/);
  if (password !== '') return { password, totpCode: code.trim() === '' ? null : code.trim() };
  throw invalidUsage(
    'the password is empty: type it at a terminal, or give it on standard input or with ' +
      '--password-file. There is no flag for it, because lists of processes show flags.',
  );
}

/** Begins the session; asks for the code of the authenticator app when the platform wants one. */
async function begin(
  deps: RemoteDeps,
  target: Target,
  known: string,
  { email, password, totpCode }: Credentials,
): Promise<{ readonly json: BackOfficeSession; readonly cookie: string }> {
  const { url, wayOut } = target;
  const code = totpCode === null ? {} : { totpCode };
  const sent = {
    method: 'POST' as const,
    path: SESSIONS,
    headers: { 'content-type': 'application/json', ...(known === '' ? {} : { cookie: known }) },
    body: JSON.stringify({ email, password, ...code }),
    wayOut,
  };
  try {
    const { json, cookies } = await askOnce<BackOfficeSession>(url, sent, deps.signal);
    const own = cookies.find((cookie) => cookie.startsWith(`${sessionCookieName}=`));
    if (own) return { json, cookie: own.split(';')[0] ?? '' };
    throw new CommandFailure(`${url} began a session without its cookie.`, exitCodes.failure);
  } catch (error) {
    if (!isCodeMissing(error) || totpCode !== null) throw error;
    if (process.stdin.isTTY !== true) {
      throw new CommandFailure(
        `${email} has an authenticator app: give its code, or a recovery code, on a second line ` +
          'after the password.',
        exitCodes.refused,
      );
    }
  }
  const question = 'Code of the authenticator app, or a recovery code: ';
  const typed = (await askPerson(deps, question, { isHidden: false })).trim();
  return await begin(deps, target, known, { email, password, totpCode: typed });
}

function isCodeMissing(error: unknown): boolean {
  if (!(error instanceof PlatformRefusal) || error.status !== UNAUTHORIZED) return false;
  return WANTS_CODE.test(error.message);
}

/** Ends it at the platform; gives why it could not be ended, or null. */
async function endSession(
  { signal }: RemoteDeps,
  known: PersonProfile & { readonly name: string },
): Promise<string | null> {
  const { Secret } = await import('@servery/support/secret.ts');
  const { name: profile, url: baseUrl, email, cookie, csrfToken } = known;
  const session = {
    ...{ profile, email, cookie: new Secret(cookie) },
    csrfToken: new Secret(csrfToken ?? ''),
    wayOut: '',
  };
  try {
    const remote = connect({ baseUrl, session }, signal, ({ reason }) => reason);
    await remote.send('DELETE', '/backoffice/v1/session');
    return null;
  } catch (error) {
    if (error instanceof PlatformRefusal && error.status === UNAUTHORIZED) return null;
    if (error instanceof CommandFailure) return error.message;
    throw error;
  }
}

/** What says which platform before the profile in use does. */
function otherInUse({ env }: RemoteDeps): string | null {
  const names = ['SERVERY_TOKEN', 'SERVERY_ENV', 'SERVERY_URL', 'SERVERY_DATA_DIR'];
  return names.find((name) => (env[name] ?? '') !== '') ?? null;
}
