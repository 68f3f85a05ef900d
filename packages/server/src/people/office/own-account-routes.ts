import type { PersonSession } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { Secret } from '@servery/support/secret.ts';
import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import type { OperationHandlers, SessionRequest } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { changePassword, type OwnAccountDeps, removeOwnTotp, type Self } from '../own-account.ts';
import { beginTotp, confirmTotp } from '../second-factor.ts';
import { readSessionCookie, sessionCookie } from '../session-cookie.ts';
import { listSessions, type SessionRow } from '../session-store.ts';
import { endSession, lifeAt } from '../sessions.ts';
import { personOnWire } from './on-wire.ts';
import { readChangePassword, readFirstCode, readPassword } from './read-body.ts';
import { markFor } from './answer-session.ts';

/** What looking after one's own account needs. */
interface OwnAccountRouteDeps extends OwnAccountDeps {
  readonly config: { readonly brand: string };
}

type OwnOperationId = Extract<keyof OperationHandlers, `backOffice.me.${string}`>;

/** The operations of people on their own account: sessions, password, authenticator app. */
export function ownAccountHandlers(
  deps: OwnAccountRouteDeps,
): Pick<OperationHandlers, OwnOperationId> {
  const { database, realClock } = deps;
  return {
    'backOffice.me.sessions.list': async ({ caller: { personGuid, sessionGuid } }) => {
      const sessions = await listSessions(database.sql, personGuid, lifeAt(realClock.nowMs()));
      return { json: sessions.map((session) => sessionOnWire(session, sessionGuid)) };
    },
    'backOffice.me.sessions.end': async (request) => {
      const { personGuid } = request.caller;
      const sessionGuid = parseGuid(request.params.sessionGuid ?? '');
      const ended =
        sessionGuid === null
          ? null
          : await endSession(deps, { personGuid, sessionGuid }, originOf(request, realClock));
      if (!ended) throw noSuchSession();
      return { json: { sessionGuid, endedAt: isoTimestamp(ended) } };
    },
    'backOffice.me.password.change': async (request) => {
      const { present: password, next } = readChangePassword(request.body);
      const present = { password, address: request.remoteAddress };
      const origin = originOf(request, realClock);
      const person = await changePassword(deps, selfOf(request), { present, next }, origin);
      return { json: personOnWire(person, null), headers: await renewedCookie(deps, request) };
    },
    'backOffice.me.totp.begin': async (request) => {
      const { config } = deps;
      const present = { password: readPassword(request.body), address: request.remoteAddress };
      const { secret, uri } = await beginTotp(deps, selfOf(request), present, config.brand);
      return { json: { secret: secret.reveal(), uri: uri.reveal() } };
    },
    'backOffice.me.totp.confirm': async (request) => {
      const { code, password } = readFirstCode(request.body);
      const present = { password, address: request.remoteAddress };
      const origin = originOf(request, realClock);
      const codes = await confirmTotp(deps, selfOf(request), { code, present }, origin);
      return {
        json: { recoveryCodes: codes.map((one) => one.reveal()) },
        headers: await renewedCookie(deps, request),
      };
    },
    'backOffice.me.totp.remove': async (request) => {
      const present = { password: readPassword(request.body), address: request.remoteAddress };
      const origin = originOf(request, realClock);
      const person = await removeOwnTotp(deps, selfOf(request), present, origin);
      return { json: personOnWire(person, null), headers: await renewedCookie(deps, request) };
    },
  };
}

/**
 * The cookie of the session that asks, with a mark for the account as it is now: the one that the
 * browser has is for the earlier password or authenticator app, and counts no more.
 */
async function renewedCookie(
  deps: Pick<OwnAccountRouteDeps, 'database' | 'vault'>,
  { headers, baseUrl, caller }: SessionRequest,
): Promise<{ readonly 'set-cookie': string }> {
  const { token, mark } = readSessionCookie(headers.cookie);
  const renewed = await markFor(deps, caller.email, mark);
  const kept = { token: token === null ? null : new Secret(token), mark: renewed };
  return { 'set-cookie': sessionCookie(kept, baseUrl) };
}

function selfOf({ caller: { personGuid, email, sessionGuid } }: SessionRequest): Self {
  return { personGuid, email, sessionGuid };
}

function sessionOnWire(session: SessionRow, currentGuid: string): PersonSession {
  const { guid: sessionGuid, createdAt, seenAt, expiresAt, address, userAgent } = session;
  return {
    sessionGuid,
    createdAt: isoTimestamp(createdAt),
    seenAt: isoTimestamp(seenAt),
    expiresAt: isoTimestamp(expiresAt),
    address,
    userAgent,
    isCurrent: sessionGuid === currentGuid,
  };
}

function noSuchSession(): ApiError {
  return new ApiError('notFound', 'You have no such session: check sessionGuid in the path.');
}
