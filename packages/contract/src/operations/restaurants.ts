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
    summary: 'Describe a restaurant',
    description:
      'Answers all about a restaurant that the client reaches. An archived one is a 404 unless ' +
      'includeArchived is true; then the restaurant header may name the archived one too.',
    restaurant: 'headerArchivedAllowed',
    params: { restaurantGUID: guid('The restaurant to describe.') },
    query: {
      includeArchived: withDefault(
        flag('Whether an archived restaurant is answered; general.archived then tells.', {
          example: false,
        }),
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
      'Answers every restaurant of the group that is not archived. The restaurant header names ' +
      'one of them.',
    restaurant: 'header',
    params: { managementGroupGUID: guid('The management group.') },
    response: { schema: 'Restaurant', array: true },
    also: [404],
  }),
] as const;
