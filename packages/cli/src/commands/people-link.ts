import { systemOrigin } from '@servery/server/audit/origin.ts';
import type { Config } from '@servery/server/config/config.ts';
import { readEmail } from '@servery/server/people/email.ts';
import { makeLinkOnMachine, NoLink } from '@servery/server/people/first-operator.ts';
import { invitationUrl } from '@servery/server/people/invitations.ts';
import { readDemo } from '../connection.ts';
import { invalidUsage } from '../exit-codes.ts';
import { requireDatabase, withPlatform } from '../platform.ts';
import { configOf, type PlatformFlags } from '../platform-flags.ts';
import { type RemoteDeps, type RemoteFlags, showJson } from '../session.ts';
import { printable } from '../terminal.ts';

/** The options of `servery people link`. */
export interface LinkFlags extends PlatformFlags, RemoteFlags {
  /** Removes the authenticator app too, for a lost telephone. */
  readonly removeTotp?: boolean;
}

/**
 * `servery people link [EMAIL]`: makes a link to choose a password with, on the database itself,
 * for whoever nobody else can let in; without an address, the first operator. Throws
 * CommandFailure.
 */
export async function runPeopleLink(
  deps: RemoteDeps,
  [text]: readonly string[],
  flags: LinkFlags,
): Promise<void> {
  const email = readWhom(text, flags);
  const config = configOf(deps.env, flags);
  await requireDatabase(config);
  const link = await withPlatform(config, deps, {}, async (platform) => {
    const request = { email, removesTotp: flags.removeTotp ?? false };
    const origin = systemOrigin(platform, 'servery', 'people link');
    return await makeLinkOnMachine(platform, request, origin);
  }).catch((error: Error) => {
    throw error instanceof NoLink ? invalidUsage(inOurWords(error.message)) : error;
  });
  const url = invitationUrl(await addressOf(config, deps, flags), link);
  const expiresAt = link.expiresAt.toISOString();
  if (flags.json) return showJson(deps, { email: link.email, url, expiresAt });
  const who = link.email ?? 'The first operator';
  deps.terminal.out.write(
    `${printable(who)} chooses a password with this link. It opens once, until ${expiresAt}, ` +
      `is shown only here, and ends those before it:\n  ${url}\n`,
  );
}

/** The address of the person; null for the first operator. */
function readWhom(text: string | undefined, flags: LinkFlags): string | null {
  if (flags.url !== undefined || flags.profile !== undefined) {
    throw invalidUsage(
      'this link is made on the database itself, and --url and --profile are about HTTP: there, ' +
        '"servery people invite" makes one.',
    );
  }
  if (text === undefined && flags.removeTotp) {
    throw invalidUsage('--remove-totp is about somebody: write an e-mail address too.');
  }
  const email = text === undefined ? null : readEmail(text);
  if (text === undefined || email !== null) return email;
  throw invalidUsage(`${JSON.stringify(text)} is no e-mail address: write one, or none.`);
}

/** What a browser calls the platform by, as far as the settings and the sandbox tell. */
async function addressOf(
  { publicUrl, host, port }: Config,
  { env }: RemoteDeps,
  flags: LinkFlags,
): Promise<string> {
  return publicUrl ?? (await readDemo(env, flags))?.baseUrl ?? `http://${host}:${port}`;
}

function inOurWords(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
