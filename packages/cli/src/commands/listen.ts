import { type Client, Refused } from '@servery/client/back-office';
import { type EventKind, type EventType, eventKinds, eventTypes } from '@servery/contract';
import { machineTimer, type Timer } from '@servery/support/timer.ts';
import {
  type AnyCommand,
  command,
  type PlatformCall,
  type Value,
  type Values,
} from '../command.ts';
import { CommandFailure, exitCodes, Interrupted, invalidUsage } from '../exit-codes.ts';
import { type CursorFile, cursorFile } from '../listen/cursor-file.ts';
import { followEvents, type Ready } from '../listen/follow.ts';
import { type Forwarded, forward, type HeardEvent, isTaken } from '../listen/forward.ts';
import { readForwardTo } from '../listen/forward-to.ts';
import { shownEvent } from '../listen/shown.ts';
import { cursorAt, readSince } from '../listen/since.ts';
import { countUpTo, listOf, millisecondsOf, quoted } from '../readers.ts';
import { requestOf } from '../refusals.ts';
import { lookOf, openSession } from '../session.ts';
import { counted, type Shown } from '../shown.ts';
import { tell } from '../tell.ts';
import { text, toggle } from '../values.ts';
import { secretsIn } from '../webhook-secrets.ts';

const TIMEOUT_MS = 30_000;
const TIMEOUT_AT_MOST_MS = 600_000;

const maxEvents: Value<number | undefined> = {
  ...{ placeholder: '<count>', help: 'stop after this many events', read: countUpTo(1_000_000) },
};
const timeout: Value<number> = {
  ...{ placeholder: '<duration>', help: 'time limit for a response', read: readTimeout },
  ...{ fallback: TIMEOUT_MS, fallbackText: '30s' },
};
const options = {
  forwardTo: text('<address>', 'for example http://localhost:3000/hooks, or only a local port'),
  events: text('<types>', 'only these event types, separated by commas'),
  since: text(
    '<place>',
    'a cursor, an event GUID, "beginning", or "now" (default: where the last run stopped)',
  ),
  exitOnFailure: toggle('exit with 6 if your endpoint does not return a 2xx'),
  maxEvents,
  timeout,
  printJson: toggle('the same as --json'),
};
type ListenCall = PlatformCall<Values, typeof options>;

export const listen: AnyCommand = command({
  name: 'listen',
  summary: 'Follow the events of a partner, and forward them to your machine',
  examples: [
    'servery listen --forward-to http://localhost:3000/hooks',
    'servery listen --forward-to 3000 --max-events 2 --exit-on-failure',
  ],
  options,
  check: ({ env, options: { forwardTo, exitOnFailure, since, events } }) => {
    secretsIn(env);
    if (forwardTo !== undefined) readForwardTo(forwardTo);
    if (forwardTo === undefined && exitOnFailure) {
      throw invalidUsage('--exit-on-failure needs --forward-to.');
    }
    if (since !== undefined) readSince(since);
    readTypes(events);
  },
  role: 'partner',
  run: runListen,
});

interface Run {
  readonly call: ListenCall;
  readonly timer: Timer;
  readonly open: (signal: AbortSignal) => Promise<Client>;
  readonly url: string | null;
  readonly types: readonly EventType[];
  readonly file: CursorFile | null;
  /** Those of the variable, which are neither shown nor kept. */
  readonly givenSecrets: readonly string[];
  /** That of the receiver, where the variable has none. */
  readonly ownSecret: string;
  /** The brand as it is written, from how headers have it. */
  readonly brandOf: (inLowerCase: string) => string;
  /** Where it starts, for the person. */
  readonly from: string;
  /** After the last event that was handled; null for now. */
  cursor: string | null;
  events: number;
  failures: number;
  isReady: boolean;
}

/** Why the stream is no longer followed, though all went well. */
class Enough extends Error {}

/** Ends with `--max-events`, with Ctrl-C, or when the platform refuses. */
async function runListen(call: ListenCall): Promise<Shown | null> {
  let run: Run | null = null;
  try {
    run = await startRun(call);
    return await follow(run);
  } catch (error) {
    if (error instanceof Enough && run) return ended(run);
    // Ctrl-C is the usual end.
    if (error instanceof Interrupted) {
      if (run?.isReady) tellCounts(run);
      throw new Interrupted('', error.exitCode);
    }
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    const advice = 'Start again with "--since now" or "--since beginning".';
    throw new CommandFailure(
      `the platform refused with 400: ${error.message}${requestOf(error)}\n${advice}`,
      exitCodes.refused,
    );
  }
}

async function startRun(call: ListenCall): Promise<Run> {
  const { client, demo, env } = call;
  const { forwardTo, since, events } = call.options;
  const { makeSecret } = await import('@servery/webhooks');
  const url = forwardTo === undefined ? null : readForwardTo(forwardTo);
  const { baseUrl, credentials } = client;
  const clientId = credentials && 'clientId' in credentials ? credentials.clientId : null;
  const file = cursorFile(env, { url: baseUrl, clientId, forwardTo: url });
  const kept = since === undefined ? await keptCursor(call, file) : null;
  return {
    ...{ call, url, file, timer: machineTimer, types: readTypes(events) },
    givenSecrets: secretsIn(env),
    // A new login each time: a token that expired meanwhile is replaced.
    open: async (signal) => (await openSession({ ...call, signal }, call.flags, 'partner')).client,
    brandOf: (brand) => writtenBrand(brand, demo?.brand),
    ownSecret: (await file?.readSecret()) ?? makeSecret(),
    from: kept ? 'from where the last run stopped' : placeText(since),
    cursor: since === undefined ? kept : await cursorAt(client, readSince(since)),
    ...{ events: 0, failures: 0, isReady: false },
  };
}

/** Null, too, if the platform has other data than at the last run: its events begin anew. */
async function keptCursor(call: ListenCall, file: CursorFile | null): Promise<string | null> {
  const after = (await file?.readCursor()) ?? null;
  if (after === null) return null;
  try {
    await call.client.call('platform.events.list', { query: { after, pageSize: 1 } });
    return after;
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 400) throw error;
    const at = call.client.baseUrl;
    tell(call, `The platform has other data than when servery listen last ran for ${at}.`);
    return null;
  }
}

function placeText(since = 'now'): string {
  if (since === 'now') return 'from now on';
  return since === 'beginning' ? 'from the beginning' : `from ${since} on`;
}

async function follow(run: Run): Promise<never> {
  return await followEvents({
    ...{ timer: run.timer, signal: run.call.signal, open: run.open },
    cursor: () => run.cursor,
    onReady: (ready) => tellReady(run, ready),
    onPassed: (cursor) => keep(run, cursor),
    onEvent: (heard, client) => take(run, heard, client),
    onLost: (reason, againInMs) => {
      tell(run.call, `Connection lost: ${reason}. Trying again in ${againInMs / 1000} s.`);
    },
  });
}

/** An event counts as handled once it was shown and forwarded; one that stops the run does not. */
async function take(run: Run, heard: HeardEvent, client: Client): Promise<void> {
  const { call, types } = run;
  if (types.length > 0 && !types.includes(heard.event.eventType)) return keep(run, heard.cursor);
  const forwarded = await forwardedBy(run, heard, run.brandOf(client.brand));
  show(run, heard, forwarded);
  const isFailed = forwarded !== null && !isTaken(forwarded);
  if (isFailed && call.options.exitOnFailure) {
    throw new CommandFailure(
      `the forward of the event ${heard.event.guid} failed. The next run starts with it.`,
      exitCodes.failed,
    );
  }
  await keep(run, heard.cursor);
  run.events += 1;
  run.failures += isFailed ? 1 : 0;
  if (run.events === call.options.maxEvents) throw new Enough();
}

async function forwardedBy(
  { url, timer, call, givenSecrets, ownSecret }: Run,
  heard: HeardEvent,
  brand: string,
): Promise<Forwarded | null> {
  if (url === null) return null;
  const secrets = givenSecrets.length > 0 ? givenSecrets : [ownSecret];
  const {
    signal,
    options: { timeout: timeoutMs },
  } = call;
  return forward({ timer, url, secrets, brand, timeoutMs, signal }, heard);
}

function ended(run: Run): null {
  const { events, failures } = run;
  if (failures > 0) {
    throw new CommandFailure(`${failures} of ${events} forwards failed.`, exitCodes.failed);
  }
  tellCounts(run);
  return null;
}

async function keep(run: Run, cursor: string): Promise<void> {
  if (cursor === '' || cursor === run.cursor) return;
  run.cursor = cursor;
  await run.file?.writeCursor(cursor);
}

async function tellReady(
  run: Run,
  { cursor, missedCount, eventTypes: coming }: Ready,
): Promise<void> {
  const { url, isReady } = run;
  const isFirst = !isReady;
  run.isReady = true;
  await keep(run, cursor);
  const what = url === null ? 'Showing events' : `Forwarding events to ${url}`;
  if (isFirst) tell(run.call, `${what} ${run.from}. To start here again: --since ${cursor}.`);
  else tell(run.call, `Resumed where it broke off (cursor ${cursor}).`);
  if (isFirst) tellLacking(run, coming);
  if (isFirst && url !== null) await tellSecret(run);
  if (missedCount > 0) tell(run.call, `${missedCount} earlier events are no longer kept.`);
}

/** Otherwise, a person may wait for what never comes. */
function tellLacking(run: Run, coming: readonly EventType[]): void {
  const wanted = run.types.length > 0 ? run.types : eventTypes;
  const held = new Set<string | null>(coming.map((type) => eventKinds[type].scope));
  const lacking = wanted.filter((type) => {
    const { unlessScope }: EventKind = eventKinds[type];
    return !coming.includes(type) && !(unlessScope && held.has(unlessScope));
  });
  for (const [scope, types] of Map.groupBy(lacking, (type) => eventKinds[type].scope)) {
    tell(run.call, `No ${types.join(', ')}: the account lacks ${scope}.`);
  }
}

/** The secret of the variable is the developer's: it goes into no file and no log. */
async function tellSecret(run: Run): Promise<void> {
  const { file, givenSecrets, ownSecret } = run;
  if (givenSecrets.length > 0) {
    return tell(run.call, 'They are signed with the secret in SERVERY_WEBHOOK_SECRET.');
  }
  await file?.writeSecret(ownSecret);
  tell(run.call, `They are signed with the secret ${ownSecret}`);
}

function tellCounts(run: Run): void {
  const { url, events, failures } = run;
  if (url === null) tell(run.call, `${counted(events, 'event')} shown.`);
  else tell(run.call, `${counted(events, 'forward')}, ${failures} failed.`);
}

/** Headers are in lower case; the sandbox knows better, and elsewhere a brand is a name. */
function writtenBrand(brand: string, known = ''): string {
  if (known.toLowerCase() === brand) return known;
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}

function show({ call }: Run, heard: HeardEvent, forwarded: Forwarded | null): void {
  const { out } = call.terminal;
  const { cursor, kind, event } = heard;
  if (call.flags.json || call.options.printJson) {
    out.write(`${JSON.stringify({ cursor, kind, event, forward: forwarded })}\n`);
  } else {
    out.write(shownEvent(heard, forwarded, lookOf(call)));
  }
}

function readTypes(written: string | undefined): readonly EventType[] {
  if (written === undefined) return [];
  return listOf(written).map((text) => {
    const known = eventTypes.find((type) => type === text);
    if (known) return known;
    throw invalidUsage(`${quoted(text)} is not an event. Use some of ${eventTypes.join(', ')}.`);
  });
}

function readTimeout(written: string, flag: string): number {
  const durationMs = millisecondsOf(written, flag);
  if (durationMs <= TIMEOUT_AT_MOST_MS) return durationMs;
  throw invalidUsage(`${flag}${written} is too long. Use 10m at most.`);
}
