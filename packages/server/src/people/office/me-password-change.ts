import type { HandlerOf } from '../../http/operation.ts';
import { updatePassword } from '../credential-store.ts';
import { deleteInvitations } from '../invitation-store.ts';
import { changeSelf, requirePassword } from '../own-account.ts';
import { hashPassword, passwordFault } from '../password.ts';
import { deleteSessions } from '../session-store.ts';
import type { SlowDownDeps } from '../slow-down.ts';
import { cookieFor } from './answer-session.ts';
import { personOnWire } from './on-wire.ts';

export const changePasswordHandler =
  (deps: SlowDownDeps): HandlerOf<'backOffice.me.password.change'> =>
  async (request) => {
    const { currentPassword, newPassword } = request.body;
    const { personGuid, sessionGuid, email } = request.caller;
    const consequence = 'the password was not changed';
    await requirePassword(deps, request, currentPassword, consequence, 'currentPassword');
    const weakness =
      passwordFault(newPassword, email) ??
      (newPassword === currentPassword ? 'must differ from the current password' : null);
    if (weakness !== null) request.faults.add(['newPassword'], weakness);
    request.faults.refuse();
    const passwordHash = await hashPassword(newPassword);
    const person = await changeSelf(deps, request, async (sql, now) => {
      await updatePassword(sql, personGuid, { passwordHash, now });
      // A leaked link must not set another password.
      await deleteInvitations(sql, personGuid);
      await deleteSessions(sql, personGuid, sessionGuid);
    });
    return { json: personOnWire(person, null), headers: await cookieFor(deps, request, email) };
  };
