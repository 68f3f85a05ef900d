import type { HandlerOf } from '../../http/operation.ts';
import { type MoveCardKeyHandlerDeps, moveCardKeyHandler } from './card-keys.ts';

export const destroyCardKeyHandler = (
  deps: MoveCardKeyHandlerDeps,
): HandlerOf<'backOffice.cardKeys.destroy'> => moveCardKeyHandler(deps, 'DESTROYED');
