import type { HandlerOf } from '../../http/operation.ts';
import { reject } from '../kitchen/void.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const rejectOrderHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.reject'> =>
  (request) =>
    answerDecision(deps, request, reject(request.body.reason));
