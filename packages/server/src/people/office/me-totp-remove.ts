import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { deleteTotp } from '../credential-store.ts';
import { changeSelf, type OwnAccountDeps, requirePassword, wrongPassword } from '../own-account.ts';
import { personOnWire } from './on-wire.ts';
import { confirmationOf, renewedCookie, selfOf } from './self.ts';

export const removeOwnTotpHandler =
  (deps: OwnAccountDeps): HandlerOf<'backOffice.me.totp.remove'> =>
  async (request) => {
    const self = selfOf(request);
    const present = confirmationOf(request, request.body.password);
    await requirePassword(deps, self, present, wrongPassword('password', 'the app stays'));
    const origin = originOf(request, deps.realClock);
    const person = await changeSelf(deps, self, origin, (sql) => deleteTotp(sql, self.personGuid));
    return { json: personOnWire(person, null), headers: await renewedCookie(deps, request) };
  };
