import type { HandlerOf } from '../../http/operation.ts';
import type { OwnAccountDeps } from '../own-account.ts';
import { beginTotp } from '../second-factor.ts';
import { confirmationOf, selfOf } from './self.ts';

export interface BeginTotpDeps extends OwnAccountDeps {
  readonly config: { readonly brand: string };
}

export const beginTotpHandler =
  (deps: BeginTotpDeps): HandlerOf<'backOffice.me.totp.begin'> =>
  async (request) => {
    const present = confirmationOf(request, request.body.password);
    const { secret, uri } = await beginTotp(deps, selfOf(request), present, deps.config.brand);
    return { json: { secret: secret.reveal(), uri: uri.reveal() } };
  };
