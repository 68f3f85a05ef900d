import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { updateTotpSecret } from '../credential-store.ts';
import { requirePassword } from '../own-account.ts';
import { totpContext } from '../second-factor.ts';
import type { SlowDownDeps } from '../slow-down.ts';
import { base32, newTotpSecret, totpUri } from '../totp.ts';

export interface BeginTotpDeps extends SlowDownDeps {
  readonly config: { readonly brand: string };
}

/**
 * Has no effect until confirmed. Asks for the password, so that a stranger at an open browser can't
 * lock the owner out.
 */
export const beginTotpHandler =
  (deps: BeginTotpDeps): HandlerOf<'backOffice.me.totp.begin'> =>
  async (request) => {
    const { personGuid, email } = request.caller;
    await requirePassword(deps, request, request.body.password, 'no app was begun');
    const secret = newTotpSecret();
    const sealed = deps.vault.seal(secret, totpContext(personGuid));
    if (!(await updateTotpSecret(deps.database.sql, personGuid, sealed))) {
      throw new ApiError('conflict', 'You already have an authenticator app: remove it first.');
    }
    return { json: { secret: base32(secret), uri: totpUri(secret, deps.config.brand, email) } };
  };
