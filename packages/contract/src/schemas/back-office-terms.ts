/** How many rows a page of a list holds when nobody says. */
export const backOfficePageSizeByDefault = 100;
/** How many rows a page of a list holds at most. */
export const backOfficePageSizeAtMost = 200;

/**
 * How many objects of its configuration documents can give a restaurant, archived ones too: to
 * examine them takes some seconds, and others wait meanwhile.
 */
export const configurationObjectsAtMost = 50_000;

/** The states of a payment, as the back office sees them; partners see `paymentState` (PAY-6). */
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

/** How card data may be encrypted with a card key (PAY-3). SHA-1 is deprecated. */
export const cardKeyAlgorithms = [
  'RSA-OAEP-SHA256',
  'RSA-OAEP-SHA1',
  'RSA-OAEP-256',
  'ECDH-ES',
] as const;

/** What a person is alarmed about; docs/explanation/payments.md says what each means. */
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

/** What kinds of things the record of changes is about. */
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
  'clock',
  'webhookEndpoint',
  'webhookDelivery',
] as const;

/** What can be wrong with the record of changes. */
export const auditBreakKinds = [
  'CHANGED',
  'REMOVED',
  'INSERTED',
  'REORDERED',
  'FORKED',
  'UNSEALED',
] as const;

/** What is looked at of a request, in the order in which it is. */
export const requestChecks = [
  'token',
  'budget',
  'path',
  'kind',
  'restaurant',
  'scope',
  'contentType',
  'size',
  'body',
  'rules',
] as const;

/** What partners are told of their connections (PTN-7). */
export const partnerEventTypes = ['partner_added', 'partner_removed', 'partner_updated'] as const;

/** The states of an endpoint that events are sent to. */
export const webhookEndpointStates = ['ACTIVE', 'PAUSED', 'DISABLED', 'ARCHIVED'] as const;

/** Why an endpoint is paused. */
export const webhookPauseReasons = ['PERSON', 'FAILURES', 'GONE', 'BLOCKED', 'SECRET'] as const;

/** The states of an event on its way to an endpoint. */
export const webhookDeliveryStates = ['QUEUED', 'DELIVERED', 'DEAD', 'DROPPED'] as const;

/** How an attempt to deliver an event can end; docs/reference/webhooks.md says what each means. */
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
