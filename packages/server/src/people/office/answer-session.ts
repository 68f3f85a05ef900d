import type { Secret } from '@servery/support/secret.ts';
import { attestEntries, originOf } from '../../audit/origin.ts';
import type { PublicRequest } from '../../http/operation.ts';
import { findCredentials } from '../credential-store.ts';
import { deviceMark } from '../known-device.ts';
import type { PeopleDeps } from '../people-deps.ts';
import { findPerson } from '../person-store.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import type { BegunSession, SessionOrigin } from '../sessions.ts';
import { personOnWire } from './on-wire.ts';

export function sessionOrigin(
  { vault, realClock }: PeopleDeps,
  request: PublicRequest,
): SessionOrigin {
  const attest = attestEntries(vault);
  return {
    address: request.remoteAddress,
    userAgent: request.headers['user-agent'] ?? null,
    mark: readSessionCookie(request.headers.cookie).mark,
    originFor: (personGuid) =>
      originOf({ ...request, by: `person:${personGuid}`, attest }, realClock),
  };
}

/** The session's token goes only into the cookie. */
export async function answerSession(
  deps: PeopleDeps,
  request: PublicRequest,
  session: BegunSession & { readonly personGuid: string },
) {
  const json = await sessionOnWire(deps, session);
  return { json, headers: await cookieFor(deps, request, json.person.email, session.token) };
}

/**
 * A new mark with the token of the session, or with the one that the browser has: an old mark is
 * for the earlier password or app.
 */
export async function cookieFor(
  { database, vault }: PeopleDeps,
  { headers, baseUrl }: PublicRequest,
  email: string,
  begun?: Secret,
): Promise<{ readonly 'set-cookie': string }> {
  const sent = readSessionCookie(headers.cookie);
  const account = await findCredentials(database.sql, email);
  const mark = account && deviceMark(vault, account, sent.mark);
  return { 'set-cookie': sessionCookie({ token: begun?.reveal() ?? sent.token, mark }, baseUrl) };
}

export async function sessionOnWire(
  { database, realClock }: PeopleDeps,
  session: Omit<BegunSession, 'token'> & { readonly personGuid: string },
) {
  const { guid: sessionGuid, csrfToken, expiresAt, personGuid } = session;
  const person = await findPerson(database.sql, personGuid, new Date(realClock.nowMs()));
  if (!person) throw new Error('a session belongs to nobody');
  return { sessionGuid, csrfToken, expiresAt, person: personOnWire(person, null) };
}
