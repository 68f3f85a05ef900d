import type { HandlerOf } from '../../http/operation.ts';
import { type MoveCardKeyHandlerDeps, moveCardKeyHandler } from './card-keys.ts';

export const retireCardKeyHandler = (
  deps: MoveCardKeyHandlerDeps,
): HandlerOf<'backOffice.cardKeys.retire'> => moveCardKeyHandler(deps, 'DECRYPT_ONLY');
