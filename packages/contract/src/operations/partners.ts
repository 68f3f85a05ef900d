import { operation } from './operation.ts';
import { lastModifiedAfter, pageParameters } from './parameters.ts';

const common = { interface: 'partners', method: 'GET', tag: 'Partners' } as const;

const lastModified = lastModifiedAfter(
  'Only restaurants whose connection was created or changed after this UTC time. If you send only ' +
    'a date, midnight UTC counts. URL-encoded.',
);

export const partnerOperations = [
  operation({
    ...common,
    id: 'partners.restaurants.list',
    isForPartners: true,
    path: '/partners/v1/restaurants',
    summary: 'List the restaurants that the client has access to',
    description: 'Returns every restaurant that has connected to your partner.',
    query: { lastModified },
    response: { schema: 'PartnerAccessExternalRep', array: true },
  }),
  operation({
    ...common,
    id: 'partners.connectedRestaurants.list',
    isForPartners: true,
    path: '/partners/v1/connectedRestaurants',
    summary: 'List the connected restaurants in pages',
    description:
      'Returns the restaurants of partners.restaurants.list in pages, in the order in which they ' +
      'connected. The Link header names the first and the next page.',
    query: {
      lastModified,
      ...pageParameters('Restaurants'),
    },
    response: { schema: 'ConnectedRestaurants', array: false },
    headers: ['Link'],
  }),
] as const;
