import type { HandlersOf } from '../../http/operation.ts';
import { type GetRestaurantDeps, getRestaurantHandler } from './get.ts';
import { type ListGroupDeps, listGroupHandler } from './list-group.ts';

export type RestaurantDeps = GetRestaurantDeps & ListGroupDeps;

export const restaurantHandlers = (deps: RestaurantDeps): HandlersOf<'restaurants.'> => ({
  'restaurants.get': getRestaurantHandler(deps),
  'restaurants.listGroup': listGroupHandler(deps),
});
