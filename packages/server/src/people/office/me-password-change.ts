import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { updatePassword } from '../credential-store.ts';
import { deleteInvitations } from '../invitation-store.ts';
import { changeSelf, type OwnAccountDeps, requirePassword, wrongPassword } from '../own-account.ts';
import { hashPassword, passwordFault } from '../password.ts';
import { deleteSessions } from '../session-store.ts';
import { personOnWire } from './on-wire.ts';
import { confirmationOf, renewedCookie, selfOf } from './self.ts';

export const changePasswordHandler =
  (deps: OwnAccountDeps): HandlerOf<'backOffice.me.password.change'> =>
  async (request) => {
    const { currentPassword, newPassword } = request.body;
    const self = selfOf(request);
    const { personGuid, sessionGuid } = self;
    const refusal = wrongPassword('currentPassword', 'the password stays as it was');
    await requirePassword(deps, self, confirmationOf(request, currentPassword), refusal);
    const weakness = passwordFault(newPassword, self.email);
    if (weakness !== null) request.faults.add(['newPassword'], weakness);
    else if (newPassword === currentPassword) {
      request.faults.add(['newPassword'], 'must differ from the current password');
    }
    request.faults.refuse();
    const passwordHash = await hashPassword(newPassword);
    const origin = originOf(request, deps.realClock);
    const person = await changeSelf(deps, self, origin, async (sql, now) => {
      await updatePassword(sql, personGuid, { passwordHash, now });
      // A leaked link must not set another password.
      await deleteInvitations(sql, personGuid);
      await deleteSessions(sql, personGuid, { exceptGuid: sessionGuid });
    });
    return { json: personOnWire(person, null), headers: await renewedCookie(deps, request) };
  };
