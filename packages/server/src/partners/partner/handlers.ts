import type { HandlersOf } from '../../http/operation.ts';
import {
  type ConnectedRestaurantsDeps,
  connectedRestaurantsHandler,
} from './connected-restaurants.ts';
import { type PartnerRestaurantsDeps, partnerRestaurantsHandler } from './restaurants.ts';

/** What the partners interface needs. */
export type PartnerDeps = PartnerRestaurantsDeps & ConnectedRestaurantsDeps;

/** The two operations of the partners interface (PTN-1–PTN-6). */
export const partnerHandlers = (deps: PartnerDeps): HandlersOf<'partners.'> => ({
  'partners.restaurants.list': partnerRestaurantsHandler(deps),
  'partners.connectedRestaurants.list': connectedRestaurantsHandler(deps),
});
