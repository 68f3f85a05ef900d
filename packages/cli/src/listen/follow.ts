import {
  type Client,
  NoAnswer,
  NotAPlatform,
  PlatformFailed,
  Refused,
} from '@servery/client/back-office';
import type { EventType, WebhookEvent } from '@servery/contract';
import type { Timer } from '@servery/support/timer.ts';
import { shortReasonOf } from '../refusals.ts';
import { type EventMessage, eventMessages } from './event-messages.ts';
import type { HeardEvent } from './forward.ts';

export interface FollowDeps {
  readonly timer: Timer;
  readonly signal: AbortSignal;
  /** Opens the platform again, with a new login, until `signal` is aborted. */
  readonly open: (signal: AbortSignal) => Promise<Client>;
  /** Where to start and to resume: after what was handled. Null for now. */
  readonly cursor: () => string | null;
  readonly onReady: (ready: Ready) => Promise<void>;
  /** A place of the stream without an event. */
  readonly onPassed: (cursor: string) => Promise<void>;
  readonly onEvent: (heard: HeardEvent, client: Client) => Promise<void>;
  /** The connection was lost, and is opened again in that time. */
  readonly onLost: (reason: string, againInMs: number) => void;
}

export interface Ready {
  readonly cursor: string;
  /** How many events after the cursor are no longer kept. */
  readonly missedCount: number;
  /** Events of other types don't come. */
  readonly eventTypes: readonly EventType[];
}

/** The platform writes something every 15 seconds: a longer silence means a dead connection. */
const SILENCE_MS = 45_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const TOO_MANY = 429;
/** What a proxy answers during a deployment, and a platform while its clock moves. */
const MAY_PASS: readonly number[] = [401, 403, 404, 409];
/** That many in a row are final. */
const BELIEVED_AFTER = 3;

class Silence extends Error {}

/**
 * Follows the events of a partner forever. A connection that breaks is opened again, where it
 * stopped. Throws what a callback throws, the reason of `signal`, the failure of the first
 * connection, and a refusal of the platform: a passing one only when it comes three times in a row.
 */
export async function followEvents(deps: FollowDeps): Promise<never> {
  let isKnown = false;
  let refusals = 0;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, LONGEST_WAIT_MS)) {
    let reason = 'it ended';
    try {
      await followOnce(deps, () => {
        isKnown = true;
        refusals = 0;
        waitMs = FIRST_WAIT_MS;
      });
    } catch (error) {
      refusals = isRefused(error) ? refusals + 1 : 0;
      reason = lossOf(error, isKnown, isKnown && refusals < BELIEVED_AFTER);
    }
    deps.onLost(reason, waitMs);
    await wait(deps, waitMs);
  }
}

async function followOnce(deps: FollowDeps, onConnected: () => void): Promise<void> {
  const silence = new AbortController();
  const client = await deps.open(AbortSignal.any([deps.signal, silence.signal]));
  const begin = () => deps.timer.after(SILENCE_MS, () => silence.abort(new Silence('silent')));
  let stop = begin();
  const query = { after: deps.cursor() ?? undefined };
  const lines = client.lines('platform.events.stream', { query });
  const watched = (async function* () {
    for await (const line of lines) {
      stop();
      yield line;
      stop = begin();
    }
  })();
  try {
    for await (const message of eventMessages(watched)) {
      onConnected();
      // The stream is aborted: canceling it in order can take forever.
      await handle(deps, message, client).catch((error: unknown) => {
        silence.abort(error);
        throw error;
      });
    }
  } finally {
    stop();
  }
}

async function handle(
  deps: FollowDeps,
  { id, type, data }: EventMessage,
  client: Client,
): Promise<void> {
  if (type === 'ready') await deps.onReady(JSON.parse(data) as Ready);
  else if (data === '' || id === null) await deps.onPassed(id ?? '');
  else if (isKind(type)) {
    const event = JSON.parse(data) as WebhookEvent;
    await deps.onEvent({ cursor: id, kind: type, body: data, event }, client);
  }
}

function isKind(type: string): type is HeardEvent['kind'] {
  return type === 'event' || type === 'replay' || type === 'test';
}

/** Whether the platform refused a listener that it had accepted before. */
function isRefused(error: unknown): boolean {
  return error instanceof Refused && MAY_PASS.includes(error.status);
}

/** Why a connection that may come back was lost. Throws what is final. */
function lossOf(error: unknown, isKnown: boolean, mayPass: boolean): string {
  if (error instanceof Silence) return 'it is silent';
  if (error instanceof Refused) {
    const isPassing = error.status === TOO_MANY || (mayPass && isRefused(error));
    if (isPassing) return `it answers ${error.status}`;
    throw error;
  }
  const isLoss = [NoAnswer, NotAPlatform, PlatformFailed].some((loss) => error instanceof loss);
  if (isLoss && isKnown) return shortReasonOf((error as Error).cause) ?? 'it broke';
  throw error;
}

async function wait({ timer, signal }: FollowDeps, durationMs: number): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = timer.after(durationMs, resolve);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  stop();
  signal.throwIfAborted();
}
