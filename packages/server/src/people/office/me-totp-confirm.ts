import { ApiError } from '../../http/errors.ts';
import type { HandlerOf } from '../../http/operation.ts';
import {
  findCredentialsOf,
  insertRecoveryCodes,
  updateTotpConfirmed,
} from '../credential-store.ts';
import { changeSelf, requirePassword } from '../own-account.ts';
import { newRecoveryCode, recoveryDigest, totpContext } from '../second-factor.ts';
import { deleteSessions } from '../session-store.ts';
import { forgiveCode, type SlowDownDeps, slowDownCodes } from '../slow-down.ts';
import { acceptedStep } from '../totp.ts';
import { cookieFor } from './answer-session.ts';

const RECOVERY_CODES = 10;
const GROUP = /.{4}/g;

/** Ends the other sessions. The recovery codes can't be shown again. */
export const confirmTotpHandler =
  (deps: SlowDownDeps): HandlerOf<'backOffice.me.totp.confirm'> =>
  async (request) => {
    const { database, vault, realClock } = deps;
    const { personGuid, sessionGuid, email } = request.caller;
    const { code, password } = request.body;
    await requirePassword(deps, request, password, 'the app is not confirmed');
    const credentials = await findCredentialsOf(database.sql, personGuid);
    const sealedSecret = credentials?.sealedTotpSecret;
    if (!sealedSecret || credentials.totpConfirmedAt) throw nothingBegun();
    const nowMs = realClock.nowMs();
    const secret = vault.open(sealedSecret, totpContext(personGuid));
    await slowDownCodes(deps, credentials, sessionGuid);
    const step = acceptedStep(secret, code, { nowMs, lastStep: null });
    if (step === null) {
      const text = 'code is not the current one: check the app and its clock.';
      throw new ApiError('unprocessable', text);
    }
    await forgiveCode(deps, credentials, sessionGuid);
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const digests = codes.map((one) => recoveryDigest(vault, personGuid, one));
    await changeSelf(deps, request, async (sql, now) => {
      const isFirst = await updateTotpConfirmed(sql, personGuid, { sealedSecret, step, now });
      if (!isFirst) throw nothingBegun();
      await insertRecoveryCodes(sql, personGuid, digests);
      await deleteSessions(sql, personGuid, sessionGuid);
    });
    return {
      json: { recoveryCodes: codes.map((one) => (one.match(GROUP) ?? []).join('-')) },
      headers: await cookieFor(deps, request, email),
    };
  };

function nothingBegun(): ApiError {
  return new ApiError('conflict', 'No authenticator app is waiting for confirmation: start again.');
}
