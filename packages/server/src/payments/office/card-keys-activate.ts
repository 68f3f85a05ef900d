import type { HandlerOf } from '../../http/operation.ts';
import { type MoveCardKeyHandlerDeps, moveCardKeyHandler } from './card-keys.ts';

export const activateCardKeyHandler = (
  deps: MoveCardKeyHandlerDeps,
): HandlerOf<'backOffice.cardKeys.activate'> => moveCardKeyHandler(deps, 'ACTIVE');
