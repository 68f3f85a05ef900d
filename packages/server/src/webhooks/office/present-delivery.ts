import type { WebhookAttempt, WebhookDelivery } from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import type { AttemptRow, DeliveryView } from '../delivery/delivery-store.ts';

/** A delivery in wire form. */
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

/** An attempt in wire form. */
export function attemptOnWire(attempt: AttemptRow): WebhookAttempt {
  return {
    number: attempt.number,
    at: isoTimestamp(attempt.at),
    isProbe: attempt.isProbe,
    url: attempt.url,
    requestHeaders: { ...attempt.requestHeaders },
    outcome: attempt.outcome,
    status: attempt.status,
    answerBody: attempt.answer,
    isAnswerCut: attempt.isAnswerCut,
    explanation: attempt.explanation,
    durationMs: attempt.durationMs,
    nextAt: textOf(attempt.nextAt),
  };
}

function textOf(instant: Date | null): string | null {
  return instant && isoTimestamp(instant);
}
