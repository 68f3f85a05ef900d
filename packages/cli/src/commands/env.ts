import { type Context, command, type Family, type Flags } from '../command.ts';
import { connectionOf, type Known, readAddress, readKnown, sandboxOf } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import { readBytes } from '../files.ts';
import {
  isOfPerson,
  type Profiles,
  profileCalled,
  profileFile,
  readProfileName,
  readProfiles,
  writeProfiles,
} from '../profiles.ts';
import { clientId as readClientId } from '../readers.ts';
import { mainAddress, sandboxAddress } from '../sandbox-accounts.ts';
import { needsAccount } from '../session.ts';
import { type Columns, rows, type Shown, said } from '../shown.ts';
import { argument, optional, profileNames, text } from '../values.ts';

interface ListedProfile {
  readonly name: string;
  readonly url: string;
  readonly clientId: string | null;
  readonly email: string | null;
  readonly isLoggedIn: boolean;
  readonly isCurrent: boolean;
}

const columns: Columns<ListedProfile> = {
  profile: 'name',
  platform: 'url',
  'account or person': ({ clientId, email, isLoggedIn }) =>
    clientId ?? `${email}${isLoggedIn ? '' : ' (logged out)'}`,
  'in use': 'isCurrent',
};

const ADD = 'servery env add staging --url https://platform.example --client-id operator < secret';
const name = {
  name: { ...argument('name of the profile', readProfileName), completions: profileNames },
};

export const env: Family = {
  name: 'env',
  summary: 'Manage platform profiles, and print shell variables',
  examples: ['eval "$(servery env)"', ADD, 'servery env use staging'],
  commands: [
    command({
      name: 'export',
      summary: 'Print the variables for a shell, with the secret',
      examples: ['eval "$(servery env)"'],
      isDefault: true,
      on: 'nothing',
      run: async (call) => {
        const known = await readKnown(call.env, call.flags);
        const variables = variablesOf(call, known);
        const lines = Object.entries(variables).map(
          ([key, value]) => `export ${key}=${shellWord(value)}\n`,
        );
        return { json: variables, text: () => lines.join('') };
      },
    }),
    command({
      name: 'show',
      summary: 'Show the platform and account that commands use, and why',
      examples: ['servery env show'],
      on: 'nothing',
      run: async (call) => {
        const known = await readKnown(call.env, call.flags);
        const connection = connectionOf(call.env, call.flags, known, 'operator');
        const { baseUrl, credentials, person } = connection;
        const clientId = 'clientId' in credentials ? credentials.clientId : null;
        const email = person?.email ?? null;
        const because = reasonOf(call, known);
        const account = clientId ?? email;
        const who = account === null ? 'with the access token in SERVERY_TOKEN' : `as ${account}`;
        const json = { url: baseUrl, clientId, email, because };
        return said(json, `${baseUrl} ${who}, because of ${because}`);
      },
    }),
    command({
      name: 'list',
      summary: 'List your profiles without their secrets',
      examples: ['servery env list'],
      on: 'nothing',
      run: async (call) => {
        const { current, profiles } = await readProfiles(call.env);
        const listed = Object.entries(profiles).map(([own, profile]) => ({
          ...{ name: own, url: profile.url },
          clientId: isOfPerson(profile) ? null : profile.clientId,
          email: isOfPerson(profile) ? profile.email : null,
          isLoggedIn: !isOfPerson(profile) || profile.csrfToken !== null,
          isCurrent: own === current,
        }));
        return rows(columns, listed, 'There are no profiles. Add one with "servery env add".');
      },
    }),
    command({
      name: 'add',
      summary: 'Store a platform and an account in a profile',
      examples: [ADD],
      on: 'nothing',
      arguments: name,
      options: {
        secretFile: text('<file>', 'file with the secret (default: standard input)'),
      },
      run: async (call) => {
        const own = call.args.name;
        const url = call.flags.url ?? call.env.SERVERY_URL;
        const client = call.flags.clientId ?? call.env.SERVERY_CLIENT_ID;
        if (!url) throw invalidUsage('which platform? Use --url.');
        if (!client) throw invalidUsage('which account? Use --client-id.');
        const sandbox = sandboxOf(call.env, call.flags);
        const address = readAddress(url);
        const at = sandbox === null ? address : sandboxAddress(mainAddress(address), sandbox);
        const sound = { url: at, clientId: readClientId(client) };
        const profile = { ...sound, clientSecret: await readSecret(call, call.options.secretFile) };
        const { current, profiles } = await readProfiles(call.env);
        const use =
          current === own ? 'It is in use.' : `To use it from now on: "servery env use ${own}".`;
        const changed = { current, profiles: { ...profiles, [own]: profile } };
        return await keep(call, changed, `${own} is ${sound.url} as ${sound.clientId}. ${use}`);
      },
    }),
    command({
      name: 'use',
      summary: 'Use the platform of a profile from now on',
      examples: ['servery env use staging'],
      on: 'nothing',
      arguments: {
        name: {
          ...optional('name of the profile (default: none)', readProfileName),
          completions: profileNames,
        },
      },
      run: async (call) => {
        const before = await readProfiles(call.env);
        const current = call.args.name ?? null;
        const sentence =
          current === null
            ? 'No profile is in use. Commands use the sandbox in the data directory.'
            : `Commands now use ${profileCalled(before, current).url} by default.`;
        return await keep(call, { ...before, current }, sentence);
      },
    }),
    command({
      name: 'remove',
      summary: 'Remove a profile',
      examples: ['servery env remove staging'],
      on: 'nothing',
      arguments: name,
      run: async (call) => {
        const own = call.args.name;
        const before = await readProfiles(call.env);
        const removed = profileCalled(before, own);
        const rest = Object.entries(before.profiles).filter(([other]) => other !== own);
        const current = before.current === own ? null : before.current;
        const what =
          isOfPerson(removed) && removed.csrfToken !== null
            ? 'The session at the platform stays open until it expires; "servery logout" ends one.'
            : 'The account at the platform is unchanged.';
        const profiles = Object.fromEntries(rest);
        return await keep(call, { current, profiles }, `Removed ${own}. ${what}`);
      },
    }),
  ],
};

async function keep(call: Context, after: Profiles, sentence: string): Promise<Shown> {
  const file = await writeProfiles(call.env, after);
  const { current, profiles } = after;
  return said({ file, current, names: Object.keys(profiles) }, sentence);
}

async function readSecret({ env: own, terminal }: Context, file: string | undefined) {
  if (file === undefined && own.SERVERY_CLIENT_SECRET) return own.SERVERY_CLIENT_SECRET;
  if (file === undefined && process.stdin.isTTY === true) {
    terminal.err.write('Type the secret of the account, then Enter and Ctrl-D:\n');
  }
  const secret = (await readBytes(file ?? '-')).toString().trim();
  if (secret !== '') return secret;
  throw invalidUsage(
    'the secret is empty. Give it on standard input, with --secret-file, or in ' +
      'SERVERY_CLIENT_SECRET. There is no option for it, because process lists show options.',
  );
}

type Asked = Context & { readonly flags: Flags };

function variablesOf({ env: own, flags }: Asked, known: Known): Readonly<Record<string, string>> {
  const { baseUrl, credentials, person } = connectionOf(own, flags, known, 'operator');
  if (person) throw needsAccount(person.email);
  if ('accessToken' in credentials) {
    return { SERVERY_URL: baseUrl, SERVERY_TOKEN: credentials.accessToken };
  }
  const { clientId, clientSecret } = credentials as { clientId: string; clientSecret: string };
  return {
    SERVERY_URL: baseUrl,
    SERVERY_CLIENT_ID: clientId,
    SERVERY_CLIENT_SECRET: clientSecret,
  };
}

function shellWord(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function reasonOf({ env: own, flags }: Asked, known: Known): string {
  const platform = platformReasonOf({ env: own, flags }, known);
  if (known.sandbox === null) return platform;
  return `${platform}, and ${flags.sandbox === undefined ? 'SERVERY_SANDBOX' : '--sandbox'}`;
}

function platformReasonOf(
  { env: own, flags }: Pick<Asked, 'env' | 'flags'>,
  { profile }: Known,
): string {
  if (flags.url !== undefined) return '--url';
  if (flags.profile !== undefined) return `--profile ${flags.profile}`;
  if (profile) return own.SERVERY_ENV ? 'SERVERY_ENV' : `the profile in ${profileFile(own)}`;
  if (own.SERVERY_URL) return 'SERVERY_URL';
  return 'the sandbox in the data directory';
}
