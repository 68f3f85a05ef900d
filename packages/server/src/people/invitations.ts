import { randomBytes } from 'node:crypto';
import type { Clock } from '@servery/support/clock.ts';
import { Secret, type Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { findInvited, type Invited, insertInvitation } from './invitation-store.ts';

/** What looking at a link needs; links run in real time. */
export interface InspectInvitationDeps {
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

/** Whom a link is made for. */
export interface InvitationInput {
  readonly personGuid: string;
  /** How histories name the one who asks for it. */
  readonly by: string;
  /** True for the first operator, whose e-mail address nobody knows yet. */
  readonly choosesEmail?: boolean;
}

/** The address that a link leads to; what opens stands where no browser sends it. */
export function invitationUrl(baseUrl: string, { token }: Invitation): string {
  return `${baseUrl}/backoffice/v1/invitation#${token.reveal()}`;
}

/** Makes a one-time link for a person, in place of any before, to choose a password. */
export async function invite(
  { vault, realClock }: Pick<InspectInvitationDeps, 'vault' | 'realClock'>,
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
  { database, vault, realClock }: InspectInvitationDeps,
  token: string,
): Promise<Invited> {
  const now = new Date(realClock.nowMs());
  const invited = await findInvited(database.sql, invitationDigest(vault, token), now);
  if (!invited) throw noSuchInvitation();
  return invited;
}

/** One text for a link that never was, was used, or expired. */
export function noSuchInvitation(): ApiError {
  return new ApiError(
    'notFound',
    'The link does not work: it was used, has expired, or was replaced. Ask an administrator for ' +
      'a new one.',
  );
}

/** What a token is stored as. */
export function invitationDigest(vault: Vault, token: string): Buffer {
  return vault.digest('person-invitation', token);
}
