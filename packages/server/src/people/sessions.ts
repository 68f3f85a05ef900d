import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { scopesOfRole } from '@servery/contract';
import { newGuid } from '@servery/support/ids.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import { originOf } from '../audit/origin.ts';
import type { Sql } from '../database/database.ts';
import type { Person, SessionRequest } from '../http/operation.ts';
import type { Grant } from '../reach/reach.ts';
import type { PeopleDeps } from './people-deps.ts';
import { placeOfRole } from './places.ts';
import {
  deleteSession,
  findSessionPerson,
  insertSession,
  type RoleRow,
  updateSessionSeen,
} from './session-store.ts';

const TOKEN_BYTES = 32;
const HOUR_MS = 3_600_000;
const IDLE_MS = 12 * HOUR_MS;
const SESSION_MS = 7 * 24 * HOUR_MS;
const SEEN_EVERY_MS = 60_000;

/** The token goes only into the browser's cookie. */
export interface BegunSession {
  readonly token: Secret;
  readonly guid: string;
  readonly expiresAt: Date;
  readonly csrfToken: string;
}

export interface SessionOrigin {
  readonly address: string;
  readonly userAgent: string | null;
  readonly mark: string | null;
  readonly originFor: (personGuid: string) => ChangeOrigin;
}

/** The caller commits. */
export async function beginSession(
  { vault, realClock }: PeopleDeps,
  sql: Sql,
  personGuid: string,
  { address, userAgent, originFor }: SessionOrigin,
): Promise<BegunSession> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const nowMs = realClock.nowMs();
  const session = {
    digest: sessionDigest(vault, token),
    guid: newGuid(),
    personGuid,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + SESSION_MS),
    address,
    userAgent: userAgent?.slice(0, 200) ?? null,
  };
  await insertSession(sql, session);
  const { guid, expiresAt } = session;
  await insertEntry(sql, originFor(personGuid), {
    subject: { kind: 'session', id: guid },
    before: null,
    after: { personGuid, address, userAgent: session.userAgent },
  });
  return { token: new Secret(token), guid, expiresAt, csrfToken: csrfTokenOf(token) };
}

export async function findPersonOf(deps: PeopleDeps, token: string): Promise<Person | null> {
  const { sql } = deps.database;
  const nowMs = deps.realClock.nowMs();
  const found = await findSessionPerson(sql, sessionDigest(deps.vault, token), lifeAt(nowMs));
  if (!found) return null;
  const { sessionGuid, seenAt, personGuid, name, email, roles } = found;
  if (nowMs - seenAt.getTime() >= SEEN_EVERY_MS) {
    await updateSessionSeen(sql, sessionGuid, new Date(nowMs));
  }
  return { type: 'PERSON', personGuid, name, email, sessionGuid, grants: roles.map(grantOf) };
}

/** False if the person has no such session. The caller commits. */
export async function endSession(
  sql: Sql,
  origin: ChangeOrigin,
  personGuid: string,
  sessionGuid: string,
): Promise<boolean> {
  if (!(await deleteSession(sql, personGuid, sessionGuid))) return false;
  await insertEntry(sql, origin, {
    subject: { kind: 'session', id: sessionGuid },
    before: { personGuid },
    after: null,
  });
  return true;
}

export async function endOwnSession(
  { database, realClock }: PeopleDeps,
  request: SessionRequest,
  sessionGuid: string,
): Promise<boolean> {
  const { personGuid } = request.caller;
  const origin = originOf(request, realClock);
  return await database.transaction((sql) => endSession(sql, origin, personGuid, sessionGuid));
}

export function lifeAt(nowMs: number): { readonly now: Date; readonly idleSince: Date } {
  return { now: new Date(nowMs), idleSince: new Date(nowMs - IDLE_MS) };
}

/** Other sites can't know it. */
export function csrfTokenOf(token: string): string {
  return createHmac('sha256', token).update('csrf').digest('base64url');
}

/** In constant time. */
export function isCsrfToken(token: string, given: string): boolean {
  const right = Buffer.from(csrfTokenOf(token));
  const sent = Buffer.from(given);
  return sent.length === right.length && timingSafeEqual(sent, right);
}

function sessionDigest(vault: Vault, token: string): Buffer {
  return vault.digest('person-session', token);
}

function grantOf(role: RoleRow): Grant {
  const place = placeOfRole({ ...role, groupOfRestaurantGuid: null });
  return { scopes: new Set(scopesOfRole(role.role, place.kind)), place };
}
