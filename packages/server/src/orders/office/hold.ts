import type { HandlerOf } from '../../http/operation.ts';
import { hold } from '../kitchen/prepare.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const holdOrderHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.hold'> =>
  (request) =>
    answerDecision(deps, request, hold(request.body.selectionGuids ?? null));
