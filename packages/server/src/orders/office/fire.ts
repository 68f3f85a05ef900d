import type { HandlerOf } from '../../http/operation.ts';
import { fire } from '../kitchen/prepare.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const fireOrderHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.fire'> =>
  (request) =>
    answerDecision(deps, request, fire(request.body.selectionGuids ?? null));
