import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@servery/contract';
import { machineTimer, sleep } from '@servery/support/timer.ts';
import { type AnyCommand, type Context, command, type Session, type Value } from '../command.ts';
import { endsWith } from '../exit-codes.ts';
import { type Shown, said } from '../shown.ts';
import { as, the } from '../values.ts';
import { surroundingsOf, type Wait, waitOf, waitText } from './webhook-waits.ts';

const LOOK_EVERY_MS = 200;
/** How long the platform may take beyond the receiver. */
const MARGIN_MS = 3_000;
const ANSWER_SHOWN = 200;

const type: Value<string> = {
  ...{ placeholder: '<type>', help: 'event type', fallback: 'partner_updated' },
  field: 'eventType',
};
const wait: Value<boolean> = { help: 'do not wait for the answer', fallback: true };

/** `servery webhooks test`. */
export const test: AnyCommand = command({
  name: 'test',
  summary: 'Send a made-up event to an endpoint, and show the response',
  examples: ['servery webhooks test hooks.example.com --type partner_added'],
  arguments: { endpoint: the.endpoint },
  options: { type, wait: as(null, wait) },
  operation: 'backOffice.webhooks.test',
  show: async (sent, call) => {
    if (call.options.wait) return await outcomeOf(call, sent);
    const { eventType, guid } = sent;
    return said(
      sent,
      `A made-up ${eventType} is on its way. To follow it: "servery webhooks attempts ${guid}".`,
    );
  },
});

/** Waits until there was an attempt, until it is clear that none comes, or for the time limits. */
async function outcomeOf(
  call: Pick<Session, 'client'> & Pick<Context, 'signal'>,
  sent: WebhookDelivery,
): Promise<Shown> {
  const read = () =>
    call.client.call('backOffice.webhooks.deliveries.get', { params: { deliveryGuid: sent.guid } });
  const startedMs = machineTimer.elapsedMs();
  for (;;) {
    const around = await surroundingsOf(call, [sent]);
    const details = await read();
    if (details.state !== 'QUEUED' || details.attempts.length > 0) break;
    const { connectTimeoutMs = 0, answerTimeoutMs = 0 } =
      around.endpoints.get(sent.endpointGuid) ?? {};
    const limitMs = connectTimeoutMs + answerTimeoutMs + MARGIN_MS;
    if (machineTimer.elapsedMs() - startedMs > limitMs || waitOf(details, around)?.isHeld) break;
    await sleep(LOOK_EVERY_MS, call.signal);
  }
  // What was read while an attempt ended is half old and half new.
  const details = await read();
  return outcomeShown(details, waitOf(details, await surroundingsOf(call, [details])));
}

function outcomeShown(details: WebhookDeliveryDetails, held: Wait | null): Shown {
  const { guid, state, eventType, attempts } = details;
  const attempt = attempts.at(-1);
  const what = `A made-up ${eventType}`;
  if (state === 'DELIVERED' && attempt) {
    return said(details, `${what} was accepted: ${answered(attempt)}`);
  }
  const waits = held === null ? '' : waitText(held);
  const then = state === 'QUEUED' ? `It is waiting: ${waits}.` : `It is ${state} now.`;
  const sentence = attempt
    ? `${what} was not accepted: ${answered(attempt)}\n${then}`
    : `${what} was not sent yet. ${then}`;
  const more = [`To follow it: "servery webhooks attempts ${guid}".`];
  return { ...said(details, sentence, more), failure: endsWith('failed') };
}

function answered({ status, durationMs, explanation, answerBody }: WebhookAttempt): string {
  const [first = ''] = (answerBody ?? '').trim().split(/\r?\n/);
  const what = status === null ? (explanation ?? 'no answer') : String(status);
  const line = first === '' ? '' : `\n  ${first.slice(0, ANSWER_SHOWN)}`;
  return `${what.replace(/\.$/, '')}, in ${durationMs.toFixed(1)} ms.${line}`;
}
