import type { PersonSession } from '@servery/contract';
import { originOf } from '../../audit/origin.ts';
import { ApiError } from '../../http/errors.ts';
import type { OperationHandlers, SessionRequest } from '../../http/operation.ts';
import { isoTimestamp } from '../../http/timestamps.ts';
import { deviceMark } from '../../people/known-device.ts';
import {
  changePassword,
  type OwnAccountDeps,
  removeOwnTotp,
  type Self,
} from '../../people/own-account.ts';
import type { PersonRow } from '../../people/person-list-store.ts';
import { beginTotp, confirmTotp } from '../../people/second-factor.ts';
import { readSessionCookie, sessionCookie } from '../../people/session-cookie.ts';
import { listSessions, type SessionRow } from '../../people/session-store.ts';
import { endSession, lifeAt } from '../../people/sessions.ts';
import { parseGuid } from '../../support/ids.ts';
import { Secret } from '../../support/secret.ts';
import { personOnWire } from './present.ts';
import { readChangePassword, readFirstCode, readPassword } from './read-body.ts';

/** What looking after one's own account leans on. */
interface OwnAccountRouteDeps extends OwnAccountDeps {
  readonly config: { readonly brand: string };
}

type OwnOperationId = Extract<keyof OperationHandlers, `backOffice.me.${string}`>;

/** The operations of a person about himself: sessions, password, authenticator app. */
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
      return {
        json: personOnWire(person, null),
        // The mark of this browser would count no more: it is for the password of before.
        headers: { 'set-cookie': renewedCookie(deps, request, person) },
      };
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
      return { json: { recoveryCodes: codes.map((one) => one.reveal()) } };
    },
    'backOffice.me.totp.remove': async (request) => {
      const present = { password: readPassword(request.body), address: request.remoteAddress };
      const origin = originOf(request, realClock);
      const person = await removeOwnTotp(deps, selfOf(request), present, origin);
      return { json: personOnWire(person, null) };
    },
  };
}

/** The cookie of the session that asks, with a mark for the account as it is now. */
function renewedCookie(
  { vault }: Pick<OwnAccountRouteDeps, 'vault'>,
  { headers, baseUrl }: SessionRequest,
  person: PersonRow,
): string {
  const { token, mark } = readSessionCookie(headers.cookie);
  const renewed = deviceMark(vault, person, mark);
  return sessionCookie(
    { token: token === null ? null : new Secret(token), mark: renewed },
    baseUrl,
  );
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
