import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { scopesOfRole } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import { type ChangeOrigin, insertEntry } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import type { Person } from '../http/operation.ts';
import type { Grant, Place } from '../reach/reach.ts';
import {
  deleteEndedSessions,
  deleteSession,
  findSessionPerson,
  insertSession,
  type RoleRow,
  updateSessionSeen,
} from './session-store.ts';

/** In real time: a sandbox's clock logs nobody in or out. */
export interface SessionDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}

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
  { vault, realClock }: Pick<SessionDeps, 'vault' | 'realClock'>,
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

export async function findPersonOf(deps: SessionDeps, token: string): Promise<Person | null> {
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

export async function endSession(
  { database, realClock }: Pick<SessionDeps, 'database' | 'realClock'>,
  { personGuid, sessionGuid }: { readonly personGuid: string; readonly sessionGuid: string },
  origin: ChangeOrigin,
): Promise<Date | null> {
  return await database.transaction(async (sql) => {
    if (!(await deleteSession(sql, personGuid, sessionGuid))) return null;
    await insertEntry(sql, origin, {
      subject: { kind: 'session', id: sessionGuid },
      before: { personGuid },
      after: null,
    });
    return new Date(realClock.nowMs());
  });
}

export async function forgetEndedSessions({
  database,
  realClock,
}: Pick<SessionDeps, 'database' | 'realClock'>): Promise<void> {
  await deleteEndedSessions(database.sql, lifeAt(realClock.nowMs()));
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
  const place = placeOf(role);
  return { scopes: new Set(scopesOfRole(role.role, place.kind)), place };
}

function placeOf({ managementGroupGuid, restaurantGuid, partnerGuid }: RoleRow): Place {
  if (managementGroupGuid !== null) return { kind: 'group', guid: managementGroupGuid };
  if (restaurantGuid !== null) return { kind: 'restaurant', guid: restaurantGuid };
  if (partnerGuid !== null) return { kind: 'partner', guid: partnerGuid };
  return { kind: 'platform' };
}
