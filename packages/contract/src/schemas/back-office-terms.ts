export const backOfficePageSizeByDefault = 100;
export const backOfficePageSizeAtMost = 200;

/** Includes archived objects. Examining this many takes seconds, while others wait. */
export const configurationObjectsAtMost = 50_000;

export const publishedChangesAtMost = 1_000;

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
] as const;

export const auditBreakKinds = [
  'CHANGED',
  'REMOVED',
  'INSERTED',
  'REORDERED',
  'FORKED',
  'UNSEALED',
] as const;

/** In the order of the checks. */
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
