import { refusingItself } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type AuthorizeDeps, authorize } from '../authorize/authorize.ts';
import { type AmountShape, paymentStatus } from '../life/status.ts';

export interface AuthorizePaymentDeps extends AuthorizeDeps {
  readonly amountShape: AmountShape;
}

export const authorizePaymentHandler = (
  deps: AuthorizePaymentDeps,
): HandlerOf<'creditCards.authorize'> =>
  refusingItself(async (request) => {
    const { principal, restaurant, params, body, faults, keep, note, waitedMs } = request;
    const { authorization: _token, cookie: _session, ...headers } = request.headers;
    const besides = { query: request.sentQuery, headers };
    const { paymentUuid } = params;
    const input = {
      ...{ principal, restaurant, paymentUuid, body, faults, besides },
      ...{ keep, note, waitedMs },
    };
    const payment = await authorize(deps, input);
    return { json: paymentStatus(payment, deps.amountShape) };
  });
