import { parseGuid } from '@servery/support/ids.ts';
import { machineTimer, type Timer } from '@servery/support/timer.ts';
import { ApiError } from '../../http/errors.ts';
import type { OperationHandlers } from '../../http/operation.ts';
import { type AuthorizeDeps, authorize } from '../authorize/authorize.ts';
import { createUnderWay, type UnderWay } from '../authorize/under-way.ts';
import { listPublicCardKeys } from '../cards/card-keys.ts';
import { type CardKeyCache, createCardKeyring } from '../cards/keyring.ts';
import { type AmountShape, paymentStatus } from '../life/status.ts';

/** What the operations of this feature lean on. */
export interface PaymentDeps extends Omit<AuthorizeDeps, 'keyring' | 'timer' | 'underWay'> {
  readonly amountShape: AmountShape;
  /** Which card keys may decrypt is read each time when absent. */
  readonly cardKeys?: CardKeyCache;
  /** The machine's timer when absent. */
  readonly timer?: Timer;
  /** Given by whoever wants to wait for the payments under way before it closes the database. */
  readonly underWay?: UnderWay;
}

/** The operations of the credit card interface, and the list of card keys beside it. */
export function paymentHandlers(
  deps: PaymentDeps,
): Pick<OperationHandlers, 'creditCards.authorize' | 'platform.cardEncryptionKeys.list'> {
  const authorizeDeps: AuthorizeDeps = {
    ...deps,
    keyring: createCardKeyring(deps.database.sql, deps.vault, deps.cardKeys),
    timer: deps.timer ?? machineTimer,
    underWay: deps.underWay ?? createUnderWay(),
  };
  return {
    'creditCards.authorize': async (request) => {
      const { principal, restaurant, params, query, headers, body, keep, waitedMs } = request;
      const paymentUuid = readPaymentUuid(params.paymentUuid);
      const { authorization: _token, cookie: _session, ...others } = headers;
      const besides = { query, headers: others };
      const input = { principal, restaurant, paymentUuid, body, besides, keep, waitedMs };
      const payment = await authorize(authorizeDeps, input);
      return { json: paymentStatus(payment, deps.amountShape) };
    },
    'platform.cardEncryptionKeys.list': async ({ principal }) => ({
      json: await listPublicCardKeys(deps, principal.clientId),
    }),
  };
}

/** A UUID of any version in either case (PAY-9). */
function readPaymentUuid(text: string | undefined): string {
  const paymentUuid = parseGuid(text ?? '');
  if (paymentUuid !== null) return paymentUuid;
  throw new ApiError('badRequest', 'paymentUuid in the path is not a UUID: generate one.');
}
