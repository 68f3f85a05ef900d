import { originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { OwnAccountDeps } from '../own-account.ts';
import { confirmTotp } from '../second-factor.ts';
import { confirmationOf, renewedCookie, selfOf } from './self.ts';

export const confirmTotpHandler =
  (deps: OwnAccountDeps): HandlerOf<'backOffice.me.totp.confirm'> =>
  async (request) => {
    const { code, password } = request.body;
    const given = { code, present: confirmationOf(request, password) };
    const origin = originOf(request, deps.realClock);
    const codes = await confirmTotp(deps, selfOf(request), given, origin);
    return {
      json: { recoveryCodes: codes.map((one) => one.reveal()) },
      headers: await renewedCookie(deps, request),
    };
  };
