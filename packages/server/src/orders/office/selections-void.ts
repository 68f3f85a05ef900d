import type { HandlerOf } from '../../http/operation.ts';
import { voidSelection } from '../kitchen/void.ts';
import { answerDecision, type OfficeOrderDeps } from './answer-decision.ts';

export const voidSelectionHandler =
  (deps: OfficeOrderDeps): HandlerOf<'backOffice.orders.selections.void'> =>
  (request) =>
    answerDecision(
      deps,
      request,
      voidSelection(request.params.selectionGuid, request.body.voidReasonGuid ?? null),
    );
