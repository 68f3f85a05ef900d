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
    message:
      'This client lacks the scope stock:write, which stock.update needs: an operator can add it.',
    faults: [],
  },
  fault: null,
} satisfies Examples<'LoggedRequest'>['LoggedRequest'];

export const requestsExamples: Examples<
  'LoggedRequestDetails' | 'LoggedRequestPage' | 'ReplayRequest' | 'ReplayedRequest'
> = {
  ReplayRequest: {
    into: 'pull-42',
    set: { '[0].status': 'IN_STOCK' },
  },
  ReplayedRequest: {
    into: 'pull-42',
    baseUrl: 'https://localhost/sandboxes/pull-42',
    expiresAt: '2026-02-01T18:30:00.000Z',
    demo: null,
    requestId: exampleGuid(91),
    status: 200,
    answerHeaders: { 'content-type': 'application/json' },
    answerBody: '[]',
    notes: ['The token had expired: a new one of the same client was sent.'],
    differences: [{ path: 'status', before: 403, after: 200 }],
    differenceCount: 1,
  },
  LoggedRequestPage: { results: [LoggedRequest], nextPageToken: null },
  LoggedRequestDetails: {
    ...LoggedRequest,
    query: {},
    requestHeaders: { 'content-type': 'application/json', 'user-agent': 'example/1.0' },
    requestBody: '[{"guid":"5f0c1a2e-7b34-4d8a-9c61-000000000012","status":"OUT_OF_STOCK"}]',
    answerHeaders: { 'content-type': 'application/json' },
    answerBody: '{"status":403,"code":10005}',
    explanation: {
      steps: [
        {
          check: 'token',
          result: 'PASSED',
          title: 'Token: valid until 2026-02-01T18:30:00.000Z',
          details: [],
          advice: null,
          remedy: null,
        },
        {
          check: 'scope',
          result: 'FAILED',
          title: 'Scope: stock:write is missing',
          details: ['This client has stock:read.'],
          advice: 'Ask an operator to give the client the scope, then send the request again.',
          remedy: 'ADD_SCOPE',
        },
      ],
      rule: 'API-4',
      answeredFrom: 'HANDLER',
      isRepeat: false,
      clockMovedMs: 0,
      token: {
        kind: 'TOKEN',
        clientId: exampleGuid(70),
        problem: null,
        issuedAt: '2026-01-31T18:30:00.000Z',
        expiresAt: '2026-02-01T18:30:00.000Z',
      },
      caller: {
        type: 'PARTNER',
        name: 'Stock Reader',
        scopes: ['stock:read'],
        grants: [{ place: 'partner', guid: exampleGuid(50), holdsScope: false }],
      },
      budget: {
        by: 'CLIENT_AND_RESTAURANT',
        remaining: 19,
        resetAt: 1_769_884_201,
        retryAfterSeconds: null,
      },
      restaurant: {
        outcome: 'REACHED',
        name: 'Early Wren',
        connectedAt: '2026-01-01T00:00:00.000Z',
        disconnectedAt: null,
      },
      faults: [],
      payment: null,
      statements: {
        count: 1,
        totalMs: 0.41,
        first: [{ text: 'select restaurant.guid, …', durationMs: 0.41 }],
      },
    },
  },
};
