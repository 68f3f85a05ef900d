import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryDetails } from '@servery/contract';
import { machineTimer } from '@servery/support/timer.ts';
import { exitCodes } from '../exit-codes.ts';
import type { RemoteDeps } from '../session.ts';
import { type Shown, said } from './shown.ts';
import { type Call, flag, type Verb, verb } from './verb.ts';
import { endpointPath, endpointWord, WEBHOOKS } from './webhook-names.ts';
import { type Surroundings, surroundingsOf, type Wait, waitOf, waitText } from './webhook-waits.ts';

interface TestFlags {
  readonly type: string;
  readonly wait: boolean;
}

interface Outcome {
  readonly details: WebhookDeliveryDetails;
  /** What it waited for at last; null when it did not. */
  readonly wait: Wait | null;
}

const LOOK_EVERY_MS = 200;
/** So long the platform may take beside the receiver. */
const MARGIN_MS = 3_000;

/** `servery webhooks test`. */
export const testVerb: Verb = verb<TestFlags>({
  name: 'test',
  says: 'send a made up event to one endpoint, and tell how it was answered',
  example: 'servery webhooks test hooks.example.com --type partner_added',
  words: [endpointWord],
  flags: [
    flag('--type <type>', 'which event').default('partner_updated'),
    flag('--no-wait', 'do not wait for the answer'),
  ],
  run: async (call) => {
    const path = `${await endpointPath(call)}/test`;
    const sent = await call.remote.post<WebhookDelivery>(path, { eventType: call.flags.type });
    if (call.flags.wait) return outcomeShown(await outcomeOf(call, sent));
    return said(
      sent,
      `A made up ${sent.eventType} is on its way: "servery webhooks attempts ${sent.guid}" ` +
        'shows how it fares.',
    );
  },
});

/** Waits until it was tried, until it is clear that it is not, or for as long as a try may take. */
async function outcomeOf(
  { remote, deps }: Pick<Call<object>, 'remote' | 'deps'>,
  sent: WebhookDelivery,
): Promise<Outcome> {
  const path = `${WEBHOOKS}/deliveries/${sent.guid}`;
  const beganMs = machineTimer.elapsedMs();
  for (;;) {
    const around = await surroundingsOf(remote, [sent]);
    const details = await remote.get<WebhookDeliveryDetails>(path);
    if (details.state !== 'QUEUED' || details.attempts.length > 0) break;
    const isLate = machineTimer.elapsedMs() - beganMs > timeoutOf(sent, around) + MARGIN_MS;
    if (isLate || waitOf(details, around)?.isHeld) break;
    await pause(deps, LOOK_EVERY_MS);
  }
  // What was read around the end of an attempt is half before and half behind it.
  const details = await remote.get<WebhookDeliveryDetails>(path);
  return { details, wait: waitOf(details, await surroundingsOf(remote, [details])) };
}

function timeoutOf({ endpointGuid }: WebhookDelivery, { endpoints }: Surroundings): number {
  const { connectTimeoutMs = 0, answerTimeoutMs = 0 } = endpoints.get(endpointGuid) ?? {};
  return connectTimeoutMs + answerTimeoutMs;
}

function outcomeShown({ details, wait }: Outcome): Shown {
  const { guid, state, eventType, attempts } = details;
  const attempt = attempts.at(-1);
  const what = `A made up ${eventType}`;
  if (state === 'DELIVERED' && attempt) {
    return said(details, `${what} was taken: ${answered(attempt)}`);
  }
  const more = [`"servery webhooks attempts ${guid}" shows how it fares.`];
  const waits = wait === null ? '' : waitText(wait);
  const then = state === 'QUEUED' ? `It waits: ${waits}.` : `It is ${state} now.`;
  const sentence = attempt
    ? `${what} was not taken: ${answered(attempt)}\n${then}`
    : `${what} was not tried yet. ${then}`;
  return { ...said(details, sentence, more), exitCode: exitCodes.failed };
}

const ANSWER_SHOWN = 200;

function answered({ status, durationMs, explanation, answerBody }: WebhookAttempt): string {
  const [first = ''] = (answerBody ?? '').trim().split(/\r?\n/);
  const what = status === null ? (explanation ?? 'no answer') : String(status);
  const said = first === '' ? '' : `\n  ${first.slice(0, ANSWER_SHOWN)}`;
  return `${what.replace(/\.$/, '')}, in ${durationMs.toFixed(1)} ms.${said}`;
}

async function pause({ signal }: Pick<RemoteDeps, 'signal'>, durationMs: number): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  const stop = machineTimer.after(durationMs, resolve);
  signal.addEventListener('abort', onAbort, { once: true });
  await promise;
  stop();
  signal.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
}
