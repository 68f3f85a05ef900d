import type { BackOfficeSession } from '@servery/contract';
import { attestEntries, originOf } from '../../audit/origin.ts';
import type { Answer, OperationHandlers, PublicRequest } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { sessionEnded } from '../authenticate-session.ts';
import { findMarkedAccount } from '../credential-store.ts';
import { deviceMark } from '../known-device.ts';
import { type LogInDeps, logIn } from '../log-in.ts';
import { findPerson } from '../person-list-store.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import { findSessionEnd } from '../session-store.ts';
import { type BegunSession, csrfTokenOf, endSession, type SessionOrigin } from '../sessions.ts';
import { personOnWire } from './on-wire.ts';
import { readLogIn } from './read-body.ts';

/** What the operations on sessions need. */
export type SessionRouteDeps = LogInDeps;

/** What every answer with a session needs. */
type AnswerDeps = Pick<SessionRouteDeps, 'database' | 'realClock' | 'vault'>;

/** The operations that begin, read and end the session of a browser. */
export function sessionHandlers(
  deps: SessionRouteDeps,
): Pick<OperationHandlers, 'backOffice.sessions.begin' | `backOffice.session.${'get' | 'end'}`> {
  return {
    'backOffice.sessions.begin': async (request) => {
      const session = await logIn(deps, readLogIn(request.body), sessionOrigin(deps, request));
      return await answerSession(deps, request, session);
    },
    'backOffice.session.get': async ({ caller, headers }) => {
      const token = readSessionCookie(headers.cookie).token ?? '';
      const { sessionGuid: guid, personGuid } = caller;
      const expiresAt = await findSessionEnd(deps.database.sql, personGuid, guid);
      if (!expiresAt) throw sessionEnded();
      const session = { guid, expiresAt, csrfToken: csrfTokenOf(token), personGuid };
      return { json: await sessionOnWire(deps, session) };
    },
    'backOffice.session.end': async (request) => {
      const { personGuid, sessionGuid } = request.caller;
      const origin = originOf(request, deps.realClock);
      const { mark } = readSessionCookie(request.headers.cookie);
      const endedAt = await endSession(deps, { personGuid, sessionGuid }, origin);
      return {
        // Null when the session was ended elsewhere at the same moment: it is ended all the same.
        json: { sessionGuid, endedAt: isoTimestamp(endedAt ?? new Date(deps.realClock.nowMs())) },
        headers: { 'set-cookie': sessionCookie({ token: null, mark }, request.baseUrl) },
      };
    },
  };
}

/** Where the session that a request begins comes from. */
export function sessionOrigin(
  { vault, realClock }: Pick<SessionRouteDeps, 'vault' | 'realClock'>,
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

/** Answers a session that has begun; what opens it goes into the browser's cookie alone. */
export async function answerSession(
  deps: AnswerDeps,
  { baseUrl, headers }: PublicRequest,
  session: BegunSession & { readonly personGuid: string },
): Promise<Answer> {
  const json = await sessionOnWire(deps, session);
  const { mark } = readSessionCookie(headers.cookie);
  const marked = await markFor(deps, json.person.email, mark);
  const cookie = sessionCookie({ token: session.token, mark: marked }, baseUrl);
  return { json, headers: { 'set-cookie': cookie } };
}

/** The mark of a browser for the account as it is now; `present` is what the browser has. */
export async function markFor(
  { database, vault }: Pick<AnswerDeps, 'database' | 'vault'>,
  email: string,
  present: string | null,
): Promise<string | null> {
  const account = await findMarkedAccount(database.sql, email);
  return account && deviceMark(vault, account, present);
}

async function sessionOnWire(
  { database, realClock }: AnswerDeps,
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
