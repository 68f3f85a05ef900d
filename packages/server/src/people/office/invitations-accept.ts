import { isSqlState } from '@servery/postgres/postgres-error.ts';
import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { updatePassword } from '../credential-store.ts';
import { updateInvitationUsed } from '../invitation-store.ts';
import { inspectInvitation, invitationDigest, noSuchInvitation } from '../invitations.ts';
import { attemptOf } from '../log-in.ts';
import { hashPassword, passwordFault } from '../password.ts';
import { findHeldPerson, updatePersonEmail, updatePersonName } from '../person-store.ts';
import { recordPerson } from '../record-person.ts';
import { requireCode } from '../second-factor.ts';
import { deleteSessions } from '../session-store.ts';
import { beginSession } from '../sessions.ts';
import { forgiveAttempts, type SlowDownDeps, slowDown } from '../slow-down.ts';
import { answerSession, sessionOrigin } from './answer-session.ts';

const UNIQUE_VIOLATION = '23505';

/** Ends every earlier session. */
export const acceptInvitationHandler =
  (deps: SlowDownDeps): HandlerOf<'backOffice.invitations.accept'> =>
  async (request) => {
    const { body: acceptance, faults } = request;
    const origin = sessionOrigin(deps, request);
    const invited = await inspectInvitation(deps, acceptance.token);
    const { personGuid } = invited;
    // Only a person without an address chooses one.
    const email = invited.choosesEmail ? acceptance.email : invited.email;
    if (email === null || email === undefined) {
      faults.add(['email'], 'is missing: the first operator chooses an address to log in with');
    }
    const weakness = passwordFault(acceptance.password, email ?? '');
    if (weakness !== null) faults.add(['password'], weakness);
    faults.refuse();
    if (invited.hasTotp) {
      const attempt = await attemptOf(deps, invited.email, origin);
      await slowDown(deps, attempt);
      await requireCode(deps, personGuid, acceptance.totpCode ?? null, attempt.known);
      await forgiveAttempts(deps, attempt);
    }
    const passwordHash = await hashPassword(acceptance.password);
    const session = await deps.database
      .transaction(async (sql) => {
        const by = origin.originFor(personGuid);
        const now = by.realAt;
        const before = await findHeldPerson(sql, personGuid, now);
        // Another request may have used the link or deactivated the person.
        if (!before || before.deactivatedAt) throw noSuchInvitation();
        const digest = invitationDigest(deps.vault, acceptance.token);
        if (!(await updateInvitationUsed(sql, digest, now))) throw noSuchInvitation();
        await updatePassword(sql, personGuid, { passwordHash, now });
        await updatePersonName(sql, personGuid, acceptance.name);
        if (email && email !== before.email) await updatePersonEmail(sql, personGuid, email);
        await deleteSessions(sql, personGuid);
        await recordPerson(sql, by, personGuid, before);
        return await beginSession(deps, sql, personGuid, origin);
      })
      .catch((error: unknown) => {
        if (!isSqlState(error, UNIQUE_VIOLATION)) throw error;
        throw new ApiError('unprocessable', 'email is taken: somebody else has it.');
      });
    return await answerSession(deps, request, { ...session, personGuid });
  };
