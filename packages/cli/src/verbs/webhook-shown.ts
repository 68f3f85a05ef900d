import type { WebhookEndpoint, WebhookSecret } from '@servery/contract';
import { SLOW_AFTER } from '@servery/server/webhooks/delivery/circuit.ts';
import { counted } from '../counted.ts';
import { ACTORS, namesOf } from './names.ts';
import { lines, type Shown } from './shown.ts';
import type { Call } from './verb.ts';
import { stateText } from './webhook-words.ts';

/** One endpoint in words, with what is not set too: that all events are sent, say. */
export async function endpointShown(
  call: Pick<Call<object>, 'remote' | 'flags'>,
  endpoint: WebhookEndpoint,
): Promise<Shown> {
  const { clientId, createdBy, createdAt } = endpoint;
  const nameOf = await namesOf(call, [clientId, createdBy], ACTORS);
  const account = nameOf(clientId) === clientId ? clientId : `${nameOf(clientId)} (${clientId})`;
  return lines(endpoint, [
    ['endpoint', endpoint.guid],
    ['address', endpoint.url],
    ['for', endpoint.description ?? ''],
    ['partner', endpoint.partnerName],
    ['account', account],
    ...settingLines(endpoint),
    ...standingLines(endpoint),
    ...endpoint.secrets.map((secret) => ['secret', secretText(secret)] as const),
    ['made', `${createdAt} by ${nameOf(createdBy)}`],
    ['changed', endpoint.modifiedAt],
  ]);
}

function settingLines(endpoint: WebhookEndpoint): (readonly [string, string])[] {
  const { eventTypes, isOrdered, retryDelaysSeconds, connectTimeoutMs, answerTimeoutMs } = endpoint;
  const retries = retryDelaysSeconds.map((seconds) => durationText(seconds * MS_PER_SECOND));
  const times = `${durationText(connectTimeoutMs)} to connect, ${durationText(answerTimeoutMs)}`;
  return [
    ['events', eventTypes === null ? 'all' : eventTypes.join(', ')],
    ['ordered', isOrdered ? 'yes: an event waits until the one before is over' : 'no'],
    ['retries', retries.length === 0 ? 'none' : `after ${retries.join(', ')}`],
    ['time-outs', `${times} to answer`],
  ];
}

function standingLines(endpoint: WebhookEndpoint): (readonly [string, string])[] {
  const { consecutiveFailures, queued, oldestQueuedAt, attemptsLastDay } = endpoint;
  const slowed = consecutiveFailures < SLOW_AFTER ? '' : '; one delivery is tried at a time';
  const oldest = oldestQueuedAt === null ? '' : `, the oldest since ${oldestQueuedAt}`;
  const taken = `${endpoint.deliveredLastDay} of ${counted(attemptsLastDay, 'attempt')} taken`;
  return [
    ['state', `${stateText(endpoint)}, since ${endpoint.stateSince}`],
    ['why', endpoint.stateReason ?? ''],
    ['next probe', endpoint.nextProbeAt ?? ''],
    ['failures', consecutiveFailures === 0 ? '' : `${consecutiveFailures} in a row${slowed}`],
    ['waiting', `${queued}${oldest}`],
    ['dead letters', String(endpoint.deadLetters)],
    ['last day', attemptsLastDay === 0 ? 'no attempt' : taken],
    ['last taken', endpoint.lastDeliveredAt ?? ''],
  ];
}

function secretText({ guid, label, createdAt, expiresAt }: WebhookSecret): string {
  const called = label === null ? '' : `${JSON.stringify(label)}, `;
  const until = expiresAt === null ? '' : `, until ${expiresAt}`;
  return `${guid}  ${called}since ${createdAt}${until}`;
}

const MS_PER_SECOND = 1_000;
const UNITS: readonly (readonly [sign: string, lengthMs: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', MS_PER_SECOND],
  ['ms', 1],
];

/** A duration as flags take it: `1h30m`, `500ms`. */
function durationText(durationMs: number): string {
  let leftMs = durationMs;
  let text = '';
  for (const [sign, lengthMs] of UNITS) {
    const count = Math.floor(leftMs / lengthMs);
    leftMs -= count * lengthMs;
    if (count > 0) text += `${count}${sign}`;
  }
  return text;
}
