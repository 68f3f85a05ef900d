import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { ApiError } from '../http/errors.ts';
import type { InvitedPerson } from './add-person.ts';
import { type Administrator, changePerson, type PeopleDeps } from './administer.ts';
import { deleteTotp } from './credential-store.ts';
import { deleteInvitations } from './invitation-store.ts';
import { type Invitation, invite } from './invitations.ts';
import type { PersonRow } from './person-list-store.ts';
import { updateDeactivated, updatePersonEmail, updatePersonName } from './person-store.ts';
import { deleteSessions } from './session-store.ts';

const UNIQUE_VIOLATION = '23505';

/** What is changed about a person; null stays as it is. */
export interface PersonEdit {
  readonly name: string | null;
  /** As `readEmail` gives it. */
  readonly email: string | null;
}

/** Edits a person. Throws what `changePerson` throws; `conflict` also for a taken address. */
export async function editPerson(
  deps: PeopleDeps,
  administrator: Administrator,
  guid: string,
  { name, email }: PersonEdit,
): Promise<PersonRow> {
  try {
    return await changePerson(deps, administrator, guid, {
      concerns: 'whole',
      make: async (sql) => {
        if (name !== null) await updatePersonName(sql, guid, name);
        if (email !== null) await updatePersonEmail(sql, guid, email);
      },
    });
  } catch (error) {
    if (!isSqlState(error, UNIQUE_VIOLATION)) throw error;
    throw new ApiError('conflict', 'Somebody else has that e-mail address.');
  }
}

/**
 * Deactivates a person: sessions and links end at once. Harmless when it is done already. Throws
 * what `changePerson` throws; `conflict` also for oneself.
 */
export async function deactivatePerson(
  deps: PeopleDeps,
  administrator: Administrator,
  guid: string,
): Promise<PersonRow> {
  return await changePerson(deps, administrator, guid, {
    concerns: 'whole',
    mayRemoveOperator: true,
    make: async (sql, _person, now) => {
      if (administrator.personGuid === guid) {
        throw new ApiError('conflict', 'You cannot deactivate yourself: ask somebody else.');
      }
      await updateDeactivated(sql, guid, now);
      await deleteSessions(sql, guid, { exceptGuid: null });
      await deleteInvitations(sql, guid);
    },
  });
}

/** Lets a person log in again; harmless for who can. Throws what `changePerson` throws. */
export async function reactivatePerson(
  deps: PeopleDeps,
  administrator: Administrator,
  guid: string,
): Promise<PersonRow> {
  return await changePerson(deps, administrator, guid, {
    concerns: 'whole',
    make: (sql) => updateDeactivated(sql, guid, null),
  });
}

/**
 * Makes a new link for a person, in place of any before. Throws what `changePerson` throws;
 * `conflict` also for somebody who was deactivated.
 */
export async function invitePerson(
  deps: PeopleDeps,
  administrator: Administrator,
  guid: string,
): Promise<InvitedPerson> {
  let invitation: Invitation | null = null;
  const person = await changePerson(deps, administrator, guid, {
    concerns: 'whole',
    make: async (sql, { deactivatedAt }) => {
      if (deactivatedAt) {
        throw new ApiError('conflict', 'The person was deactivated: reactivate the account first.');
      }
      const { by } = administrator.origin;
      invitation = await invite(deps, sql, { personGuid: guid, by });
    },
  });
  return { person, invitation, existed: true };
}

/**
 * Removes the authenticator app of somebody who lost it, and ends the sessions. Harmless without one.
 * Throws what `changePerson` throws.
 */
export async function removeTotpOf(
  deps: PeopleDeps,
  administrator: Administrator,
  guid: string,
): Promise<PersonRow> {
  return await changePerson(deps, administrator, guid, {
    concerns: 'whole',
    make: async (sql, { hasTotp }) => {
      if (!hasTotp) return;
      await deleteTotp(sql, guid);
      await deleteSessions(sql, guid, { exceptGuid: null });
    },
  });
}
