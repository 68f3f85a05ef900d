import { Client, Refused } from '@servery/client/back-office';
import type { BackOfficeSession } from '@servery/contract';
import { machineTimer } from '@servery/support/timer.ts';
import { type AnyCommand, type Call, type Context, command, type Values } from '../command.ts';
import { platformUrl, readKnown, wayOutOf } from '../connection.ts';
import { CommandFailure, exitCodes, invalidUsage } from '../exit-codes.ts';
import { readBytes } from '../files.ts';
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
import { failureOf } from '../refusals.ts';
import { said } from '../shown.ts';
import { tell } from '../tell.ts';
import { printable } from '../terminal.ts';
import { optional, text } from '../values.ts';

interface Target {
  readonly name: string;
  readonly url: string;
  /** See wayOutOf. */
  readonly wayOut: string;
}

const options = {
  email: text('<address>', 'email address, instead of the argument'),
  passwordFile: text(
    '<file>',
    'file with the password, and a code on the second line; - for standard input',
  ),
};
type LoginCall = Call<Values, typeof options>;

const UNAUTHORIZED = 401;

/** `servery login` and `servery logout`. */
export const sessionCommands: readonly AnyCommand[] = [
  command({
    name: 'login',
    summary: 'Log in as a person, with an email address and password',
    examples: [
      'servery login --url https://platform.example --email ada@example.com',
      'servery login ada@example.com',
      'servery login --profile prod',
      'servery login --email ada@example.com < /run/secrets/password',
    ],
    arguments: { email: optional('email address; asks if omitted') },
    options,
    check: ({ args: { email }, options: { email: same } }) => {
      if (email === undefined || same === undefined) return;
      throw invalidUsage('the email address is given twice. Leave out --email.');
    },
    // A person has no account to open the platform with yet.
    local: async (call) => {
      const before = await readProfiles(call.env);
      const target = await targetOf(call, before);
      const { name, url } = target;
      const known = keptAt(before, name, url);
      const email = call.args.email ?? call.options.email ?? known?.email ?? (await askEmail(call));
      requireSamePerson(name, known, email);
      await requireWritableProfiles(call.env);
      const { password, totpCode } = await readSecrets(call, email, url);
      // A known device is one of this person at this platform.
      const mark = known && isSame(known, email) ? known.cookie : '';
      const { body, cookie } = await begin(call, target, mark, { email, password, totpCode });
      const { csrfToken, expiresAt, person } = body;
      const file = await keep(call, name, { url, email: person.email, cookie, csrfToken });
      const json = { profile: name, url, email: person.email, expiresAt, file };
      const other = otherInUse(call);
      const use = other
        ? `${other} takes precedence over this profile. Unset it, or add --profile ${name}.`
        : 'Commands use this profile from now on. To end the session: "servery logout".';
      return said(
        json,
        `${person.name} (${person.email}) is logged in at ${url}, as the profile ${name}, until ` +
          `${expiresAt} at the latest.\n${use}`,
      );
    },
  }),
  command({
    name: 'logout',
    summary: 'End the session of a person who logged in',
    examples: ['servery logout', 'servery logout --profile prod'],
    local: async (call) => {
      const { env, flags } = call;
      const before = await readProfiles(env);
      const { profile: known } = await readKnown(env, flags);
      if (!known || !isOfPerson(known)) {
        throw invalidUsage(
          'nobody is logged in. Name the profile of a person with --profile. "servery env list" ' +
            'shows them.',
        );
      }
      const { name, url, email, cookie, csrfToken } = known;
      const failure = csrfToken === null ? null : await endSession(call, known);
      const mark = cookie.replace(/=[^.]*\.?/, '=.');
      await changeProfiles(env, (present) => {
        const kept = ownOf(present, name);
        // Another command may have logged in, or removed the profile, meanwhile.
        if (!kept || !isOfPerson(kept) || kept.cookie !== cookie) return present;
        const current = present.current === name ? null : present.current;
        const profile: PersonProfile = { url, email, cookie: mark, csrfToken: null };
        return { current, profiles: { ...present.profiles, [name]: profile } };
      });
      if (failure) {
        throw new CommandFailure(
          `the session is removed here, but stays open at the platform until it expires: ${failure}`,
          exitCodes.failure,
        );
      }
      const rest = before.current === name ? ' No profile is in use now.' : '';
      const json = { profile: name, url, email };
      return said(json, `${email} is logged out at ${url}.${rest}`);
    },
  }),
];

/** Keeps the session in the profiles as they are now, and ends the one that was kept before. */
async function keep(call: LoginCall, name: string, profile: PersonProfile): Promise<string> {
  let replaced: PersonProfile | null = null;
  const file = await changeProfiles(call.env, (present) => {
    replaced = keptAt(present, name, profile.url);
    requireSamePerson(name, replaced, profile.email);
    return { current: name, profiles: { ...present.profiles, [name]: profile } };
  }).catch(async (error: unknown) => {
    // Nobody could use a session that is not kept.
    await endSession(call, profile);
    throw error;
  });
  const earlier = replaced as PersonProfile | null;
  if (earlier === null || earlier.csrfToken === null) return file;
  const failure = await endSession(call, earlier);
  if (failure !== null) {
    tell(call, `The earlier session stays open at the platform until it expires: ${failure}`);
  }
  return file;
}

async function targetOf({ env, flags }: LoginCall, profiles: Profiles): Promise<Target> {
  const { profile: wanted, ...rest } = flags;
  const isNew = wanted !== undefined && ownOf(profiles, wanted) === null;
  // A new profile gets its platform from --url, a variable or the data directory.
  const known = await readKnown(env, isNew || flags.url !== undefined ? rest : flags);
  const url = platformUrl(env, rest, known);
  const own = known.profile;
  const name = readProfileName(wanted ?? (own && isOfPerson(own) ? own.name : nameFor(url)));
  return { name, url, wayOut: wayOutOf(own) };
}

/** The person whom the profile keeps at that platform; null where it is free. */
function keptAt(profiles: Profiles, name: string, url: string): PersonProfile | null {
  const kept = ownOf(profiles, name);
  if (kept === null) return null;
  if (!isOfPerson(kept)) {
    throw invalidUsage(
      `the profile ${name} belongs to the API account ${kept.clientId}. Use another name with ` +
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

/** Only a live session is protected. */
function requireLoggedOut(name: string, { url, email, csrfToken }: PersonProfile): void {
  if (csrfToken === null) return;
  throw invalidUsage(
    `the profile ${name} belongs to ${email} at ${url}. Log out first ("servery logout --profile ` +
      `${name}"), or use another name with --profile.`,
  );
}

function ownOf({ profiles }: Profiles, name: string): Profile | null {
  return (Object.hasOwn(profiles, name) && profiles[name]) || null;
}

/** A profile is named after the host by default, and after the sandbox there. */
function nameFor(url: string): string {
  const { host, pathname } = new URL(url);
  const [, sandbox] = /\/sandboxes\/([^/]+)$/.exec(pathname) ?? [];
  const name = sandbox === undefined ? host : `${host}-${sandbox}`;
  return name.replaceAll(/[^A-Za-z0-9.]+/g, '-').replace(/^[-.]+/, '');
}

async function askEmail(call: Context): Promise<string> {
  if (process.stdin.isTTY !== true) {
    throw invalidUsage('who logs in? Use --email, for example --email ada@example.com.');
  }
  return (await askPerson(call, 'Email address: ', { isHidden: false })).trim();
}

interface Secrets {
  readonly password: string;
  readonly totpCode: string | null;
}

async function readSecrets(call: LoginCall, email: string, url: string): Promise<Secrets> {
  const { passwordFile } = call.options;
  if (passwordFile === undefined && process.stdin.isTTY === true) {
    const question = `Password of ${printable(email)} at ${url}: `;
    return { password: await askPerson(call, question, { isHidden: true }), totpCode: null };
  }
  const content = (await readBytes(passwordFile ?? '-')).toString();
  const [password = '', code = ''] = content.split(/\r?\n/);
  if (password !== '') return { password, totpCode: code.trim() === '' ? null : code.trim() };
  throw invalidUsage(
    'the password is empty. Type it at a terminal, or give it on standard input or with ' +
      '--password-file. There is no option for it, because process lists show options.',
  );
}

/** Begins the session; asks for a code of the authenticator app when the platform wants one. */
async function begin(
  call: LoginCall,
  target: Target,
  mark: string,
  { email, password, totpCode }: Secrets & { readonly email: string },
): Promise<{ readonly body: BackOfficeSession; readonly cookie: string }> {
  const { url, wayOut, name } = target;
  const { errorClasses, sessionCookieName } = await import('@servery/contract');
  const client = new Client({ baseUrl: url, signal: call.signal, after: machineTimer.after });
  try {
    const { body, headers } = await client.send('backOffice.sessions.begin', {
      headers: mark === '' ? {} : { cookie: mark },
      body: { email, password, ...(totpCode === null ? {} : { totpCode }) },
    });
    const own = headers.getSetCookie().find((cookie) => cookie.startsWith(`${sessionCookieName}=`));
    if (own) return { body, cookie: own.split(';')[0] ?? '' };
    throw new CommandFailure(`${url} began a session without its cookie.`, exitCodes.failure);
  } catch (error) {
    const isCodeMissing =
      error instanceof Refused && error.code === errorClasses.secondFactorRequired.code;
    if (!isCodeMissing) {
      const person = wayOut === '' ? null : { profile: name, email, wayOut };
      // The password was wrong, and not the session of that person.
      const asked = error instanceof Refused ? null : person;
      throw failureOf(error, { connection: { baseUrl: url, person: asked } });
    }
    if (process.stdin.isTTY !== true) {
      throw new CommandFailure(
        `${email} uses an authenticator app. Give its code, or a recovery code, on a second line ` +
          'after the password.',
        exitCodes.refused,
      );
    }
  }
  const question = 'Code of the authenticator app, or a recovery code: ';
  const typed = (await askPerson(call, question, { isHidden: false })).trim();
  return await begin(call, target, mark, { email, password, totpCode: typed });
}

/** Ends it at the platform; gives why that failed, or null. */
async function endSession({ signal }: Context, own: PersonProfile): Promise<string | null> {
  const { url: baseUrl, cookie, csrfToken } = own;
  const credentials = { cookie, csrfToken: csrfToken ?? '' };
  try {
    const client = new Client({ baseUrl, credentials, signal, after: machineTimer.after });
    await client.call('backOffice.session.end');
    return null;
  } catch (error) {
    if (error instanceof Refused && error.status === UNAUTHORIZED) return null;
    const failure = failureOf(error, { connection: { baseUrl, person: null } });
    if (failure instanceof CommandFailure) return failure.message;
    throw failure;
  }
}

/** What takes precedence over the profile in use. */
function otherInUse({ env }: Context): string | null {
  const names = ['SERVERY_TOKEN', 'SERVERY_ENV', 'SERVERY_URL', 'SERVERY_DATA_DIR'];
  return names.find((name) => (env[name] ?? '') !== '') ?? null;
}
