import { flag, withDefault } from '../schemas/field.ts';
import { operation } from './operation.ts';
import { guid } from './parameters.ts';

const common = {
  interface: 'restaurants',
  method: 'GET',
  tag: 'Restaurants',
  scope: 'restaurants:read',
} as const;

export const restaurantOperations = [
  operation({
    ...common,
    id: 'restaurants.get',
    path: '/restaurants/v1/restaurants/{restaurantGUID}',
    summary: 'Get a restaurant',
    description:
      'Returns all information about a restaurant that the client has access to. An archived ' +
      'restaurant is a 404 unless includeArchived is true. In that case the restaurant header ' +
      'may also name the archived restaurant.',
    restaurant: 'headerArchivedAllowed',
    params: { restaurantGUID: guid('The restaurant to read.') },
    query: {
      includeArchived: withDefault(
        flag(
          'Whether to return a restaurant that is archived. general.archived says whether it ' +
            'is.',
          {
            example: false,
          },
        ),
        false,
      ),
    },
    response: { schema: 'RestaurantInfo', array: false },
    also: [404],
  }),
  operation({
    ...common,
    id: 'restaurants.listGroup',
    path: '/restaurants/v1/groups/{managementGroupGUID}/restaurants',
    summary: 'List the restaurants of a management group',
    description:
      'Returns every restaurant of the group that is not archived. The restaurant header ' +
      'names one of them.',
    restaurant: 'header',
    params: { managementGroupGUID: guid('The management group.') },
    response: { schema: 'Restaurant', array: true },
    also: [404],
  }),
] as const;
