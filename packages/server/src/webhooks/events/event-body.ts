import { type EventType, eventKinds, type WebhookEvent } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';

export interface EventContents {
  readonly guid: string;
  readonly type: EventType;
  readonly at: Date;
  readonly details: WebhookEvent['details'];
}

/**
 * PTN-7: made once, in the transaction that writes the event, because signatures cover its bytes.
 */
export function eventBody({ guid, type, at, details }: EventContents): string {
  return JSON.stringify({
    timestamp: isoTimestamp(at),
    eventCategory: eventKinds[type].category,
    eventType: type,
    guid,
    details,
  });
}
