import { randomBytes } from 'node:crypto';
import type { Database, Sql } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import type { Clock } from '../support/clock.ts';
import { Secret, type Vault } from '../support/secret.ts';
import {
  findInvited,
  type Invited,
  insertInvitation,
  updateInvitationUsed,
} from './invitation-store.ts';
import { hashPassword, passwordFault } from './password.ts';
import { updatePassword, updatePersonName } from './person-store.ts';
import { deleteSessions } from './session-store.ts';
import { type BegunSession, beginSession, type SessionOrigin } from './sessions.ts';

/** What invitations lean on; they run in real time. */
export interface InvitationDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}

const TOKEN_BYTES = 32;
/** Long enough for a weekend and a holiday, short enough for a mailbox that is read by others. */
const INVITATION_MS = 7 * 24 * 3_600_000;

/** A link that can be used once; its token cannot be shown again. */
export interface Invitation {
  readonly token: Secret;
  readonly expiresAt: Date;
}

/**
 * Makes a one-time link for a person, in place of any before: to choose the first password, or a
 * new one. `by` is how histories name whoever asks for it.
 */
export async function invite(
  { vault, realClock }: Pick<InvitationDeps, 'vault' | 'realClock'>,
  sql: Sql,
  personGuid: string,
  by: string,
): Promise<Invitation> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const nowMs = realClock.nowMs();
  const expiresAt = new Date(nowMs + INVITATION_MS);
  await insertInvitation(sql, {
    digest: invitationDigest(vault, token),
    personGuid,
    createdAt: new Date(nowMs),
    createdBy: by,
    expiresAt,
  });
  return { token: new Secret(token), expiresAt };
}

/** Whom a link is for. Throws ApiError `notFound` for one that does not open. */
export async function inspectInvitation(
  { database, vault, realClock }: InvitationDeps,
  token: string,
): Promise<Invited> {
  const now = new Date(realClock.nowMs());
  const invited = await findInvited(database.sql, invitationDigest(vault, token), now);
  if (!invited) throw noSuchInvitation();
  return invited;
}

/**
 * Uses a link: sets name and password, ends every session of before, and begins one. Throws
 * ApiError `notFound` for a link that does not open (any more), and `unprocessable` for a password
 * that is too weak.
 */
export async function acceptInvitation(
  deps: InvitationDeps,
  { token, name, password }: { token: string; name: string; password: string },
  origin: SessionOrigin,
): Promise<BegunSession> {
  const { personGuid, email } = await inspectInvitation(deps, token);
  const fault = passwordFault(password, email);
  if (fault) throw new ApiError('unprocessable', `password will not do. ${fault}`);
  const passwordHash = await hashPassword(password);
  return await deps.database.transaction(async (sql) => {
    const usedAt = new Date(deps.realClock.nowMs());
    const isFirst = await updateInvitationUsed(sql, invitationDigest(deps.vault, token), usedAt);
    if (!isFirst) throw noSuchInvitation();
    await updatePassword(sql, personGuid, passwordHash);
    await updatePersonName(sql, personGuid, name);
    await deleteSessions(sql, personGuid, { exceptGuid: null });
    return await beginSession(deps, sql, personGuid, origin);
  });
}

/** The same words for what never was, was used, or is over. */
function noSuchInvitation(): ApiError {
  return new ApiError(
    'notFound',
    'The link does not open: it was used, is over, or was replaced. Ask an administrator for a ' +
      'new one.',
  );
}

function invitationDigest(vault: Vault, token: string): Buffer {
  return vault.digest('person-invitation', token);
}
