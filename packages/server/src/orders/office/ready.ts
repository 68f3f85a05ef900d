import type { HandlerOf } from '../../http/operation.ts';
import { ready } from '../kitchen/prepare.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const readyOrderHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.ready'> =>
  (request) =>
    answerDecision(deps, request, ready(request.body.selectionGuids ?? null));
