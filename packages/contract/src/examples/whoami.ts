import { type Examples, exampleGuid, serials } from './example.ts';

export const whoamiExamples = {
  WhoAmI: {
    type: 'PARTNER',
    id: exampleGuid(70),
    name: 'Courier account',
    email: null,
    grants: [
      {
        place: 'partner',
        guid: exampleGuid(71),
        name: 'Courier',
        scopes: [{ scope: 'stock:read', allows: 'Read stock.' }],
      },
    ],
    restaurants: [
      { guid: exampleGuid(serials.restaurant), name: 'The Early Wren', archived: false },
    ],
    hasMoreRestaurants: false,
    call: {
      operation: 'stock.update',
      method: 'PUT',
      path: '/stock/v1/inventory/update',
      scope: 'stock:write',
      restaurantGuid: exampleGuid(serials.restaurant),
      refusal: {
        status: 403,
        code: 20403,
        message:
          'This client lacks the scope stock:write, which stock.update needs: an operator can ' +
          'add it.',
      },
    },
  },
} satisfies Examples<'WhoAmI'>;
