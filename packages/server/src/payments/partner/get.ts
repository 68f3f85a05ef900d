import type { HandlerOf } from '../../http/operation.ts';
import { type OwnPaymentDeps, ownPaymentOnWire, requireOwnPayment } from './own-payment.ts';

export const getOwnPaymentHandler =
  (deps: OwnPaymentDeps): HandlerOf<'platform.payments.get'> =>
  async (request) => ({
    json: await ownPaymentOnWire(deps, await requireOwnPayment(deps, request)),
  });
