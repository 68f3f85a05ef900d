import type { WebhookDelivery, WebhookEndpoint } from '@servery/contract';
import { type EventType, eventKinds, eventTypes } from '@servery/contract/schemas/event-types.ts';
import { webhooks as texts } from '../../messages.ts';
import type { Option } from '../../parts/field.tsx';
import { Badge, type Tone } from '../../parts/told.tsx';

const endpointTones: Readonly<Record<WebhookEndpoint['state'], Tone>> = {
  ACTIVE: 'good',
  PAUSED: 'warn',
  DISABLED: 'bad',
  ARCHIVED: 'plain',
};

export function EndpointBadge({ state }: Pick<WebhookEndpoint, 'state'>) {
  return <Badge tone={endpointTones[state]}>{texts.states[state]}</Badge>;
}

const deliveryTones: Readonly<Record<WebhookDelivery['state'], Tone>> = {
  QUEUED: 'info',
  DELIVERED: 'good',
  DEAD: 'bad',
  DROPPED: 'plain',
};

export function DeliveryBadges({ delivery }: { readonly delivery: WebhookDelivery }) {
  const { state, isReplay, isTest, isReplayed } = delivery;
  const { deliveries } = texts;
  return (
    <span class="badges">
      <Badge tone={deliveryTones[state]}>{deliveries.states[state]}</Badge>
      {isReplay && <Badge>{deliveries.replay}</Badge>}
      {isTest && <Badge>{deliveries.test}</Badge>}
      {isReplayed && <Badge>{deliveries.replayed}</Badge>}
    </span>
  );
}

/** How the newest attempt ended; null before the first one. */
export function outcomeOf({ lastOutcome, lastStatus }: WebhookDelivery): string | null {
  if (lastOutcome === null) return null;
  const words = texts.deliveries.outcomes[lastOutcome];
  return lastStatus === null ? words : `${words} (${lastStatus})`;
}

export function titleOf(type: EventType): string {
  return eventKinds[type].title;
}

export const eventOptions = eventTypes.map((value): Option => [value, titleOf(value)]);

export function isEventType(text: string | undefined): text is EventType {
  return text !== undefined && Object.hasOwn(eventKinds, text);
}

/** The host and path alone: the scheme says little in a list. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '');
}
