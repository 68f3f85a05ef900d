import { type Config, load } from '@servery/server';
import { readDemo } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import { configOf, type LocalCall, requireDatabase, withPlatform } from '../platform.ts';
import { type Shown, said } from '../shown.ts';

const { NoLink, invitationUrl, makeLinkOnMachine, readEmail, systemOrigin } = await load.accounts();

/** Creates a link to choose a password with, on the database itself. Throws CommandFailure. */
export async function linkOnMachine(
  call: LocalCall,
  written: string | undefined,
  removesTotp = false,
): Promise<Shown> {
  const email = readWhom(call, written, removesTotp);
  const config = configOf(call);
  await requireDatabase(config);
  const link = await withPlatform(config, call, {}, async (platform) => {
    const origin = systemOrigin(platform, 'servery', 'people link');
    return await makeLinkOnMachine(platform, { email, removesTotp }, origin);
  }).catch((error: Error) => {
    throw error instanceof NoLink ? invalidUsage(inOurWords(error.message)) : error;
  });
  const url = invitationUrl(await addressOf(config, call), link);
  const expiresAt = link.expiresAt.toISOString();
  const who = link.email ?? 'The first operator';
  return said(
    { email: link.email, url, expiresAt },
    `${who} chooses a password with this link. It works once, until ${expiresAt}, is shown only ` +
      `once, and replaces earlier links:\n  ${url}`,
  );
}

/** The email address of the person; null for the first operator. */
function readWhom(
  { flags }: LocalCall,
  text: string | undefined,
  removesTotp: boolean,
): string | null {
  if (flags.url !== undefined || flags.profile !== undefined) {
    throw invalidUsage(
      'this command works on the database itself, not with --url or --profile. Over HTTP, ' +
        '"servery people invite" creates a link.',
    );
  }
  if (text === undefined && removesTotp) {
    throw invalidUsage('--remove-totp needs an email address.');
  }
  if (text === undefined) return null;
  const email = readEmail(text);
  if (email !== null) return email;
  throw invalidUsage(`${JSON.stringify(text)} is not an email address.`);
}

/** The address of the platform for a browser, as far as settings and sandbox tell. */
async function addressOf(
  { publicUrl, host, port }: Config,
  { env, flags }: LocalCall,
): Promise<string> {
  return publicUrl ?? (await readDemo(env, flags))?.baseUrl ?? `http://${host}:${port}`;
}

function inOurWords(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
