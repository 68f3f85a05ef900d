import type { HandlersOf } from '../../http/operation.ts';
import { type GetMenusDeps, getMenusHandler } from './get.ts';
import { getMetadataHandler } from './get-metadata.ts';

export const menuHandlers = (deps: GetMenusDeps): HandlersOf<'menus.'> => ({
  'menus.get': getMenusHandler(deps),
  'menus.getMetadata': getMetadataHandler(deps),
});
