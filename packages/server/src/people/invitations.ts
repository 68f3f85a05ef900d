import { randomBytes } from 'node:crypto';
import { Secret, type Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { findInvited, type Invited, insertInvitation } from './invitation-store.ts';
import type { PeopleDeps } from './people-deps.ts';

const TOKEN_BYTES = 32;
/** Long enough for a holiday weekend, short enough in case others read the mailbox. */
const INVITATION_MS = 7 * 24 * 3_600_000;

/** The token can't be shown again. */
export interface Invitation {
  readonly token: Secret;
  readonly expiresAt: Date;
}

/** The token is in the fragment, which browsers don't send. */
export function invitationUrl(baseUrl: string, { token }: Invitation): string {
  return `${baseUrl}/console/invitation#${token.reveal()}`;
}

/** Replaces any earlier link. */
export async function invite(
  { vault }: PeopleDeps,
  sql: Sql,
  personGuid: string,
  { by, realAt: createdAt }: ChangeOrigin,
  choosesEmail = false,
): Promise<Invitation> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const digest = invitationDigest(vault, token);
  const expiresAt = new Date(createdAt.getTime() + INVITATION_MS);
  const invitation = { digest, personGuid, createdAt, createdBy: by, expiresAt, choosesEmail };
  await insertInvitation(sql, invitation);
  return { token: new Secret(token), expiresAt };
}

/** Throws ApiError `notFound` for a link that doesn't work. */
export async function inspectInvitation(
  { database, vault, realClock }: PeopleDeps,
  token: string,
): Promise<Invited> {
  const now = new Date(realClock.nowMs());
  const invited = await findInvited(database.sql, invitationDigest(vault, token), now);
  if (!invited) throw noSuchInvitation();
  return invited;
}

/** The same text for unknown, used and expired links. */
export function noSuchInvitation(): ApiError {
  return new ApiError(
    'notFound',
    'The link does not work: it was used, has expired, or was replaced. Ask an administrator for ' +
      'a new one.',
  );
}

export function invitationDigest(vault: Vault, token: string): Buffer {
  return vault.digest('person-invitation', token);
}
