import type { Static } from 'typebox';
import { SandboxDemo } from './back-office-sandboxes.ts';
import { replayDifferencesAtMost, requestChecks, sandboxNamePattern } from './back-office-terms.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  flag,
  line,
  list,
  optional,
  orNull,
  request,
  text,
  uuid,
  whole,
} from './field.ts';
import { pageOf } from './page.ts';
import { RequestExplanation } from './request-explanation.ts';
import { Type } from './type.ts';

const guids = (description: string) => list(uuid('A GUID.'), description);
const texts = (description: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    description,
    additionalProperties: { type: 'string' },
  });

export const LoggedReach = answer('Where the sender held the scope.', {
  isPlatform: flag(
    'Whether the scope covers the whole platform. If true, the lists do not matter.',
  ),
  groupGuids: guids('In these management groups.'),
  restaurantGuids: guids('At these restaurants.'),
  partnerGuids: guids('For these partners.'),
});
export type LoggedReach = Static<typeof LoggedReach>;

export const LoggedFault = answer('A field that broke a rule.', {
  field: text('The location in the request.'),
  rule: text('The rule that the field broke.'),
});
export type LoggedFault = Static<typeof LoggedFault>;

export const LoggedRefusal = answer('Why a request was refused.', {
  check: choice(
    'The first check that failed, in the order of the checks. `fault` is an injected fault, ' +
      'and `rules` are the rules of the operation itself.',
    requestChecks,
  ),
  scope: orNull(text('The scope that the operation needs.')),
  reach: orNull(
    LoggedReach,
    'Where the sender held that scope; null if the sender was not recognized.',
  ),
  message: text('The message that the sender received.'),
  faults: list(
    LoggedFault,
    'The first 20 fields that broke a rule, even if production does not tell the sender. ' +
      'Only for readers with access to the request log of the whole platform; empty for ' +
      'others.',
    { maxItems: 20 },
  ),
});
export type LoggedRefusal = Static<typeof LoggedRefusal>;

const summary = {
  requestId: uuid('Identifier of the request, as in its response.'),
  at: dateTime('When the request arrived, by the clock of the environment.'),
  realAt: dateTime('When the request arrived, in real time.'),
  operation: orNull(text('The operation; null if no operation has the method and path.')),
  method: text('The method.'),
  path: text('The path, without its query.'),
  status: whole('The status of the response.'),
  durationMs: decimal('How long the response took, in milliseconds.', { minimum: 0 }),
  clientId: orNull(text('The client that sent the request; null if no client was recognized.')),
  personGuid: orNull(uuid('The person who sent the request.')),
  restaurantGuid: orNull(
    uuid('The restaurant that the request names, even if the caller has no access to it.'),
  ),
  remoteAddress: text('The address that the request came from.'),
  refusal: orNull(LoggedRefusal, 'Null if the request was not refused.'),
  fault: orNull(
    text('In a sandbox: the injected fault that touched the request; a comma separates several.'),
  ),
};

export const LoggedRequest = answer('A request, with its outcome.', summary);
export type LoggedRequest = Static<typeof LoggedRequest>;

export const LoggedRequestPage = answer(
  'One page of requests.',
  pageOf(LoggedRequest, 'The requests, newest first.'),
);
export type LoggedRequestPage = Static<typeof LoggedRequestPage>;

export const LoggedRequestDetails = answer('A request with its headers and bodies.', {
  ...summary,
  query: texts('The query parameters.'),
  requestHeaders: texts('The headers of the request that may be stored.'),
  requestBody: orNull(text('The body of the request; null if it had none.')),
  answerHeaders: texts('The headers of the response that may be stored.'),
  answerBody: orNull(text('The body of the response; null if it had none.')),
  explanation: orNull(
    RequestExplanation,
    'How the platform arrived at the response. In production, only for requests that asked for it with the ' +
      'header `<Brand>-Explain: 1`; null for others.',
  ),
});
export type LoggedRequestDetails = Static<typeof LoggedRequestDetails>;

export const ReplayRequest = request('How to send a logged request again.', {
  into: optional(
    text(
      'Where to send it: a sandbox, or `main`, which it changes like any other request. ' +
        'Default: a new copy of this environment, which is dropped after an hour.',
      { pattern: sandboxNamePattern, '~must': 'be the name of a sandbox, or main' },
    ),
  ),
  set: optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      description:
        'New values, by place. Name places as errors and explanations do: a path parameter, a ' +
        'query parameter, a header, a field of the body, for example ' +
        '`requestMetadata.originIPAddr` or `[0].quantity`, or `The body` for all of it. Null in ' +
        'place of a query parameter or a header leaves it out.',
      maxProperties: 100,
      propertyNames: { maxLength: 1_000 },
      additionalProperties: {},
    }),
  ),
  card: optional(
    line(
      'The test card to pay with: its number or its description. Default: the test card of the ' +
        'logged payment, else one that is approved.',
    ),
  ),
});
export type ReplayRequest = Static<typeof ReplayRequest>;

const anything = (description: string) => Type.Unsafe<unknown>({ description });

export const ReplayDifference = answer('What differs between the two responses in one place.', {
  path: text('The place: status, a header, or a field of the body, for example `body[0].guid`.'),
  before: anything('The value in the logged response; null if there was none.'),
  after: anything('The value in the new response; null if there is none.'),
});
export type ReplayDifference = Static<typeof ReplayDifference>;

export const ReplayedRequest = answer(
  'A request that was sent again, its response, and how that differs from the logged one. Both ' +
    'responses are compared as the log keeps them.',
  {
    into: text('Where it was sent: the name of a sandbox, or main.'),
    baseUrl: text('The base address of that environment.'),
    expiresAt: orNull(dateTime('When that environment is dropped, in real time; null for main.')),
    demo: orNull(
      SandboxDemo,
      'The accounts of a copy that was made for the replay, with secrets that only this response ' +
        'shows; null if none was made.',
    ),
    requestId: uuid('Identifier of the new request, in the request log of that environment.'),
    status: whole('The status of the new response.'),
    answerHeaders: texts('The headers of the new response that may be stored.'),
    answerBody: orNull(text('The body of the new response; null if it had none.')),
    notes: list(
      text('A sentence.'),
      'How the new request differs from the logged one, and which dates were not moved.',
    ),
    differences: list(
      ReplayDifference,
      'The first differences between the responses. Instants, request identifiers, addresses of ' +
        'the environments, and values that are generated anew for each request are not compared: ' +
        'GUIDs of new objects, authorization codes, and numbers of orders and publications.',
      { maxItems: replayDifferencesAtMost },
    ),
    differenceCount: whole('How many differences there are in all.'),
  },
);
export type ReplayedRequest = Static<typeof ReplayedRequest>;
