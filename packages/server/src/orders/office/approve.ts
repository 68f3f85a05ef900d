import type { HandlerOf } from '../../http/operation.ts';
import { approve } from '../kitchen/prepare.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const approveOrderHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.approve'> =>
  (request) =>
    answerDecision(deps, request, approve);
