import type { WebhookDelivery } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { DeliveryView } from '../delivery/delivery-store.ts';

export function deliveryOnWire(delivery: DeliveryView): WebhookDelivery {
  const { state, dropReason, lastExplanation } = delivery;
  return {
    guid: delivery.guid,
    endpointGuid: delivery.endpointGuid,
    partnerGuid: delivery.partnerGuid,
    eventGuid: delivery.eventGuid,
    eventPosition: delivery.position,
    eventType: delivery.eventType,
    eventAt: isoTimestamp(delivery.eventAt),
    state,
    isReplay: delivery.kind === 'REPLAY',
    isTest: delivery.kind === 'TEST',
    attemptCount: delivery.attempts,
    queuedAt: isoTimestamp(delivery.queuedAt),
    dueAt: textOf(delivery.dueAt),
    settledAt: textOf(delivery.finishedAt),
    isReplayed: delivery.replayedBy !== null,
    lastOutcome: delivery.lastOutcome,
    lastStatus: delivery.lastStatus,
    reason: state === 'DROPPED' ? dropReason : state === 'DEAD' ? lastExplanation : null,
  };
}

function textOf(instant: Date | null): string | null {
  return instant && isoTimestamp(instant);
}
