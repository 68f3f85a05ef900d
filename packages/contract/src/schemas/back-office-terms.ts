export const backOfficePageSizeByDefault = 100;
export const backOfficePageSizeAtMost = 200;

/** Includes archived objects. Examining this many takes seconds, while others wait. */
export const configurationObjectsAtMost = 50_000;

/** Of one person. */
export const savedViewsAtMost = 50;

export const publishedChangesAtMost = 1_000;

/** What a restaurant may decide about an order. */
export const orderMoves = [
  'approve',
  'reject',
  'fire',
  'hold',
  'ready',
  'fulfil',
  'pay',
  'voidPayment',
  'voidSelection',
  'void',
] as const;

export type OrderMove = (typeof orderMoves)[number];

/** Partners see `paymentState` instead (PAY-6). */
export const paymentStates = [
  'PENDING',
  'AUTHORIZED',
  'DENIED',
  'ABORTED',
  'UNKNOWN',
  'REVERSAL_PENDING',
  'REVERSED',
  'APPLIED',
  'CAPTURE_SCHEDULED',
  'CAPTURE_PENDING',
  'CAPTURED',
  'VOID_PENDING',
  'VOIDED',
  'REVIEW',
] as const;

/** PAY-3. SHA-1 is deprecated. */
export const cardKeyAlgorithms = [
  'RSA-OAEP-SHA256',
  'RSA-OAEP-SHA1',
  'RSA-OAEP-256',
  'ECDH-ES',
] as const;

/** Explained in docs/explanation/payments.md. */
export const alarmKinds = [
  'FOUND_CAPTURED',
  'VOID_DECLINED',
  'REVERSAL_DECLINED',
  'CAPTURE_DECLINED',
  'CAPTURE_MISMATCH',
  'CAPTURE_MISSED',
  'HOLD_MISSING',
  'STRAY_HOLD',
  'UNSETTLED',
] as const;

export const subjectKinds = [
  'person',
  'session',
  'managementGroup',
  'restaurant',
  'configurationDraft',
  'publication',
  'stock',
  'partner',
  'client',
  'connection',
  'cardKey',
  'payment',
  'alarm',
  'order',
  'clock',
  'webhookEndpoint',
  'webhookDelivery',
  'sandbox',
  'fault',
  'request',
] as const;

/** Also names profiles and snapshots. `main` is the main environment, and no sandbox is called so. */
export const sandboxNamePattern = '^[a-z][a-z0-9-]{0,39}$';

/** In real time. A sandbox that is forgotten must end by itself. */
export const sandboxTtl = { shortest: 'PT1M', longest: 'P30D', byDefault: 'PT24H' } as const;

/** In the response to a replay. */
export const replayDifferencesAtMost = 100;

/** In each list of a comparison. */
export const sandboxDifferencesAtMost = 200;

export const auditBreakKinds = [
  'CHANGED',
  'REMOVED',
  'INSERTED',
  'REORDERED',
  'FORKED',
  'UNSEALED',
] as const;

/** In the order of the checks. `fault` is one that somebody ordered in a sandbox. */
export const requestChecks = [
  'token',
  'path',
  'budget',
  'kind',
  'restaurant',
  'scope',
  'fault',
  'contentType',
  'size',
  'body',
  'rules',
] as const;

/** Why a token was refused. */
export const tokenProblems = [
  'missing',
  'malformed',
  'unknownKey',
  'badSignature',
  'foreign',
  'expired',
  'revoked',
  'secretRevoked',
  'clientRevoked',
  'sessionEnded',
  'csrf',
] as const;
export type TokenProblem = (typeof tokenProblems)[number];

/** What somebody with the rights can do about a failed check. */
export const remedies = ['ADD_SCOPE', 'CONNECT', 'REMOVE_FAULT'] as const;
export type Remedy = (typeof remedies)[number];

/** Narrow to wide: an address that tries out cards must not use up a restaurant's limit. */
export const velocityDimensions = [
  'card',
  'guest',
  'address',
  'bin',
  'restaurant',
  'client',
] as const;

export const webhookEndpointStates = ['ACTIVE', 'PAUSED', 'DISABLED', 'ARCHIVED'] as const;

export const webhookPauseReasons = ['PERSON', 'FAILURES', 'GONE', 'BLOCKED', 'SECRET'] as const;

export const webhookDeliveryStates = ['QUEUED', 'DELIVERED', 'DEAD', 'DROPPED'] as const;

/** Explained in docs/reference/webhooks.md. */
export const webhookOutcomes = [
  'DELIVERED',
  'STATUS',
  'REDIRECT',
  'CONNECT_TIMEOUT',
  'ANSWER_TIMEOUT',
  'REFUSED',
  'RESET',
  'UNREACHABLE',
  'TLS',
  'NOT_HTTP',
  'BLOCKED_TARGET',
] as const;

/** The statuses of errors that a sandbox can be told to answer with. 429 is `tooManyRequests`. */
export const faultStatuses = [400, 401, 403, 404, 409, 413, 415, 422, 500, 503] as const;

/** The calls to the card processor. */
export const processorCalls = ['authorize', 'inquire', 'capture', 'void'] as const;

export const faultPhases = ['before', 'after', 'paging', 'webhooks', 'processor'] as const;

export type FaultPhase = (typeof faultPhases)[number];

export type FaultParameter =
  | 'status'
  | 'retryAfterSeconds'
  | 'duration'
  | 'code'
  | 'amount'
  | 'inquiries'
  | 'call';

export interface FaultKindDescription {
  readonly phase: FaultPhase;
  readonly does: string;
  /** At most one, so that a header can hold a fault: `latency=PT2S`. */
  readonly parameter?: FaultParameter;
  /** Null: without the parameter, the fault is not limited to a value. */
  readonly fallback?: string | number | null;
}

/** Explained in docs/reference/faults.md. */
export const faultKinds = {
  status: {
    phase: 'before',
    does: `The response is an error with this status. Nothing is done. One of ${faultStatuses.join(', ')}.`,
    parameter: 'status',
    fallback: 503,
  },
  tooManyRequests: {
    phase: 'before',
    does: 'The response is a 429 with Retry-After. Nothing is done.',
    parameter: 'retryAfterSeconds',
    fallback: 1,
  },
  expiredToken: { phase: 'before', does: 'The token counts as expired: a 401.' },
  revokedToken: { phase: 'before', does: 'The token counts as revoked: a 401.' },
  latency: {
    phase: 'before',
    does: 'The request waits this long before it is served.',
    parameter: 'duration',
    fallback: 'PT2S',
  },
  hang: { phase: 'before', does: 'No response comes. Nothing is done.' },
  droppedConnection: { phase: 'before', does: 'The connection breaks. Nothing is done.' },
  lostAnswer: { phase: 'after', does: 'The request is served, and the connection breaks.' },
  truncatedAnswer: {
    phase: 'after',
    does: 'The request is served. The connection breaks in the middle of the body.',
  },
  slowBody: {
    phase: 'after',
    does: 'The request is served. Its body takes this long to arrive.',
    parameter: 'duration',
    fallback: 'PT5S',
  },
  duplicatedRequest: {
    phase: 'after',
    does: 'The platform serves the request twice. You get the second response.',
  },
  publicationBetweenPages: {
    phase: 'paging',
    does: 'The restaurant publishes just before a later page is read: a 409.',
  },
  unknownValues: {
    phase: 'paging',
    does: 'An object of the page has an unknown field, and an unknown value in a list of choices.',
  },
  duplicateEvent: { phase: 'webhooks', does: 'The same event is sent twice.' },
  shuffledEvents: {
    phase: 'webhooks',
    does: 'The event waits up to this long, so that later ones overtake it.',
    parameter: 'duration',
    fallback: 'PT10S',
  },
  delayedEvent: {
    phase: 'webhooks',
    does: 'The event is sent this much later.',
    parameter: 'duration',
    fallback: 'PT1M',
  },
  wrongSignature: { phase: 'webhooks', does: 'The signature of the event is wrong.' },
  lostEvent: {
    phase: 'webhooks',
    does: 'The event is not sent. The next attempt of its retry schedule sends it.',
  },
  decline: {
    phase: 'processor',
    does: 'The processor declines the authorization with this response code.',
    parameter: 'code',
    fallback: '05',
  },
  processorSilent: {
    phase: 'processor',
    does: 'The processor does what it is asked to, but does not respond.',
    parameter: 'call',
    fallback: null,
  },
  lateApproval: {
    phase: 'processor',
    does: 'The response to the authorization is lost, and this many inquiries find nothing.',
    parameter: 'inquiries',
    fallback: 1,
  },
  otherAmount: {
    phase: 'processor',
    does: 'The processor approves this amount. Default: the requested amount plus one minor unit.',
    parameter: 'amount',
    fallback: null,
  },
  captureRefused: {
    phase: 'processor',
    does: 'The processor refuses the capture with this response code.',
    parameter: 'code',
    fallback: '51',
  },
  processorUnreachable: {
    phase: 'processor',
    does: 'The call does not reach the processor.',
    parameter: 'call',
    fallback: null,
  },
} as const satisfies Readonly<Record<string, FaultKindDescription>>;

export type FaultKind = keyof typeof faultKinds;

export const faultKindNames = Object.keys(faultKinds) as [FaultKind, ...FaultKind[]];

export const faultProfiles = ['perfect', 'like-production', 'bad-friday'] as const;

export type FaultProfile = (typeof faultProfiles)[number];
