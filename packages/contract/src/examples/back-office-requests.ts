import { type Examples, exampleGuid, serials } from './example.ts';

const LoggedRequest = {
  requestId: exampleGuid(90),
  at: '2026-01-31T18:30:00.000Z',
  realAt: '2026-01-31T18:30:00.000Z',
  operation: 'stock.update',
  method: 'PUT',
  path: '/stock/v1/inventory/update',
  status: 403,
  durationMs: 2.41,
  clientId: exampleGuid(70),
  personGuid: null,
  restaurantGuid: exampleGuid(serials.restaurant),
  remoteAddress: '198.51.100.7',
  refusal: {
    check: 'scope',
    scope: 'stock:write',
    reach: { isPlatform: false, groupGuids: [], restaurantGuids: [], partnerGuids: [] },
    message: 'This client lacks the scope stock:write, which stock.update needs.',
    faults: [],
  },
} satisfies Examples<'LoggedRequest'>['LoggedRequest'];

export const requestsExamples: Examples<'LoggedRequestDetails' | 'LoggedRequestPage'> = {
  LoggedRequestPage: { results: [LoggedRequest], nextPageToken: null },
  LoggedRequestDetails: {
    ...LoggedRequest,
    query: {},
    requestHeaders: { 'content-type': 'application/json', 'user-agent': 'example/1.0' },
    requestBody: '[{"guid":"5f0c1a2e-7b34-4d8a-9c61-000000000012","status":"OUT_OF_STOCK"}]',
    answerHeaders: { 'content-type': 'application/json' },
    answerBody: '{"status":403,"code":10005}',
  },
};
