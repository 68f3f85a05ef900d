import type { Static } from 'typebox';
import { requestChecks } from './back-office-terms.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  flag,
  list,
  orNull,
  text,
  uuid,
  whole,
} from './field.ts';
import { pageOf } from './page.ts';
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
    'The first check that failed, in the order of the checks. `rules` are the rules of ' +
      'the operation itself.',
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
  restaurantGuid: orNull(uuid('The restaurant that the request names, within reach or not.')),
  remoteAddress: text('The address that the request came from.'),
  refusal: orNull(LoggedRefusal, 'Null if the request was not refused.'),
};

export const LoggedRequest = answer('A request, with its outcome.', summary);
export type LoggedRequest = Static<typeof LoggedRequest>;

export const LoggedRequestPage = answer(
  'One page of requests.',
  pageOf(LoggedRequest, 'The requests, the newest first.'),
);
export type LoggedRequestPage = Static<typeof LoggedRequestPage>;

export const LoggedRequestDetails = answer('A request with its headers and bodies.', {
  ...summary,
  query: texts('The query parameters.'),
  requestHeaders: texts('The headers of the request that may be stored.'),
  requestBody: orNull(text('The body of the request; null if it had none.')),
  answerHeaders: texts('The headers of the response that may be stored.'),
  answerBody: orNull(text('The body of the response; null if it had none.')),
});
export type LoggedRequestDetails = Static<typeof LoggedRequestDetails>;
