import type { BackOfficeSession } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import { attestEntries, originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import type { Answer, PublicRequest } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { findMarkedAccount } from '../credential-store.ts';
import { deviceMark } from '../known-device.ts';
import { findPerson } from '../person-list-store.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import type { BegunSession, SessionOrigin } from '../sessions.ts';
import { personOnWire } from './on-wire.ts';

export interface AnswerSessionDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}

type Beginning = Pick<
  PublicRequest,
  'operation' | 'requestId' | 'nowMs' | 'baseUrl' | 'headers' | 'remoteAddress'
>;

export function sessionOrigin(
  { vault, realClock }: Pick<AnswerSessionDeps, 'vault' | 'realClock'>,
  request: Beginning,
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
  deps: AnswerSessionDeps,
  { baseUrl, headers }: Beginning,
  session: BegunSession & { readonly personGuid: string },
): Promise<Answer<BackOfficeSession>> {
  const json = await sessionOnWire(deps, session);
  const { mark } = readSessionCookie(headers.cookie);
  const marked = await markFor(deps, json.person.email, mark);
  const cookie = sessionCookie({ token: session.token, mark: marked }, baseUrl);
  return { json, headers: { 'set-cookie': cookie } };
}

export async function markFor(
  { database, vault }: Pick<AnswerSessionDeps, 'database' | 'vault'>,
  email: string,
  present: string | null,
): Promise<string | null> {
  const account = await findMarkedAccount(database.sql, email);
  return account && deviceMark(vault, account, present);
}

export async function sessionOnWire(
  { database, realClock }: AnswerSessionDeps,
  session: Omit<BegunSession, 'token'> & { readonly personGuid: string },
): Promise<BackOfficeSession> {
  const { guid: sessionGuid, csrfToken, expiresAt, personGuid } = session;
  const person = await findPerson(database.sql, personGuid, new Date(realClock.nowMs()));
  if (!person) throw new Error('a session belongs to nobody');
  return {
    sessionGuid,
    csrfToken,
    expiresAt: isoTimestamp(expiresAt),
    person: personOnWire(person, null),
  };
}
