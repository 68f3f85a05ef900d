import { Secret, type Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRequest } from '../../http/operation.ts';
import type { Confirmation, Self } from '../own-account.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import { markFor } from './answer-session.ts';

type OwnRequest = Pick<SessionRequest, 'caller' | 'headers' | 'baseUrl' | 'remoteAddress'>;

/** The person who asks about their own account. */
export function selfOf({ caller: { personGuid, email, sessionGuid } }: OwnRequest): Self {
  return { personGuid, email, sessionGuid };
}

/** The password that a request repeats, and where it comes from. */
export function confirmationOf(
  { remoteAddress: address }: OwnRequest,
  password: string,
): Confirmation {
  return { password, address };
}

/**
 * The cookie of the session that asks, with a mark for the account as it is now: the one that the
 * browser has is for the earlier password or authenticator app, and no longer counts.
 */
export async function renewedCookie(
  deps: { readonly database: Database; readonly vault: Vault },
  { headers, baseUrl, caller }: OwnRequest,
): Promise<{ readonly 'set-cookie': string }> {
  const { token, mark } = readSessionCookie(headers.cookie);
  const renewed = await markFor(deps, caller.email, mark);
  const kept = { token: token === null ? null : new Secret(token), mark: renewed };
  return { 'set-cookie': sessionCookie(kept, baseUrl) };
}
