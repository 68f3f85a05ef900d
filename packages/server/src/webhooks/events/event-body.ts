import type { PartnerAccessExternalWebhookRep } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { PartnerEventType } from './event-types.ts';

export interface EventContents {
  readonly guid: string;
  readonly type: PartnerEventType;
  readonly at: Date;
  readonly details: PartnerAccessExternalWebhookRep;
}

/**
 * PTN-7: made once, in the transaction that writes the event, because signatures cover its bytes.
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
