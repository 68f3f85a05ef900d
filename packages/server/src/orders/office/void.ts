import type { HandlerOf } from '../../http/operation.ts';
import { voidOrder } from '../kitchen/void.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const voidWholeOrderHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.void'> =>
  (request) =>
    answerDecision(
      deps,
      request,
      voidOrder(request.body.reason, request.body.voidReasonGuid ?? null),
    );
