import { randomBytes } from 'node:crypto';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Clock } from '@servery/support/clock.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { updatePassword } from './credential-store.ts';
import {
  findInvited,
  type Invited,
  insertInvitation,
  updateInvitationUsed,
} from './invitation-store.ts';
import { attemptOf } from './log-in.ts';
import { hashPassword, passwordFault } from './password.ts';
import { findHeldPerson, findPerson } from './person-list-store.ts';
import { updatePersonEmail, updatePersonName } from './person-store.ts';
import { recordPerson } from './record-person.ts';
import { requireCode } from './second-factor.ts';
import { deleteSessions } from './session-store.ts';
import { type BegunSession, beginSession, type SessionOrigin } from './sessions.ts';
import { forgiveAttempts, type SlowDownDeps, slowDown } from './slow-down.ts';

/** What invitations need; they run in real time. */
export interface InvitationDeps extends SlowDownDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly realClock: Clock;
}

const TOKEN_BYTES = 32;
/** Long enough for a weekend and a holiday, short enough for a mailbox that is read by others. */
const INVITATION_MS = 7 * 24 * 3_600_000;
const UNIQUE_VIOLATION = '23505';

/** A link that can be used once; its token cannot be shown again. */
export interface Invitation {
  readonly token: Secret;
  readonly expiresAt: Date;
}

/** Whom a link is made for. */
export interface InvitationInput {
  readonly personGuid: string;
  /** How histories name the one who asks for it. */
  readonly by: string;
  /** True for the first operator, whose e-mail address nobody knows yet. */
  readonly choosesEmail?: boolean;
}

/** What the holder of a link sends to use it. */
export interface Acceptance {
  readonly token: string;
  readonly name: string;
  readonly password: string;
  /** As `readEmail` gives it; null when none was sent. */
  readonly email: string | null;
  /** A code of the authenticator app; null when none was sent. */
  readonly code: string | null;
}

/** The address that a link leads to; what opens stands where no browser sends it. */
export function invitationUrl(baseUrl: string, { token }: Invitation): string {
  return `${baseUrl}/backoffice/v1/invitation#${token.reveal()}`;
}

/** Makes a one-time link for a person, in place of any before, to choose a password. */
export async function invite(
  { vault, realClock }: Pick<InvitationDeps, 'vault' | 'realClock'>,
  sql: Sql,
  { personGuid, by, choosesEmail = false }: InvitationInput,
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
    choosesEmail,
  });
  return { token: new Secret(token), expiresAt };
}

/** Whom a link is for. Throws ApiError `notFound` for one that does not open. */
export async function inspectInvitation(
  { database, vault, realClock }: Pick<InvitationDeps, 'database' | 'vault' | 'realClock'>,
  token: string,
): Promise<Invited> {
  const now = new Date(realClock.nowMs());
  const invited = await findInvited(database.sql, invitationDigest(vault, token), now);
  if (!invited) throw noSuchInvitation();
  return invited;
}

/**
 * Uses a link: sets name and password, ends every earlier session, and begins one. Throws
 * ApiError `notFound` for a link that does not open (any more), `unprocessable` for a password that
 * is too weak, an address that is taken and a wrong code, and what `slowDown` throws.
 */
export async function acceptInvitation(
  deps: InvitationDeps,
  acceptance: Acceptance,
  origin: SessionOrigin,
): Promise<BegunSession & { readonly personGuid: string }> {
  const invited = await inspectInvitation(deps, acceptance.token);
  const email = emailOf(invited, acceptance);
  const fault = passwordFault(acceptance.password, email);
  if (fault) throw new ApiError('unprocessable', `password will not do: ${fault}.`);
  if (invited.hasTotp) {
    const attempt = await attemptOf(deps, invited.email, origin);
    await slowDown(deps, attempt);
    const { code } = acceptance;
    await requireCode(deps, invited.personGuid, { code, known: attempt.known });
    await forgiveAttempts(deps, attempt);
  }
  const passwordHash = await hashPassword(acceptance.password);
  try {
    const session = await deps.database.transaction((sql) =>
      use(deps, sql, { invited, acceptance, email, passwordHash, origin }),
    );
    return { ...session, personGuid: invited.personGuid };
  } catch (error) {
    if (!isSqlState(error, UNIQUE_VIOLATION)) throw error;
    throw new ApiError('unprocessable', 'email is taken: somebody else has it.');
  }
}

interface Use {
  readonly invited: Invited;
  readonly acceptance: Acceptance;
  readonly email: string;
  readonly passwordHash: string;
  readonly origin: SessionOrigin;
}

async function use(
  deps: InvitationDeps,
  sql: Sql,
  { invited: { personGuid }, acceptance, email, passwordHash, origin }: Use,
): Promise<BegunSession> {
  const now = new Date(deps.realClock.nowMs());
  const before = await findHeldPerson(sql, personGuid, now);
  const digest = invitationDigest(deps.vault, acceptance.token);
  // Somebody may have been faster, or deactivated the person meanwhile.
  const isOpen = before?.deactivatedAt === null && (await updateInvitationUsed(sql, digest, now));
  if (!before || !isOpen) throw noSuchInvitation();
  await updatePassword(sql, personGuid, { passwordHash, now });
  await updatePersonName(sql, personGuid, acceptance.name);
  if (email !== before.email) await updatePersonEmail(sql, personGuid, email);
  await deleteSessions(sql, personGuid, { exceptGuid: null });
  const after = await findPerson(sql, personGuid, now);
  if (after) await recordPerson(sql, origin.originFor(personGuid), before, after);
  return await beginSession(deps, sql, personGuid, origin);
}

/** Only a person without an address chooses one. */
function emailOf(invited: Invited, { email }: Acceptance): string {
  if (!invited.choosesEmail) return invited.email;
  if (email !== null) return email;
  throw new ApiError(
    'unprocessable',
    'email is missing: the first operator chooses what to log in with.',
  );
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
