import type { HandlerOf } from '../../http/operation.ts';
import { type RepricingDeps, voidSelection } from '../kitchen/void.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const voidSelectionHandler =
  (deps: OfficeOrderDeps & RepricingDeps): HandlerOf<'backOffice.orders.selections.void'> =>
  (request) =>
    answerDecision(
      deps,
      request,
      voidSelection(deps, request.params.selectionGuid, request.body.voidReasonGuid ?? null),
    );
