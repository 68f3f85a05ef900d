import {
  type ExplainedFault,
  type ExplainedProcessorAnswer,
  type ExplainedRestaurant,
  type ExplainedStep,
  type LoggedRequest,
  type Operation,
  operations,
  type RequestExplanation,
  requestChecks,
  type TokenProblem,
} from '@servery/contract';
import type { NamedRestaurant } from './explain-store.ts';
import type { RequestFacts } from './request-facts.ts';
import { schemaPathOf } from './schema-path.ts';

export interface ExplainedRequest extends LoggedRequest {
  readonly facts: RequestFacts;
}

export interface Explaining {
  /** The restaurant that the request named, as it is now. */
  readonly restaurant: NamedRestaurant | null;
  /**
   * False for readers of a part of the platform in production. They must not learn whether a
   * restaurant exists (API-4), nor why a payment was denied (PAY-5).
   */
  readonly tellsAll: boolean;
}

type Check = ExplainedStep['check'];
type Said = Pick<ExplainedStep, 'title'> &
  Partial<Pick<ExplainedStep, 'details' | 'advice' | 'remedy'>>;

interface Case extends Omit<RequestExplanation, 'steps'> {
  readonly request: ExplainedRequest;
  readonly operation: Operation | null;
}

/** Makes sentences of what the log knows of a request. */
export function explain(request: ExplainedRequest, how: Explaining): RequestExplanation {
  const { facts, at, realAt, refusal } = request;
  const { tellsAll } = how;
  const operation = operations.find(({ id }) => id === request.operation) ?? null;
  const { restaurant: _outcome, ...kept } = facts;
  const faults = tellsAll ? faultsOf(operation, refusal) : [];
  const explanation = {
    ...kept,
    rule: ruleOf(request, operation, tellsAll),
    clockMovedMs: Date.parse(at) - Date.parse(realAt),
    restaurant: restaurantOf(request, how),
    faults,
    payment: tellsAll ? kept.payment : null,
    // How many there were tells how far a payment came.
    statements: tellsAll ? kept.statements : null,
  };
  return { steps: stepsOf({ ...explanation, request, operation }), ...explanation };
}

function faultsOf(
  operation: Operation | null,
  refusal: LoggedRequest['refusal'],
): ExplainedFault[] {
  return (refusal?.faults ?? []).map(({ field, rule }) => ({
    ...{ field, rule },
    schemaPath: schemaPathOf(operation, field),
  }));
}

function restaurantOf(
  { facts, restaurantGuid }: ExplainedRequest,
  { restaurant, tellsAll }: Explaining,
): ExplainedRestaurant | null {
  if (restaurantGuid === null) return null;
  const { restaurant: outcome } = facts;
  const isKnown = tellsAll || outcome === 'REACHED' || outcome === 'ARCHIVED';
  if (!isKnown) {
    const hidden = outcome === 'UNKNOWN' ? 'OUT_OF_REACH' : outcome;
    return { outcome: hidden, name: null, connectedAt: null, disconnectedAt: null };
  }
  return {
    outcome,
    name: restaurant?.name ?? null,
    connectedAt: restaurant?.connectedAt?.toISOString() ?? null,
    disconnectedAt: restaurant?.disconnectedAt?.toISOString() ?? null,
  };
}

const rulesOfChecks: Readonly<Partial<Record<Check, string>>> = {
  token: 'AUTH-5',
  path: 'API-5',
  budget: 'API-7',
  kind: 'AUTH-7',
  restaurant: 'API-6',
  scope: 'API-4',
  contentType: 'API-5',
  size: 'API-12',
  body: 'API-9',
};

function ruleOf(
  request: ExplainedRequest,
  operation: Operation | null,
  tellsAll: boolean,
): string | null {
  const { facts, refusal } = request;
  if (!tellsAll && operation?.interface === 'creditCards') return null;
  if (refusal?.check === 'fault') return null;
  if (facts.rule !== null) return facts.rule;
  if (refusal?.check === 'restaurant' && facts.restaurant !== null) return 'AUTH-7';
  if (refusal) return rulesOfChecks[refusal.check] ?? null;
  const { payment } = facts;
  if (payment?.state !== 'DENIED') return null;
  return payment.deniedBy !== null && payment.limit === null ? 'PAY-10' : 'PAY-5';
}

function stepsOf(one: Case): ExplainedStep[] {
  const { request, operation } = one;
  const failed = request.refusal?.check ?? null;
  const isRead = operation !== null && operation.requestBody === null;
  const bodyChecks: readonly Check[] = ['contentType', 'size', 'body'];
  const shown = requestChecks.filter(
    (check) =>
      (!isRead || !bodyChecks.includes(check)) && (check !== 'fault' || failed === 'fault'),
  );
  let hasFailed = false;
  const steps = shown.map((check): ExplainedStep => {
    if (hasFailed) return step(check, 'SKIPPED', { title: `${titles[check]}: not checked` });
    if (check === failed) {
      hasFailed = true;
      return step(check, 'FAILED', failures[check](one, request.refusal?.message ?? ''));
    }
    const denied = check === 'rules' ? denialOf(one) : null;
    if (denied) return step(check, 'FAILED', denied);
    return step(check, ...passed(check, one));
  });
  const isFailed = steps.some(({ result }) => result === 'FAILED');
  return [...steps, step('answer', isFailed ? 'FAILED' : 'PASSED', answerOf(one))];
}

const step = (
  check: Check,
  result: ExplainedStep['result'],
  { title, details = [], advice = null, remedy = null }: Said,
): ExplainedStep => ({ check, result, title, details, advice, remedy });

const titles = {
  token: 'Token',
  path: 'Path',
  budget: 'Rate limit',
  kind: 'Kind of caller',
  restaurant: 'Restaurant',
  scope: 'Scope',
  fault: 'Injected fault',
  contentType: 'Content type',
  size: 'Size',
  body: 'Body',
  rules: 'Rules',
} as const;

type Passed = [result: 'PASSED' | 'SKIPPED', said: Said];

function passed(check: (typeof requestChecks)[number], one: Case): Passed {
  const { operation, caller, budget, request } = one;
  const title = titles[check];
  const isOpen = operation?.security === 'none';
  switch (check) {
    case 'token':
      return isOpen ? ['SKIPPED', { title: `${title}: none needed` }] : ['PASSED', tokenSaid(one)];
    case 'path':
      return ['PASSED', { title: `${title}: ${request.method} is ${request.operation}` }];
    case 'budget':
      if (!budget) return ['SKIPPED', { title: `${title}: no limit counts this request` }];
      return [
        'PASSED',
        { title: `${title}: ${budget.remaining} left`, details: [countedBy(budget)] },
      ];
    case 'kind':
      if (!caller) return ['SKIPPED', { title: `${title}: anybody may call this` }];
      return ['PASSED', { title: `${title}: ${callerText(one)}` }];
    case 'restaurant':
      return restaurantSaid(one);
    case 'scope':
      if (!operation?.scope) return ['SKIPPED', { title: `${title}: none needed` }];
      return [
        'PASSED',
        { title: `${title}: ${operation.scope} is held`, details: [grantsText(one)] },
      ];
    case 'fault':
    case 'contentType':
    case 'size':
    case 'body':
      return ['PASSED', { title: `${title}: right` }];
    case 'rules':
      return ['PASSED', { title: `${title}: kept`, details: paymentDetails(one) }];
  }
}

type Failure = (one: Case, message: string) => Said;

const failures: Readonly<Record<(typeof requestChecks)[number], Failure>> = {
  token: ({ token, request }, message) => {
    if (token.problem === null) return { title: `Token: ${message}` };
    const { title, advice } = tokenProblemTexts[token.problem];
    const details = [
      // It says where to log in.
      ...(token.problem === 'foreign' ? [message] : []),
      ...(token.clientId === null ? [] : [`It was issued to the client ${token.clientId}.`]),
      ...(token.issuedAt === null ? [] : [`It was issued at ${token.issuedAt}.`]),
      ...(token.expiresAt === null ? [] : [`It expires at ${token.expiresAt}.`]),
      ...(token.expiresAt === null ? [] : [`The request arrived at ${request.at}.`]),
    ];
    return { title: `Token: ${title}`, details, advice };
  },
  path: ({ request }, message) => ({
    title: `Path: no operation has ${request.method} and this path`,
    details: [message],
    advice: 'Compare the method and the path with the OpenAPI document.',
  }),
  budget: ({ budget }, message) => ({
    title: 'Rate limit: used up',
    details: budget ? [countedBy(budget)] : [message],
    advice: budget
      ? `Wait ${counted(budget.retryAfterSeconds ?? 1, 'second')}, as Retry-After says. Spread your requests.`
      : null,
  }),
  kind: (one, message) => ({
    title: `Kind of caller: ${callerText(one)} can't call this operation`,
    advice: message,
  }),
  restaurant: restaurantFailure,
  scope: scopeFailure,
  fault: ({ request: { fault } }, message) => ({
    title:
      fault === null ? "Injected fault: the header can't be followed" : `Injected fault: ${fault}`,
    details: fault === null ? [message] : [],
    advice:
      fault === null
        ? 'Correct the header, or leave it out.'
        : 'Send the request without the header, or remove the rule.',
    remedy: fault === null ? null : 'REMOVE_FAULT',
  }),
  contentType: ({ operation }, message) => ({
    title: "Content type: the operation doesn't take it",
    details: [message],
    advice: `Send Content-Type: ${operation?.requestBody?.contentTypes.join(' or ') ?? 'none'}.`,
  }),
  size: (_one, message) => ({
    title: 'Size: the body is too large',
    details: [message],
    advice: 'Send less at once.',
  }),
  body: (_one, message) => ({
    title: "Body: it can't be read",
    details: [message],
    advice: 'Send a body in the form that the operation takes.',
  }),
  rules: (one, message) =>
    one.request.status >= 500 ? platformFailure(one, message) : rulesFailure(one, message),
};

const logInAgain = 'Log in again, and send the request with the new token.';

const tokenProblemTexts: Readonly<Record<TokenProblem, { title: string; advice: string }>> = {
  missing: {
    title: 'the request had none',
    advice: 'Log in, and send "Authorization: Bearer" with the token.',
  },
  malformed: {
    title: 'it is not a token of this platform',
    advice: 'Send "Authorization: Bearer" and the accessToken of a login, unchanged.',
  },
  unknownKey: { title: 'it was signed with an unknown key', advice: logInAgain },
  badSignature: {
    title: 'it was changed after it was signed',
    advice: 'Send the accessToken of a login, unchanged.',
  },
  foreign: {
    title: 'it belongs to another environment, or is from before this one was restored',
    advice: 'Log in at that address, and send the request with the new token.',
  },
  expired: { title: 'it has expired', advice: logInAgain },
  revoked: { title: 'it was revoked', advice: logInAgain },
  secretRevoked: {
    title: 'the secret behind it was revoked',
    advice: 'Log in with another secret of the client.',
  },
  clientRevoked: {
    title: 'its client was revoked',
    advice: 'Ask an operator for another client.',
  },
  sessionEnded: { title: 'the session has ended', advice: 'Log in again.' },
  csrf: {
    title: 'the session is valid, but its CSRF token is missing or wrong',
    advice: 'Send the csrfToken of the session in X-CSRF-Token with every change.',
  },
};

function tokenSaid({ token }: Case): Said {
  if (token.kind === 'SESSION') return { title: 'Token: the session of a person' };
  return {
    title: `Token: valid until ${token.expiresAt}`,
    details: [`Issued at ${token.issuedAt}.`],
  };
}

function callerText({ caller, request }: Case): string {
  if (!caller) return 'an unknown caller';
  return caller.type === 'PERSON'
    ? `the person ${request.personGuid}`
    : `the ${caller.type} client "${caller.name}"`;
}

function countedBy({ by, resetAt }: NonNullable<Case['budget']>): string {
  const what = {
    IP_ADDRESS: 'the IP address',
    CLIENT_AND_RESTAURANT: 'the client and the restaurant',
    ENDPOINT: 'the operation, the client, and the restaurant',
  }[by];
  return `The limit is for ${what}. It starts again at ${new Date(resetAt * 1_000).toISOString()}.`;
}

const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

function restaurantSaid(one: Case): Passed {
  const { operation, restaurant, request } = one;
  if (!operation || operation.restaurant === 'none') {
    return ['SKIPPED', { title: 'Restaurant: the operation needs none' }];
  }
  if (!restaurant) return ['PASSED', { title: 'Restaurant: found by the order' }];
  const name = restaurant.name ?? request.restaurantGuid;
  return [
    'PASSED',
    { title: `Restaurant: the caller has access to ${name}`, details: connectionOf(one) },
  ];
}

function connectionOf({ restaurant, request: { restaurantGuid }, caller }: Case): string[] {
  const { connectedAt = null, disconnectedAt = null } = restaurant ?? {};
  const named = restaurant?.name ? [`Its GUID is ${restaurantGuid}.`] : [];
  if (caller?.type !== 'PARTNER') return named;
  if (connectedAt === null) return [...named, 'It has never been connected to this partner.'];
  return [
    ...named,
    disconnectedAt === null
      ? `It has been connected to this partner since ${connectedAt}.`
      : `Its connection to this partner was removed at ${disconnectedAt}.`,
  ];
}

function restaurantFailure(one: Case, message: string): Said {
  const { restaurant, request, caller } = one;
  const { restaurantGuid } = request;
  const name = restaurant?.name ?? restaurantGuid;
  switch (restaurant?.outcome) {
    case 'UNKNOWN':
      return {
        title: 'Restaurant: no restaurant has this GUID',
        details: [`The request named ${restaurantGuid}.`],
        advice: 'Compare the GUID with the list of your restaurants.',
      };
    case 'OUT_OF_REACH': {
      const isPartner = caller?.type === 'PARTNER';
      return {
        title: isPartner
          ? `Restaurant: ${name} is not connected to this partner`
          : `Restaurant: the caller has no access to ${name}`,
        details: [...(restaurant.name === null ? [] : connectionOf(one)), ...grantsTexts(one)],
        advice: isPartner
          ? 'Check the GUID. Or ask the restaurant to connect.'
          : 'Check the GUID. Or ask an administrator of that restaurant for access.',
        remedy: isPartner ? 'CONNECT' : null,
      };
    }
    case 'ARCHIVED':
      return {
        title: `Restaurant: ${name} is archived`,
        details: connectionOf(one),
        advice: 'Skip it: you can do nothing at an archived restaurant.',
      };
    default:
      return { title: 'Restaurant: the request does not name a valid one', advice: message };
  }
}

function scopeFailure(one: Case, message: string): Said {
  const { operation, caller } = one;
  const isMissing = !(caller?.grants ?? []).some(({ holdsScope }) => holdsScope);
  if (!isMissing) {
    return {
      title: 'Scope: held, but not where it is needed',
      details: grantsTexts(one),
      advice: message,
    };
  }
  const isPerson = caller?.type === 'PERSON';
  const held = caller?.scopes.length ? caller.scopes.join(', ') : 'none';
  return {
    title: `Scope: ${operation?.scope} is missing`,
    details: isPerson ? grantsTexts(one) : [`The client has: ${held}.`],
    advice: isPerson
      ? 'Ask an administrator for a role that has the scope.'
      : 'Add the scope to the account.',
    remedy: isPerson ? null : 'ADD_SCOPE',
  };
}

const grantsText = (one: Case) => grantsTexts(one).join(' ');

/** Where the caller has rights, and why. */
function grantsTexts({ caller, operation }: Case): string[] {
  if (!caller) return [];
  const isPerson = caller.type === 'PERSON';
  return caller.grants.map(({ place, guid, holdsScope }) => {
    const without = operation?.scope && !holdsScope ? `, without ${operation.scope}` : '';
    const where = guid === null ? '' : `the ${placeNames[place]} ${guid}`;
    if (isPerson) return `A role of the person is for ${where || 'the whole platform'}${without}.`;
    return where === ''
      ? `The client belongs to no group, so it reaches the whole platform${without}.`
      : `The client belongs to ${where}${without}.`;
  });
}

const placeNames = {
  platform: 'platform',
  group: 'management group',
  restaurant: 'restaurant',
  partner: 'partner',
} as const;

function rulesFailure(one: Case, message: string): Said {
  const { faults, payment, rule } = one;
  const places = faults.map(({ field, rule: broken, schemaPath }) => {
    const told = message.includes(broken) ? field : `${field} ${broken}`;
    return `${told}${schemaPath === null ? '' : `: see ${schemaPath}`}.`;
  });
  const problem = payment?.cardProblem ?? null;
  const title = problem === null ? message : 'the card data was refused';
  return {
    title: `Rules: ${title}`,
    details: [...(problem === null ? places : [`${problem}.`]), ...paymentDetails(one)],
    advice: adviceByRule[rule ?? ''] ?? 'Correct the problems above, then send the request again.',
  };
}

/** The request itself is right, so nothing in it must be corrected. */
function platformFailure(one: Case, message: string): Said {
  const { operation, payment } = one;
  const isPayment = operation?.id === 'creditCards.authorize';
  const wait = 'Wait for Retry-After if the response has it.';
  return {
    title: payment?.processor
      ? 'Processor: it did not process the payment'
      : 'Platform: it could not do what was asked',
    details: [message, ...paymentDetails(one)],
    advice: isPayment
      ? `${wait} Then repeat the PUT with the same paymentUuid and content: no card is charged twice.`
      : `${wait} Then send the request again. If it fails again, report the request ID.`,
  };
}

const adviceByRule: Readonly<Record<string, string>> = {
  'CFG-9': 'Start again at the first page, without pageToken.',
  'ORD-51': 'Ask for the stock, and order only what is left.',
  'ORD-52': 'Get the order that has the externalId, or send another externalId.',
  'PAY-7': 'Read the payment. For a new payment, generate a new paymentUuid.',
};

/** Null unless a payment was denied, which is a success of the request. */
function denialOf(one: Case): Said | null {
  const { payment } = one;
  if (payment?.state !== 'DENIED' || one.isRepeat) return null;
  const { limit, deniedBy, processor } = payment;
  const details = paymentDetails(one);
  if (limit) {
    const every = durationText(limit.windowMs);
    return {
      title: `Payment: denied by the velocity limit per ${limit.dimension}`,
      details: [`The limit of ${limit.count} in ${every} is used up.`, ...details],
      advice:
        `Wait up to ${every}, or ask an operator to change the setting ` +
        `SERVERY_VELOCITY_PER_${limit.dimension.toUpperCase()}. ` +
        'The guest is told nothing about limits.',
    };
  }
  if (deniedBy !== null) {
    return {
      title: `Payment: denied by a rule of the platform: ${deniedBy}`,
      details,
      advice: 'Send the identifier of a real guest.',
    };
  }
  return {
    title: 'Payment: declined by the card issuer',
    details,
    advice: processor
      ? 'Ask the guest for another card. The request itself is right.'
      : 'Read the payment for its history.',
  };
}

function paymentDetails({ payment }: Case): string[] {
  if (!payment) return [];
  const { testCard, processor, state, deniedBy } = payment;
  return [
    ...(testCard === null ? [] : [`The test card: ${testCard}.`]),
    ...(processor ? [processorText(processor)] : []),
    ...(deniedBy !== null && !processor ? ['The processor was not asked.'] : []),
    ...(state === null ? [] : [`The payment is ${state}.`]),
  ];
}

function processorText(answer: ExplainedProcessorAnswer): string {
  const { outcome, responseCode, meaning, isSent } = answer;
  if (!isSent) return 'The payment did not reach the processor.';
  switch (outcome) {
    case 'unknown':
      return 'The processor gave no usable answer. The outcome is unknown until it is asked again.';
    case 'notProcessed':
      return 'The processor answered that it did nothing.';
    default: {
      const code = responseCode === null ? '' : ` with code ${responseCode}: ${meaning}`;
      return `The processor answered "${outcome}"${code}.`;
    }
  }
}

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
];

/** In the largest unit that divides it. */
function durationText(ms: number): string {
  const [unit, name] = UNITS.find(([length]) => ms % length === 0) ?? [1, 'millisecond'];
  return counted(ms / unit, name);
}

function answerOf(one: Case): Said {
  const { request, answeredFrom, isRepeat, clockMovedMs, statements, rule } = one;
  const from = answeredFrom === 'MEMORY' ? ', answered from memory' : '';
  const details = [
    ...(request.fault === null ? [] : [`An injected fault touched it: ${request.fault}.`]),
    ...(rule === null ? [] : [`The rule is ${rule} in the documentation.`]),
    ...(answeredFrom === 'MEMORY' ? ['Nothing that it depends on had changed.'] : []),
    ...(isRepeat ? ['It repeats an earlier request. Nothing was done again.'] : []),
    ...(clockMovedMs === 0 ? [] : [clockText(clockMovedMs)]),
    ...(statements
      ? [`The database ran ${counted(statements.count, 'statement')} in ${statements.totalMs} ms.`]
      : []),
  ];
  return { title: `Response: ${request.status} after ${request.durationMs} ms${from}`, details };
}

function clockText(ms: number): string {
  const length = Math.abs(ms);
  const [unit, name] = UNITS.find(([least]) => length >= least) ?? [1, 'millisecond'];
  const moved = counted(Math.round((length / unit) * 10) / 10, name);
  return `The clock was ${moved} ${ms > 0 ? 'ahead of' : 'behind'} real time.`;
}
