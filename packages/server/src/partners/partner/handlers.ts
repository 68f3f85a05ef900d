import type { HandlersOf } from '../../http/operation.ts';
import {
  type ConnectedRestaurantsDeps,
  connectedRestaurantsHandler,
} from './connected-restaurants.ts';
import { type PartnerRestaurantsDeps, partnerRestaurantsHandler } from './restaurants.ts';

export type PartnerDeps = PartnerRestaurantsDeps & ConnectedRestaurantsDeps;

export const partnerHandlers = (deps: PartnerDeps): HandlersOf<'partners.'> => ({
  'partners.restaurants.list': partnerRestaurantsHandler(deps),
  'partners.connectedRestaurants.list': connectedRestaurantsHandler(deps),
});
