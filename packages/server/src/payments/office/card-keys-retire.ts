import type { HandlerOf } from '../../http/operation.ts';
import { type MoveCardKeyHandlerDeps, moveCardKeyHandler } from './card-keys.ts';

/** Takes an active card key off the list of its client; it still decrypts. */
export const retireCardKeyHandler = (
  deps: MoveCardKeyHandlerDeps,
): HandlerOf<'backOffice.cardKeys.retire'> => moveCardKeyHandler(deps, 'DECRYPT_ONLY');
