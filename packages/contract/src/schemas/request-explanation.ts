import type { Static } from 'typebox';
import { remedies, requestChecks, tokenProblems, velocityDimensions } from './back-office-terms.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  epoch,
  flag,
  list,
  orNull,
  text,
  uuid,
  whole,
} from './field.ts';

export const ExplainedToken = answer('The token or session of a request.', {
  kind: choice('What the request was sent with.', ['TOKEN', 'SESSION', 'NONE']),
  clientId: orNull(text('The client that the token was issued to, if its signature is right.')),
  problem: orNull(choice('Why it was refused.', tokenProblems)),
  issuedAt: orNull(dateTime('When it was issued, by the clock of the environment.')),
  expiresAt: orNull(dateTime('When it expires, by the clock of the environment.')),
});
export type ExplainedToken = Static<typeof ExplainedToken>;

export const ExplainedGrant = answer('A right that the sender had.', {
  place: choice('Where it applies.', ['platform', 'group', 'restaurant', 'partner']),
  guid: orNull(uuid('That group, restaurant, or partner; null for the platform.')),
  holdsScope: flag('Whether it has the scope that the operation needs.'),
});
export type ExplainedGrant = Static<typeof ExplainedGrant>;

export const ExplainedCaller = answer('Who sent a request.', {
  type: choice('The kind of sender.', ['PARTNER', 'CUSTOMER', 'BACK_OFFICE', 'PERSON']),
  name: orNull(text('The name of the client; null for a person.')),
  scopes: list(text('A scope.'), 'The scopes of the client at that time. Empty for a person.'),
  grants: list(ExplainedGrant, 'Where the sender had rights: the first 20.', { maxItems: 20 }),
});
export type ExplainedCaller = Static<typeof ExplainedCaller>;

export const ExplainedBudget = answer('The rate limit that counted a request.', {
  by: choice('What the limit counts by.', ['IP_ADDRESS', 'CLIENT_AND_RESTAURANT', 'ENDPOINT']),
  remaining: whole('Requests that were left in the window.'),
  resetAt: epoch('When the window ends, in seconds since the epoch, in real time.'),
  retryAfterSeconds: orNull(whole('How long to wait; null if the request was allowed.')),
});
export type ExplainedBudget = Static<typeof ExplainedBudget>;

export const ExplainedRestaurant = answer('The restaurant that a request named.', {
  outcome: orNull(
    choice(
      'What the platform found then; null if it did not look. For readers who see only part of ' +
        'the platform, an unknown restaurant in production is OUT_OF_REACH.',
      ['REACHED', 'OUT_OF_REACH', 'UNKNOWN', 'ARCHIVED'],
    ),
  ),
  name: orNull(text('The name of the restaurant now, if the reader may know it.')),
  connectedAt: orNull(
    dateTime('When it connected to the partner of the sender, according to current data.'),
  ),
  disconnectedAt: orNull(dateTime('When that connection was removed, according to current data.')),
});
export type ExplainedRestaurant = Static<typeof ExplainedRestaurant>;

export const ExplainedStatement = answer('A statement that the database ran.', {
  text: text('The beginning of the statement, without its values.'),
  durationMs: decimal('How long it took, in milliseconds.', { minimum: 0 }),
});
export type ExplainedStatement = Static<typeof ExplainedStatement>;

export const ExplainedStatements = answer('The statements that the database ran for a request.', {
  count: whole('How many statements.'),
  totalMs: decimal('How long all of them took together, in milliseconds.', { minimum: 0 }),
  first: list(ExplainedStatement, 'The first 20 statements.', { maxItems: 20 }),
});
export type ExplainedStatements = Static<typeof ExplainedStatements>;

export const ExplainedLimit = answer('A velocity limit that refused a payment.', {
  dimension: choice('What it counts by.', velocityDimensions),
  count: whole('How many payments it allows in the window.'),
  windowMs: epoch('The length of the window in milliseconds.'),
});
export type ExplainedLimit = Static<typeof ExplainedLimit>;

export const ExplainedProcessorAnswer = answer('What the card processor answered.', {
  outcome: choice('Its answer.', ['approved', 'declined', 'notProcessed', 'notFound', 'unknown']),
  responseCode: orNull(text('The ISO 8583 response code of a decline.')),
  meaning: orNull(text('What the code means.')),
  isSent: flag('Whether the processor was asked.'),
});
export type ExplainedProcessorAnswer = Static<typeof ExplainedProcessorAnswer>;

export const ExplainedPayment = answer('How an authorization was decided.', {
  cardProblem: orNull(text('Why the card data was refused, without any value.')),
  testCard: orNull(text('What the test card of a sandbox does; null for other cards.')),
  deniedBy: orNull(text('The rule of the platform that denied the payment.')),
  limit: orNull(ExplainedLimit, 'The velocity limit that denied it.'),
  processor: orNull(ExplainedProcessorAnswer, 'Null if the processor was not asked.'),
  state: orNull(text('The state that the payment was in when the response was made.')),
});
export type ExplainedPayment = Static<typeof ExplainedPayment>;

export const ExplainedFault = answer('A value that broke a rule.', {
  field: text('The location in the request.'),
  rule: text('The rule that it broke.'),
  schemaPath: orNull(
    text('Where the OpenAPI document describes the field; null if it does not describe it.'),
  ),
});
export type ExplainedFault = Static<typeof ExplainedFault>;

export const ExplainedStep = answer('A check of a request, in words.', {
  check: choice('The check. The last, `answer`, is the response.', [
    ...requestChecks,
    'answer',
  ] as const),
  result: choice('How it ended.', ['PASSED', 'FAILED', 'SKIPPED']),
  title: text('What was checked and what was found.'),
  details: list(text('A fact.'), 'The facts behind it.'),
  advice: orNull(text('What to do about a failed check.')),
  remedy: orNull(
    choice(
      'The part of the advice that needs rights on this platform, in a form that programs can read: ' +
        'give the client a scope, connect the restaurant to the partner, or remove a fault rule.',
      remedies,
    ),
  ),
});
export type ExplainedStep = Static<typeof ExplainedStep>;

export const RequestExplanation = answer(
  'How the platform arrived at a response, check by check.',
  {
    steps: list(ExplainedStep, 'The checks, in their order.'),
    rule: orNull(text('The rule in the documentation that decided a refusal, for example PAY-10.')),
    answeredFrom: choice('Where the response came from.', ['HANDLER', 'MEMORY']),
    isRepeat: flag('Whether the request repeated an earlier one and had no further effect.'),
    clockMovedMs: epoch(
      'How far the clock of the environment was ahead of real time, in milliseconds. Negative if it ' +
        'was behind.',
      { minimum: Number.MIN_SAFE_INTEGER },
    ),
    token: ExplainedToken,
    caller: orNull(ExplainedCaller, 'Null if nobody was recognized.'),
    budget: orNull(ExplainedBudget, 'Null if no limit counted the request.'),
    restaurant: orNull(ExplainedRestaurant, 'Null if the request named none.'),
    faults: list(ExplainedFault, 'The first 20 values that broke a rule.', { maxItems: 20 }),
    payment: orNull(
      ExplainedPayment,
      'Null for other requests, and for readers who may not see it.',
    ),
    statements: orNull(ExplainedStatements, 'Null for responses from memory.'),
  },
);
export type RequestExplanation = Static<typeof RequestExplanation>;
