import type { PartnerEvent } from '@servery/contract';
import type { Timer } from '@servery/support/timer.ts';
import { PlatformRefusal, type Remote } from '../back-office.ts';
import { CommandFailure, exitCodes } from '../exit-codes.ts';
import { shortReasonOf } from '../unreachable.ts';
import { type EventMessage, eventMessages } from './event-messages.ts';
import type { HeardEvent } from './forward.ts';

/** What following the events of a partner leans on. */
export interface FollowDeps {
  readonly timer: Timer;
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
  /** Opens the platform anew, with a login of its own, until `signal` is aborted. */
  readonly open: (signal: AbortSignal) => Remote;
  /** Where to begin, and then where to go on: behind what was done with. Null for now. */
  readonly cursor: () => string | null;
  readonly onReady: (ready: Ready) => Promise<void>;
  /** A place of the stream that holds nothing for the listener. */
  readonly onPassed: (cursor: string) => Promise<void>;
  readonly onEvent: (heard: HeardEvent, remote: Remote) => Promise<void>;
  /** The connection was lost: why, in a few words; it is tried again in so many milliseconds. */
  readonly onLost: (reason: string, againInMs: number) => void;
}

/** What a stream tells first. */
export interface Ready {
  readonly cursor: string;
  /** How many events behind the cursor are kept no more. */
  readonly missedCount: number;
}

/** The platform writes something every 15 seconds: a stream that is silent for so long is dead. */
const SILENCE_MS = 45_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 10_000;
const TOO_MANY = 429;
/** What a proxy answers while a platform is deployed, and a platform whose clock is just moved. */
const MAY_PASS: readonly number[] = [401, 403, 404, 409];
/** So many of them in a row are believed. */
const BELIEVED_AFTER = 3;
const PATH = '/platform/v1/events/stream';

class Silence extends Error {}

/**
 * Follows the events of a partner for ever: a connection that breaks, or that a machine slept
 * through, is made again and goes on where it was. Throws what a callback throws, what `signal` was
 * aborted with, what the first connection fails with, and a refusal of the platform: one that may
 * pass only when it comes three times in a row.
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
  const remote = deps.open(AbortSignal.any([deps.signal, silence.signal]));
  const begin = () => deps.timer.after(SILENCE_MS, () => silence.abort(new Silence('silent')));
  let stop = begin();
  const lines = remote.lines(PATH, { after: deps.cursor() ?? undefined });
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
      // A stream that nobody reads to its end is cut: to cancel it in good order can take for ever.
      await handle(deps, message, remote).catch((error: unknown) => {
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
  remote: Remote,
): Promise<void> {
  if (type === 'ready') await deps.onReady(JSON.parse(data) as Ready);
  else if (data === '' || id === null) await deps.onPassed(id ?? '');
  else if (isKind(type)) {
    const event = JSON.parse(data) as PartnerEvent;
    await deps.onEvent({ cursor: id, kind: type, body: data, event }, remote);
  }
}

function isKind(type: string): type is HeardEvent['kind'] {
  return type === 'event' || type === 'replay' || type === 'test';
}

/** Whether the platform said no to a listener that it had let in before. */
function isRefused(error: unknown): boolean {
  return error instanceof PlatformRefusal && MAY_PASS.includes(error.status);
}

/** Why a connection that may come back was lost. Throws what will not go away by itself. */
function lossOf(error: unknown, isKnown: boolean, mayPass: boolean): string {
  if (error instanceof Silence) return 'it is silent';
  if (error instanceof PlatformRefusal) {
    const isPassing = error.status === TOO_MANY || (mayPass && isRefused(error));
    if (isPassing) return `it answers ${error.status}`;
    throw error;
  }
  const isLoss = error instanceof CommandFailure && error.exitCode === exitCodes.failure;
  if (isLoss && isKnown) return shortReasonOf(error.cause) ?? 'it broke off';
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
