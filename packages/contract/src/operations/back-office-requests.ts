import {
  instantParameter,
  lineSchema,
  pageParameters,
  parameter,
  prefix,
  single,
} from './back-office-parts.ts';
import { guidParameter, type Operation, operation } from './operation.ts';

const requests = {
  interface: 'backOffice',
  tag: 'Requests',
  method: 'GET',
  scope: 'requests:read',
} as const;

const uuid = { type: 'string', format: 'uuid' };

const filters = [
  parameter(
    'clientId',
    'Only requests of this client.',
    lineSchema,
    '5f0c1a2e-7b34-4d8a-9c61-000000000070',
  ),
  parameter(
    'personGuid',
    'Only requests of this person.',
    uuid,
    '5f0c1a2e-7b34-4d8a-9c61-000000000060',
  ),
  parameter(
    'restaurantGuid',
    'Only requests that name this restaurant.',
    uuid,
    '5f0c1a2e-7b34-4d8a-9c61-000000000001',
  ),
  parameter('operation', 'Only requests for this operation.', lineSchema, 'stock.update'),
  parameter(
    'status',
    'Only answers with this status, or of this class of them.',
    { type: 'string', pattern: '^[1-5]([0-9]{2}|xx)$' },
    '4xx',
  ),
];

/** The log of requests. */
export const requestsOperations: readonly Operation[] = [
  operation({
    ...requests,
    id: 'backOffice.requests.list',
    path: `${prefix}/requests`,
    summary: 'List requests',
    description:
      'Answers the last requests by pages, the newest first: those that fit every filter, of ' +
      'clients and restaurants that you reach. Secrets, card data and data of guests are left out.',
    queryParameters: [
      parameter(
        'requestId',
        'Only the request with this identifier.',
        uuid,
        '5f0c1a2e-7b34-4d8a-9c61-000000000090',
      ),
      ...filters,
      instantParameter('from', 'Only requests at this real time or later.'),
      instantParameter('to', 'Only requests before this real time.'),
      ...pageParameters('Requests'),
    ],
    response: single('LoggedRequestPage'),
    // Each look at the log is a request that it holds next time.
    revalidated: false,
  }),
  operation({
    ...requests,
    id: 'backOffice.requests.get',
    path: `${prefix}/requests/{requestId}`,
    summary: 'Get a request',
    description:
      'Answers a request with its headers and bodies, and what was answered to it. Secrets, card ' +
      'data and data of guests are left out, and long bodies cut off.',
    pathParameters: [guidParameter('requestId', 'The identifier that the answer carried.')],
    response: single('LoggedRequestDetails'),
    also: [404],
  }),
  operation({
    ...requests,
    id: 'backOffice.requests.stream',
    path: `${prefix}/requests/stream`,
    summary: 'Follow requests',
    description:
      'Answers requests as they come, as server-sent events: the data of each event of the type ' +
      '`request` is a LoggedRequest. A comment comes every 15 seconds while nothing happens. ' +
      'Send Last-Event-ID to go on where a stream broke off: none is missed then that is still ' +
      'in the log, though some may come twice. A reader that is too slow is hung up on, and a ' +
      'stream ends when the right to read it does, after five minutes at the latest. A fifth one ' +
      'of the same caller is a 429.',
    queryParameters: filters,
    response: null,
    mediaType: 'text/event-stream',
    revalidated: false,
  }),
];
