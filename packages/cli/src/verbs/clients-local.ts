import type { Option } from 'commander';
import type { CreateFlags } from '../commands/clients.ts';
import { invalidUsage } from '../exit-codes.ts';
import { configOf, type PlatformFlags } from '../platform-flags.ts';
import type { RemoteDeps } from '../session.ts';
import { flag } from './verb.ts';

/** The options of verbs that also work on the database, without a server. */
export interface LocalFlags extends PlatformFlags {
  readonly local?: boolean;
  readonly json?: boolean;
}

/** Those options. */
export function localFlags(): Option[] {
  return [
    flag('--local', 'on the database itself, whether its server runs or not'),
    flag('--database-url <url>', 'with --local: a PostgreSQL to use (DATABASE_URL)'),
  ];
}

const load = () => import('../commands/clients.ts');

/** `servery clients list --local`. */
export async function listLocally(
  deps: RemoteDeps,
  _words: readonly string[],
  flags: LocalFlags,
): Promise<void> {
  await (await load()).runClientsList(configOf(deps.env, flags), flags, deps);
}

/** `servery clients create --local`, which makes accounts of the back office alone. */
export async function createLocally(
  deps: RemoteDeps,
  _words: readonly string[],
  flags: LocalFlags & CreateFlags & { readonly type: string },
): Promise<void> {
  if (flags.type !== 'BACK_OFFICE') {
    throw invalidUsage(
      '--local makes accounts of --type back-office only: make the others with one of these, ' +
        'over HTTP, or write them in a group document for servery import.',
    );
  }
  await (await load()).runClientsCreate(configOf(deps.env, flags), flags, deps);
}

/** `servery clients secrets add --local`. */
export async function addLocally(
  deps: RemoteDeps,
  [clientId = '']: readonly string[],
  flags: LocalFlags,
): Promise<void> {
  await (await load()).runClientsAddSecret(configOf(deps.env, flags), clientId, flags, deps);
}

/** `servery clients revoke --local`. */
export async function revokeLocally(
  deps: RemoteDeps,
  [clientId = '']: readonly string[],
  flags: LocalFlags,
): Promise<void> {
  await (await load()).runClientsRevoke(configOf(deps.env, flags), clientId, flags, deps);
}
