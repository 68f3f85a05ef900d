import {
  lastModifiedParameter,
  type Operation,
  operation,
  pageTokenParameter,
} from './operation.ts';

const common = { interface: 'partners', method: 'GET', tag: 'Partners' } as const;

const lastModified = lastModifiedParameter(
  'Only restaurants whose connection was made or changed after this UTC time, or after midnight ' +
    'UTC of a bare date; URL-encoded.',
);

/** The operations of the partners interface. */
export const partnerOperations: readonly Operation[] = [
  operation({
    ...common,
    id: 'partners.restaurants.list',
    isForPartners: true,
    path: '/partners/v1/restaurants',
    summary: 'List the restaurants that the client can reach',
    description: 'Answers every restaurant that connected the integration of the partner.',
    queryParameters: [lastModified],
    response: { schema: 'PartnerAccessExternalRep', array: true },
  }),
  operation({
    ...common,
    id: 'partners.connectedRestaurants.list',
    isForPartners: true,
    path: '/partners/v1/connectedRestaurants',
    summary: 'List the connected restaurants by pages',
    description:
      'Answers the same restaurants by pages, in the order of their connection. The Link header ' +
      'names the first and the next page.',
    queryParameters: [
      lastModified,
      {
        name: 'pageSize',
        description: 'Restaurants per page.',
        required: false,
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: 200, default: 100 },
        example: 100,
      },
      pageTokenParameter('nextPageToken of the page before; the first page without it.'),
    ],
    response: { schema: 'ConnectedRestaurants', array: false },
    headers: ['Link'],
  }),
];
