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
  isPlatform: flag('Whether on the whole platform; the lists do not matter then.'),
  groupGuids: guids('In these management groups.'),
  restaurantGuids: guids('At these restaurants.'),
  partnerGuids: guids('For these partners.'),
});
export type LoggedReach = Static<typeof LoggedReach>;

export const LoggedFault = answer('A field that broke a rule.', {
  field: text('Where in the request.'),
  rule: text('The rule that it broke.'),
});
export type LoggedFault = Static<typeof LoggedFault>;

export const LoggedRefusal = answer('Why a request was refused.', {
  check: choice(
    'The first check that failed, in the order in which they are made; `rules` are those of the ' +
      'operation itself.',
    requestChecks,
  ),
  scope: orNull(text('The scope that the operation needs.')),
  reach: orNull(LoggedReach, 'Where the sender held that scope; null when nobody was recognized.'),
  message: text('What the sender was told.'),
  faults: list(
    LoggedFault,
    'The first 20 fields that broke a rule, even where production does not tell the sender. ' +
      'Only for readers of the log of the whole platform; empty for others.',
    { maxItems: 20 },
  ),
});
export type LoggedRefusal = Static<typeof LoggedRefusal>;

const summary = {
  requestId: uuid('Identifier of the request, which its answer carried.'),
  at: dateTime('When it came, by the clock of the environment.'),
  realAt: dateTime('When it really came.'),
  operation: orNull(text('The operation; null when none has the method and path.')),
  method: text('The method.'),
  path: text('The path, without its query.'),
  status: whole('The status of the answer.'),
  durationMs: decimal('How long the answer took, in milliseconds.', { minimum: 0 }),
  clientId: orNull(text('The client that sent it; null when none was recognized.')),
  personGuid: orNull(uuid('The person that sent it.')),
  restaurantGuid: orNull(uuid('The restaurant that it names, whether or not it was reached.')),
  remoteAddress: text('Where it came from.'),
  refusal: orNull(LoggedRefusal, 'Null for what was not refused.'),
};

export const LoggedRequest = answer('A request that was answered.', summary);
export type LoggedRequest = Static<typeof LoggedRequest>;

export const LoggedRequestPage = answer(
  'One page of requests.',
  pageOf(LoggedRequest, 'The requests, the newest first.'),
);
export type LoggedRequestPage = Static<typeof LoggedRequestPage>;

export const LoggedRequestDetails = answer('A request with its headers and bodies.', {
  ...summary,
  query: texts('The query parameters.'),
  requestHeaders: texts('The headers that were sent, those that may be kept.'),
  requestBody: orNull(text('The body that was sent; null when none was.')),
  answerHeaders: texts('The headers of the answer, those that may be kept.'),
  answerBody: orNull(text('The body of the answer; null when it had none.')),
});
export type LoggedRequestDetails = Static<typeof LoggedRequestDetails>;
