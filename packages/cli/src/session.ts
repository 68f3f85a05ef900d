import { Client } from '@servery/client';
import type { DemoClientName } from '@servery/server';
import type { Context, Flags, Session } from './command.ts';
import { type Connection, connectionOf, type Known, readKnown } from './connection.ts';
import { invalidUsage } from './exit-codes.ts';
import type { Look } from './table.ts';
import { paintOf } from './terminal.ts';

/**
 * Opens the platform that flags, variables, the profile in use or the sandbox of the data directory
 * name, as the account `role` of that sandbox when nothing else is said. Throws CommandFailure.
 */
export async function openSession(
  { env, signal }: Context,
  flags: Flags,
  role: DemoClientName,
): Promise<Session & { readonly connection: Connection; readonly known: Known }> {
  const known = await readKnown(env, flags);
  const connection = connectionOf(env, flags, known, role);
  return { client: new Client({ ...connection, signal }), demo: known.demo, connection, known };
}

/** The access token of an account. Throws CommandFailure for a person, who has a session. */
export async function accessTokenOf({
  client,
  person,
}: {
  readonly client: Client;
  readonly person: Connection['person'];
}): Promise<string> {
  if (person) throw needsAccount(person.email);
  return (await client.token()).access_token;
}

/** What to throw where a person is logged in and an API account is needed. */
export function needsAccount(email: string): Error {
  return invalidUsage(
    `${email} is logged in as a person, who has a session and no access token. Name an API ` +
      'account with --client-id, or its profile with --profile.',
  );
}

/** How the terminal wants its text. A file or a pipe has no width: a row is one line there. */
export function lookOf({ env, terminal: { out } }: Pick<Context, 'env' | 'terminal'>): Look {
  const asked = Number(env.COLUMNS);
  // Some terminals do not know their width, and say 0.
  const width = out.columns || (asked > 0 ? asked : Number.POSITIVE_INFINITY);
  return { width, paint: paintOf(out, env) };
}
