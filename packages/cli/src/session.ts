import { Client } from '@servery/client/back-office';
import type { DemoClientName } from '@servery/server';
import { machineTimer } from '@servery/support/timer.ts';
import type { Context, Flags, Session } from './command.ts';
import {
  type Connection,
  connectionOf,
  environmentsBeside,
  type Known,
  readKnown,
} from './connection.ts';
import { invalidUsage } from './exit-codes.ts';
import { failureOf, type Labels } from './refusals.ts';
import type { Look } from './table.ts';
import { paintOf, widthOf } from './terminal.ts';

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
  const client = new Client({ ...connection, signal, after: machineTimer.after });
  return { client, demo: known.demo, connection, known };
}

/** Lets `work` use that platform; tells in words for a person what goes wrong there. */
export async function withSession<Result>(
  context: Context,
  flags: Flags,
  { role, labels }: { readonly role: DemoClientName; readonly labels?: Labels },
  work: (session: Awaited<ReturnType<typeof openSession>>) => Promise<Result>,
): Promise<Result> {
  const session = await openSession(context, flags, role);
  try {
    return await work(session);
  } catch (error) {
    const others = () => environmentsBeside(context.env, flags, session);
    throw failureOf(error, { ...session, labels, others });
  }
}

/** What to throw where a person is logged in and an API account is needed. */
export function needsAccount(email: string): Error {
  return invalidUsage(
    `${email} is logged in as a person, who has a session and no access token. Name an API ` +
      'account with --client-id, or its profile with --profile.',
  );
}

/** How the terminal wants its text. */
export function lookOf({ env, terminal: { out } }: Pick<Context, 'env' | 'terminal'>): Look {
  return { width: widthOf(out, env), paint: paintOf(out, env) };
}
