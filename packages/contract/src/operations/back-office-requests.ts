import { line, text, uuid } from '../schemas/field.ts';
import { Type } from '../schemas/type.ts';
import { json, prefix, single } from './back-office-parts.ts';
import { operation } from './operation.ts';
import { guid, instantParameter, pageParameters } from './parameters.ts';

const requests = {
  interface: 'backOffice',
  tag: 'Requests',
  method: 'GET',
  scope: 'requests:read',
} as const;

const filters = {
  clientId: Type.Optional(
    line('Only requests of this client.', { example: '5f0c1a2e-7b34-4d8a-9c61-000000000070' }),
  ),
  personGuid: Type.Optional(
    uuid('Only requests of this person.', { example: '5f0c1a2e-7b34-4d8a-9c61-000000000060' }),
  ),
  restaurantGuid: Type.Optional(
    uuid('Only requests that name this restaurant.', {
      example: '5f0c1a2e-7b34-4d8a-9c61-000000000001',
    }),
  ),
  operation: Type.Optional(line('Only requests for this operation.', { example: 'stock.update' })),
  status: Type.Optional(
    text('Only requests whose response has this status or class of statuses.', {
      pattern: '^[1-5]([0-9]{2}|xx)$',
      example: '4xx',
      '~must': 'be a status, for example 403, or a class of statuses, for example 4xx',
    }),
  ),
};

export const requestsOperations = [
  operation({
    ...requests,
    id: 'backOffice.requests.list',
    path: `${prefix}/requests`,
    summary: 'List requests',
    description:
      'Returns pages of the latest requests, newest first. It shows requests that match every ' +
      'filter, of clients and restaurants that you have access to. Secrets, card data, and ' +
      'guest data are left out.',
    query: {
      requestId: Type.Optional(
        uuid('Only the request with this identifier.', {
          example: '5f0c1a2e-7b34-4d8a-9c61-000000000090',
        }),
      ),
      ...filters,
      from: instantParameter('Only requests at this time or later, in real time.'),
      to: instantParameter('Only requests before this time, in real time.'),
      ...pageParameters('Requests'),
    },
    response: single('LoggedRequestPage'),
    // Each look at the log is itself a new entry.
    revalidated: false,
  }),
  operation({
    ...requests,
    id: 'backOffice.requests.get',
    path: `${prefix}/requests/{requestId}`,
    summary: 'Get a request',
    description:
      'Returns a request with its headers and bodies, and the response to it. Secrets, card ' +
      'data, and guest data are left out, and long bodies are cut off.',
    params: { requestId: guid('The request identifier from the response.') },
    response: single('LoggedRequestDetails'),
    also: [404],
  }),
  operation({
    ...requests,
    id: 'backOffice.requests.replay',
    method: 'POST',
    scope: 'requests:write',
    heldFor: 'platform',
    isHiddenInProduction: true,
    path: `${prefix}/requests/{requestId}/replay`,
    summary: 'Replay a request',
    description:
      'Sends a logged request again, as the client or person that sent it, and compares the ' +
      'responses. The log has no card or guest data, so a card payment is sent as a new one, ' +
      'with a test card and a test guest. Other values that the log left out must be in `set`; ' +
      'otherwise this is a 422 that lists them. A login, a stream, and ' +
      'a request whose caller is unknown or no longer active cannot be replayed (409). If this ' +
      'environment cannot be copied, this is a 409, too. An unknown request or sandbox is a 404. ' +
      'A sandbox replays only into itself and into new copies of itself; any other target is a ' +
      '409. Requires the scope for the whole platform, and every back office scope of the caller ' +
      'whose request it is. Available only in a sandbox: in production, this is a 404.',
    params: { requestId: guid('The request identifier from the response.') },
    requestBody: json('ReplayRequest'),
    response: single('ReplayedRequest'),
    also: [404, 409, 422],
  }),
  operation({
    ...requests,
    id: 'backOffice.requests.stream',
    path: `${prefix}/requests/stream`,
    summary: 'Follow requests',
    description:
      'Streams requests as they arrive, as server-sent events. The data of each event of ' +
      'the type `request` is a LoggedRequest. A comment is sent every 15 seconds while ' +
      'nothing happens. After a disconnect, send Last-Event-ID to continue: you miss no ' +
      'request that is still in the log, but you may see some twice. A reader that is too ' +
      'slow is disconnected. A stream ends when you lose the right to read it, and after ' +
      'five minutes at the latest. A fifth stream of the same caller is a 429.',
    query: filters,
    response: null,
    mediaType: 'text/event-stream',
    revalidated: false,
  }),
] as const;
