import type { Static } from 'typebox';
import {
  faultKindNames,
  faultPhases,
  faultProfiles,
  faultStatuses,
  processorCalls,
} from './back-office-terms.ts';
import {
  answer,
  choice,
  dateTime,
  decimal,
  flag,
  line,
  list,
  money,
  orNull,
  request,
  text,
  uuid,
  whole,
  withDefault,
} from './field.ts';
import { Type } from './type.ts';

const kind = choice('What goes wrong.', faultKindNames);
const status = Type.Unsafe<(typeof faultStatuses)[number]>({
  type: 'integer',
  format: 'int32',
  minimum: 400,
  maximum: 599,
  description: 'For `status`: the status of the response. Default: 503.',
  enum: faultStatuses,
});
const retryAfterSeconds = whole('For `tooManyRequests`: the value of Retry-After. Default: 1.', {
  minimum: 1,
  maximum: 3_600,
});
const duration = text(
  'For `latency`, `slowBody`, `delayedEvent`, and `shuffledEvents`: an ISO 8601 duration.',
  { format: 'duration', maxLength: 64 },
);
const code = text('For `decline` and `captureRefused`: the ISO 8583 response code.', {
  pattern: '^[0-9A-Z]{2}$',
  '~must': 'be a response code: two digits or capital letters, for example 51',
});
const amount = money('For `otherAmount`: the amount that the processor approves');
const inquiries = whole('For `lateApproval`: how many inquiries find nothing. Default: 1.', {
  minimum: 1,
  maximum: 10,
});
const call = choice(
  'For `processorSilent` and `processorUnreachable`: the call that fails. Default: every call.',
  processorCalls,
);

export const InjectedFault = answer('What goes wrong. Parameters of other faults are null.', {
  kind,
  status: orNull(status),
  retryAfterSeconds: orNull(retryAfterSeconds),
  duration: orNull(duration),
  code: orNull(code),
  amount: orNull(amount),
  inquiries: orNull(inquiries),
  call: orNull(call),
});
export type InjectedFault = Static<typeof InjectedFault>;

export const FaultToInject = request(
  'What goes wrong. A fault has at most one parameter, and each parameter has a default.',
  {
    kind,
    status: Type.Optional(status),
    retryAfterSeconds: Type.Optional(retryAfterSeconds),
    duration: Type.Optional(duration),
    code: Type.Optional(code),
    amount: Type.Optional(amount),
    inquiries: Type.Optional(inquiries),
    call: Type.Optional(call),
  },
);
export type FaultToInject = Static<typeof FaultToInject>;

export const FaultTarget = answer(
  'What a rule applies to. A field that is null matches anything.',
  {
    operation: orNull(text('The operation.')),
    client: orNull(
      text('The client that sent the request, or owns the webhook endpoint or payment.'),
    ),
    restaurant: orNull(uuid('The restaurant of the request, of the event, or of the payment.')),
  },
);
export type FaultTarget = Static<typeof FaultTarget>;

export const FaultMatch = request('What the rule applies to. Each part is optional.', {
  operation: Type.Optional(
    line(
      'Only requests for this operation. Default: every operation that takes the token of a ' +
        'partner. Leave it out for faults of webhooks and of the processor.',
    ),
  ),
  client: Type.Optional(
    line('Only requests of this client, events for its endpoints, or its payments.'),
  ),
  restaurant: Type.Optional(
    uuid('Only requests for this restaurant, its events, or its payments.'),
  ),
});
export type FaultMatch = Static<typeof FaultMatch>;

const rate = decimal('The share of matches that go wrong, from 0 to 1, in a seeded sequence.', {
  minimum: 0,
  maximum: 1,
});
const seed = whole('The seed of the sequence. The same seed gives the same sequence.');

export const FaultOrder = request('What should go wrong, where, and how often.', {
  match: Type.Optional(FaultMatch),
  fault: FaultToInject,
  times: Type.Optional(
    whole(
      'How many matches go wrong. Then the rule ends. Default: 1. You cannot combine it with `rate`.',
      {
        minimum: 1,
      },
    ),
  ),
  rate: Type.Optional(rate),
  seed: withDefault(seed, 1),
});
export type FaultOrder = Static<typeof FaultOrder>;

export const FaultRule = answer('An injected fault.', {
  guid: uuid('Identifier of the rule.'),
  match: FaultTarget,
  phase: choice('When it happens. It follows from the fault.', faultPhases),
  fault: InjectedFault,
  times: orNull(whole('How many matches go wrong; null for a rule with a rate.')),
  rate: orNull(rate),
  seed,
  profile: orNull(choice('The profile that the rule belongs to.', faultProfiles)),
  matched: whole('How often something matched.'),
  injected: whole('How often the fault happened.'),
  remaining: orNull(whole('How often it will still happen; null for a rule with a rate.')),
  lastMatchedAt: orNull(dateTime('When something last matched, in real time.')),
  matchesNothing: flag('Whether it is at least a minute old in real time and has never matched.'),
  createdAt: dateTime('When it was added, in real time.'),
  createdBy: text('Who added it.'),
});
export type FaultRule = Static<typeof FaultRule>;

export const FaultRules = answer('The injected faults of the environment.', {
  profile: orNull(choice('The profile whose rules these are.', faultProfiles)),
  rules: list(FaultRule, 'In the order in which they are tried, including recently ended ones.'),
});
export type FaultRules = Static<typeof FaultRules>;

export const FaultProfileChoice = request('A profile: a mixture of faults.', {
  profile: choice('`perfect` has no faults at all.', faultProfiles),
  seed: withDefault(seed, 1),
});
export type FaultProfileChoice = Static<typeof FaultProfileChoice>;
