import { Secret, type Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import type { SessionRequest } from '../../http/operation.ts';
import type { Confirmation, Self } from '../own-account.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import { markFor } from './answer-session.ts';

type OwnRequest = Pick<SessionRequest, 'caller' | 'headers' | 'baseUrl' | 'remoteAddress'>;

export function selfOf({ caller: { personGuid, email, sessionGuid } }: OwnRequest): Self {
  return { personGuid, email, sessionGuid };
}

export function confirmationOf(
  { remoteAddress: address }: OwnRequest,
  password: string,
): Confirmation {
  return { password, address };
}

/** Includes a new mark: the old one is for the earlier password or app. */
export async function renewedCookie(
  deps: { readonly database: Database; readonly vault: Vault },
  { headers, baseUrl, caller }: OwnRequest,
): Promise<{ readonly 'set-cookie': string }> {
  const { token, mark } = readSessionCookie(headers.cookie);
  const renewed = await markFor(deps, caller.email, mark);
  const kept = { token: token === null ? null : new Secret(token), mark: renewed };
  return { 'set-cookie': sessionCookie(kept, baseUrl) };
}
