import type { Vault } from '@servery/support/secret.ts';
import { attestEntries, originOf } from '../../audit/origin.ts';
import type { HandlerOf } from '../../http/operation.ts';
import type { OrdersDeps } from '../life/orders.ts';
import { voidByPartner } from '../life/void-by-partner.ts';
import { type OwnPaymentDeps, ownPaymentOnWire, requireOwnPayment } from './own-payment.ts';

export interface VoidOwnPaymentDeps extends OrdersDeps, Pick<OwnPaymentDeps, 'amountShape'> {
  readonly vault: Pick<Vault, 'digest'>;
}

export function voidOwnPaymentHandler(
  deps: VoidOwnPaymentDeps,
): HandlerOf<'platform.payments.void'> {
  const attest = attestEntries(deps.vault);
  return async (request) => {
    const own = await requireOwnPayment(deps, request);
    const by = request.principal.clientId;
    const origin = originOf({ ...request, by, attest }, deps.realClock);
    return { json: await ownPaymentOnWire(deps, await voidByPartner(deps, own, origin)) };
  };
}
