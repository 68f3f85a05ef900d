import { type EventType, eventKinds } from '@servery/contract';
import { standardHeaderNames, webhookHeaderNames } from '@servery/webhooks';
import { LEFT_OUT } from '../../text/clean-text.ts';

export interface SentAttempt {
  readonly eventGuid: string;
  readonly eventType: EventType;
  readonly isReplay: boolean;
  readonly isTest: boolean;
  readonly number: number;
  readonly sentAt: Date;
}

/** `signed` are the headers that `signatureHeaders` makes. */
export function requestHeaders(
  brand: string,
  { eventType, isReplay, isTest, number }: Omit<SentAttempt, 'eventGuid' | 'sentAt'>,
  signed: Readonly<Record<string, string>>,
): Record<string, string> {
  const names = webhookHeaderNames(brand);
  return {
    'content-type': 'application/json',
    'user-agent': `${brand}-Webhooks`,
    [names.eventType]: eventType,
    [names.eventCategory]: eventKinds[eventType].category,
    [names.attemptNumber]: String(number),
    ...signed,
    ...(isReplay ? { [names.replay]: 'true' } : {}),
    ...(isTest ? { [names.test]: 'true' } : {}),
  };
}

/**
 * As a person sees them: with a signature, any reader of an attempt could send it again in the
 * platform's name.
 */
export function maskedHeaders(brand: string, attempt: SentAttempt): Record<string, string> {
  return requestHeaders(brand, attempt, {
    [webhookHeaderNames(brand).signature]: LEFT_OUT,
    [standardHeaderNames.id]: attempt.eventGuid,
    [standardHeaderNames.timestamp]: String(secondsOf(attempt.sentAt)),
    [standardHeaderNames.signature]: LEFT_OUT,
  });
}

export function secondsOf(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
