import type { HandlersOf } from '../../http/operation.ts';
import { type GetRestaurantDeps, getRestaurantHandler } from './get.ts';
import { type ListGroupDeps, listGroupHandler } from './list-group.ts';

/** What the restaurants interface needs. */
export type RestaurantDeps = GetRestaurantDeps & ListGroupDeps;

/** The two operations of the restaurants interface (RST-1–RST-5). */
export const restaurantHandlers = (deps: RestaurantDeps): HandlersOf<'restaurants.'> => ({
  'restaurants.get': getRestaurantHandler(deps),
  'restaurants.listGroup': listGroupHandler(deps),
});
