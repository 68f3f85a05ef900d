import type { HandlerOf } from '../../http/operation.ts';
import { fulfil } from '../kitchen/fulfil.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const fulfilOrderHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.fulfil'> =>
  (request) =>
    answerDecision(deps, request, fulfil);
