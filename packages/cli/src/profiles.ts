import { access, constants, mkdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from './command.ts';
import { CommandFailure, exitCodes, invalidUsage } from './exit-codes.ts';
import { fileFailure, writePrivate } from './files.ts';
import { didYouMean } from './find/did-you-mean.ts';

/** A platform and who you are there, under a name of yours. */
export type Profile = AccountProfile | PersonProfile;

interface AccountProfile {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface PersonProfile {
  readonly url: string;
  readonly email: string;
  /** What a browser would keep. After a logout only the mark of a known device is in it. */
  readonly cookie: string;
  /** Null while nobody is logged in. */
  readonly csrfToken: string | null;
}

/** The profiles of a user, and the one that commands use by default. */
export interface Profiles {
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const NONE: Profiles = { current: null, profiles: {} };
const OTHERS = 0o077;

/** The name, when a profile can be called so; throws CommandFailure when it cannot. */
export function readProfileName(text: string): string {
  if (NAME.test(text)) return text;
  throw invalidUsage(
    `${JSON.stringify(text)} is not a profile name. Use up to 64 letters, digits, dots, _ and -.`,
  );
}

export function profileFile(env: Environment): string | null {
  const home = env.HOME ?? env.USERPROFILE;
  const folder = env.XDG_CONFIG_HOME || env.APPDATA || (home && path.join(home, '.config'));
  return folder ? path.join(folder, 'servery', 'profiles.json') : null;
}

/**
 * The profiles of the user; none when there is no file. Throws CommandFailure for a file that is
 * not of this form, and for one that other users can read: it holds secrets.
 */
export async function readProfiles(env: Environment): Promise<Profiles> {
  const file = profileFile(env);
  if (file === null) return NONE;
  let text: string;
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) {
      throw new CommandFailure(
        `${file} has secrets, and other users can read or write it. Run "chmod 600 ${file}".`,
        exitCodes.invalid,
      );
    }
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE;
    throw fileFailure(file, 'read', error);
  }
  return parse(file, text);
}

function parse(file: string, text: string): Profiles {
  try {
    const { current, profiles } = JSON.parse(text) as Profiles;
    if (Object.values(profiles).every(isSound)) return { current: current ?? null, profiles };
  } catch {
    // Told below; what is in the file, which may be a secret, is not.
  }
  throw new CommandFailure(
    `${file} is not a file of profiles. Remove it, and add them again with "servery env add".`,
    exitCodes.invalid,
  );
}

function isSound(profile: Profile): boolean {
  const texts = isOfPerson(profile)
    ? [profile.url, profile.email, profile.cookie, profile.csrfToken ?? '']
    : [profile.url, profile.clientId, profile.clientSecret];
  return texts.every((text) => typeof text === 'string');
}

export function isOfPerson(profile: Profile): profile is PersonProfile {
  return 'email' in profile;
}

/**
 * Makes sure that profiles can be written: for what must not begin when it could not be kept.
 * Throws CommandFailure.
 */
export async function requireWritableProfiles(env: Environment): Promise<void> {
  const file = fileOf(env);
  try {
    const folder = path.dirname(file);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    throw fileFailure(file, 'written', error);
  }
}

/**
 * Changes the profiles as they are at this moment: a command that asked a person or a platform
 * meanwhile must not take back what another one wrote. Throws CommandFailure.
 */
export async function changeProfiles(
  env: Environment,
  change: (present: Profiles) => Profiles,
): Promise<string> {
  return await writeProfiles(env, change(await readProfiles(env)));
}

/** Writes the profiles, whole or not at all, so that nobody but the user can read them. */
export async function writeProfiles(env: Environment, profiles: Profiles): Promise<string> {
  const file = fileOf(env);
  await writePrivate(file, profiles);
  return file;
}

function fileOf(env: Environment): string {
  const file = profileFile(env);
  if (file !== null) return file;
  throw new CommandFailure(
    'there is no directory for your settings. Set HOME or XDG_CONFIG_HOME.',
    exitCodes.failure,
  );
}

/** The profile of that name; throws CommandFailure that lists those there are. */
export function profileCalled({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile;
  const names = Object.keys(profiles);
  throw invalidUsage(
    names.length === 0
      ? `there is no profile ${name}. Add it with "servery env add ${name} --url … ` +
          `--client-id …", or for a person with "servery login --profile ${name} --url …".`
      : `there is no profile ${name}${didYouMean(name, names) || '.'} Your profiles are ` +
          `${names.join(', ')}.`,
  );
}
