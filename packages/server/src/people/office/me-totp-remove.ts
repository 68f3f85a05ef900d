import type { HandlerOf } from '../../http/operation.ts';
import { deleteTotp } from '../credential-store.ts';
import { changeSelf, requirePassword } from '../own-account.ts';
import type { SlowDownDeps } from '../slow-down.ts';
import { cookieFor } from './answer-session.ts';
import { personOnWire } from './on-wire.ts';

export const removeOwnTotpHandler =
  (deps: SlowDownDeps): HandlerOf<'backOffice.me.totp.remove'> =>
  async (request) => {
    const { personGuid, email } = request.caller;
    await requirePassword(deps, request, request.body.password, 'the app stays');
    const person = await changeSelf(deps, request, (sql) => deleteTotp(sql, personGuid));
    return { json: personOnWire(person, null), headers: await cookieFor(deps, request, email) };
  };
