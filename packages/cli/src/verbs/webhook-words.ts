import type { WebhookDelivery, WebhookEndpoint } from '@servery/contract';

type PauseReason = NonNullable<WebhookEndpoint['pauseReason']>;

const PAUSES: Readonly<Record<PauseReason, string>> = {
  PERSON: 'by a person',
  FAILURES: 'after failures',
  GONE: 'since it answered 410',
  BLOCKED: 'since its name leads inside',
  SECRET: 'since no secret of it can be opened',
};

/** Who or what paused an endpoint, as it stands behind `paused`; empty for one that is not. */
export function pausedText({ pauseReason }: Pick<WebhookEndpoint, 'pauseReason'>): string {
  return pauseReason === null ? '' : PAUSES[pauseReason];
}

/** The state of an endpoint as `--state` names it, with what paused it. */
export function stateText(endpoint: Pick<WebhookEndpoint, 'state' | 'pauseReason'>): string {
  return `${endpoint.state} ${pausedText(endpoint)}`.trimEnd();
}

/** Which event a delivery carries: its type, its position, and whether it is a test or a replay. */
export function eventText({
  eventType,
  eventPosition,
  isReplay,
  isTest,
}: Pick<WebhookDelivery, 'eventType' | 'eventPosition' | 'isReplay' | 'isTest'>): string {
  const mark = isTest ? ' (test)' : isReplay ? ' (replay)' : '';
  return `${eventType}${eventPosition === null ? '' : ` ${eventPosition}`}${mark}`;
}
