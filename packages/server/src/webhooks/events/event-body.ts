import type { PartnerAccessExternalWebhookRep } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { PartnerEventType } from './event-types.ts';

/** What the body of an event is made of. */
export interface EventContents {
  readonly guid: string;
  readonly type: PartnerEventType;
  readonly at: Date;
  readonly details: PartnerAccessExternalWebhookRep;
}

/**
 * The body of an event (PTN-7), as JSON text. It is made once, in the transaction that writes the
 * event: signatures cover its bytes, so that nobody writes it anew.
 */
export function eventBody({ guid, type, at, details }: EventContents): string {
  return JSON.stringify({
    timestamp: isoTimestamp(at),
    eventCategory: 'partner',
    eventType: type,
    guid,
    details,
  });
}
