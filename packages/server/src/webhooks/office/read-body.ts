import { partnerEventTypes } from '@servery/contract';
import {
  readFutureInstant,
  readKnownFields,
  readNeededWords,
  readOptionalWords,
} from '../../http/body-fields.ts';
import type { Fields } from '../../http/fields.ts';
import type { EndpointSettings } from '../endpoints/endpoint-store.ts';
import type { EndpointDraft, NextSecretDraft } from '../endpoints/endpoints.ts';
import type { SecretDraft } from '../endpoints/secrets.ts';
import type { PartnerEventType } from '../events/event-types.ts';

const DESCRIPTION_LENGTH = 1_000;
const LABEL_LENGTH = 100;
const REASON_LENGTH = 500;
const URL_LENGTH = 2_000;
const RETRIES_AT_MOST = 20;
const RETRY_AFTER_AT_MOST_S = 86_400;
const TIMEOUT_AT_LEAST_MS = 100;
const CONNECT_TIMEOUT_AT_MOST_MS = 10_000;
const ANSWER_TIMEOUT_AT_MOST_MS = 30_000;

/** Reads the body that makes an endpoint. Throws what `readKnownFields` throws. */
export function readNewEndpoint(body: unknown, nowMs: number): EndpointDraft {
  return readKnownFields(body, (fields) => {
    const clientId = fields.text('clientId');
    const url = readUrl(fields);
    const secret = readSecret(fields.optionalObject('secret'), nowMs);
    return { clientId, url, secret, ...readSettings(fields) };
  });
}

/** Reads the body that edits an endpoint: what is left out stays. */
export function readEndpointEdit(body: unknown): Partial<EndpointSettings> {
  return readKnownFields(body, (fields) => ({
    ...(fields.lacks('url') ? {} : { url: readUrl(fields) }),
    ...readSettings(fields),
  }));
}

/** Reads the body that says why something ends. Throws what `readKnownFields` throws. */
export function readReason(body: unknown): string {
  return readKnownFields(body, (fields) => readNeededWords(fields, 'reason', REASON_LENGTH));
}

/** Reads the body that adds a secret. Throws what `readKnownFields` throws. */
export function readNextSecret(body: unknown, nowMs: number): NextSecretDraft {
  return readKnownFields(body, (fields) => ({
    ...readSecret(fields, nowMs),
    othersExpireAtMs: readFutureInstant(fields, 'othersExpireAt', nowMs),
  }));
}

/** Reads the body that makes an event up. Throws what `readKnownFields` throws. */
export function readTestEvent(body: unknown): PartnerEventType {
  return readKnownFields(body, (fields) => fields.choice('eventType', partnerEventTypes));
}

function readUrl(fields: Fields): string {
  return fields.text('url', (text) =>
    text.length >= 1 && text.length <= URL_LENGTH && !text.includes('\0')
      ? null
      : `must have 1 to ${URL_LENGTH} characters`,
  );
}

function readSettings(fields: Fields): Partial<Omit<EndpointSettings, 'url'>> {
  const description = readOptionalWords(fields, 'description', DESCRIPTION_LENGTH);
  const eventTypes = readEventTypes(fields);
  const timeout = (name: string, atMostMs: number) =>
    fields.lacks(name) ? undefined : readTimeout(fields, name, atMostMs);
  const settings = {
    description,
    eventTypes,
    connectTimeoutMs: timeout('connectTimeoutMs', CONNECT_TIMEOUT_AT_MOST_MS),
    answerTimeoutMs: timeout('answerTimeoutMs', ANSWER_TIMEOUT_AT_MOST_MS),
    retryDelaysS: fields.lacks('retryDelaysSeconds')
      ? undefined
      : fields.counts('retryDelaysSeconds', RETRIES_AT_MOST, RETRY_AFTER_AT_MOST_S),
    isOrdered: fields.lacks('isOrdered') ? undefined : fields.flag('isOrdered'),
  };
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** In the order of the contract and each once; null for all, undefined where it is left out. */
function readEventTypes(fields: Fields): readonly PartnerEventType[] | null | undefined {
  if (fields.lacks('eventTypes')) return undefined;
  if (fields.isNull('eventTypes')) return null;
  const given = fields.texts('eventTypes', partnerEventTypes.length);
  const known: readonly string[] = partnerEventTypes;
  if (given.length === 0 || given.some((type) => !known.includes(type))) {
    fields.fault('eventTypes', `must be null or hold some of ${partnerEventTypes.join(', ')}`);
  }
  return partnerEventTypes.filter((type) => given.includes(type));
}

function readTimeout(fields: Fields, name: string, atMostMs: number): number {
  const value = fields.number(name) ?? TIMEOUT_AT_LEAST_MS;
  const isSound = Number.isInteger(value) && value >= TIMEOUT_AT_LEAST_MS && value <= atMostMs;
  if (!isSound) {
    fields.fault(name, `must be whole milliseconds from ${TIMEOUT_AT_LEAST_MS} to ${atMostMs}`);
  }
  return value;
}

function readSecret(fields: Fields | null, nowMs: number): SecretDraft {
  if (!fields) return { label: null, expiresAtMs: null };
  return {
    label: readOptionalWords(fields, 'label', LABEL_LENGTH) ?? null,
    expiresAtMs: readFutureInstant(fields, 'expiresAt', nowMs),
  };
}
