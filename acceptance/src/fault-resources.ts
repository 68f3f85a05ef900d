const faultKind =
  'status|tooManyRequests|expiredToken|revokedToken|latency|hang|droppedConnection|lostAnswer|' +
  'truncatedAnswer|slowBody|duplicatedRequest|publicationBetweenPages|unknownValues|' +
  'duplicateEvent|shuffledEvents|delayedEvent|wrongSignature|lostEvent|decline|processorSilent|' +
  'lateApproval|otherAmount|captureRefused|processorUnreachable';
const processorCall = 'authorize|inquire|capture|void';
const faultProfile = 'perfect|like-production|bad-friday';

/** What orders faults, in the notation of resources.ts. */
export const faultRequests = {
  FaultOrder: {
    'match?': 'FaultMatch',
    fault: 'FaultToInject',
    'times?': 'integer',
    'rate?': 'number',
    'seed?': 'integer',
  },
  FaultMatch: { 'operation?': 'string', 'client?': 'string', 'restaurant?': 'uuid' },
  FaultToInject: {
    kind: faultKind,
    'status?': 'integer',
    'retryAfterSeconds?': 'integer',
    'duration?': 'string',
    'code?': 'string',
    'amount?': 'number',
    'inquiries?': 'integer',
    'call?': processorCall,
  },
  FaultProfileChoice: { profile: faultProfile, 'seed?': 'integer' },
} as const;

/** Injected faults, in the same notation. */
export const faultResources = {
  FaultRules: { profile: `${faultProfile}?`, rules: 'FaultRule[]' },
  FaultRule: {
    guid: 'uuid',
    match: 'FaultTarget',
    phase: 'before|after|paging|webhooks|processor',
    fault: 'InjectedFault',
    times: 'integer?',
    rate: 'number?',
    seed: 'integer',
    profile: `${faultProfile}?`,
    matched: 'integer',
    injected: 'integer',
    remaining: 'integer?',
    lastMatchedAt: 'instant?',
    matchesNothing: 'boolean',
    createdAt: 'instant',
    createdBy: 'string',
  },
  FaultTarget: { operation: 'string?', client: 'string?', restaurant: 'uuid?' },
  InjectedFault: {
    kind: faultKind,
    status: 'integer?',
    retryAfterSeconds: 'integer?',
    duration: 'string?',
    code: 'string?',
    amount: 'number?',
    inquiries: 'integer?',
    call: `${processorCall}?`,
  },
} as const;
