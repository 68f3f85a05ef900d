import { partnerEventTypes } from '@servery/contract';
import { machineTimers, type Timers } from '@servery/server/webhooks/target/timers.ts';
import { makeSecret } from '@servery/webhooks';
import { PlatformRefusal, type Remote } from '../back-office.ts';
import { readKnown } from '../connection.ts';
import { CommandFailure, exitCodes, Interrupted, invalidUsage } from '../exit-codes.ts';
import { type CursorFile, cursorFile, type Kept } from '../listen/cursor-file.ts';
import { followEvents, type Ready } from '../listen/follow.ts';
import { type Forwarded, forward, type HeardEvent, isTaken } from '../listen/forward.ts';
import { openRemote, type RemoteDeps, type RemoteFlags } from '../session.ts';
import { printable } from '../terminal.ts';

/** The options of `servery listen`. */
export interface ListenFlags extends RemoteFlags {
  readonly forwardTo?: string;
  /** Types separated by commas. */
  readonly events?: string;
  /** A cursor, `beginning` or `now`. */
  readonly since?: string;
  readonly exitOnFailure?: boolean;
  readonly maxEvents?: number;
  /** In milliseconds. */
  readonly timeout: number;
}

/** What `servery listen` leans on. */
export interface ListenDeps extends RemoteDeps {
  /** Of the machine when absent. */
  readonly timers?: Timers;
}

/** What a run knows while it goes on. */
interface Run {
  readonly deps: ListenDeps;
  readonly flags: ListenFlags;
  readonly timers: Timers;
  readonly open: (signal: AbortSignal) => Remote;
  readonly url: string | null;
  readonly types: readonly string[];
  readonly file: CursorFile | null;
  kept: Kept;
  events: number;
  failures: number;
  isReady: boolean;
}

/** Why the stream is followed no more, though all went well. */
class Enough extends Error {}

const BEGINNING = '0';

/**
 * `servery listen`: follows the events of a partner, and posts each to an address of the developer
 * as the platform would; goes on where the last run ended. Ends with `--max-events`, with Ctrl-C,
 * or when the platform refuses. Throws CommandFailure: exit code 6 when a forward failed.
 */
export async function runListen(deps: ListenDeps, flags: ListenFlags): Promise<void> {
  const run = await begin(deps, flags);
  try {
    await follow(run);
  } catch (error) {
    if (error instanceof Enough) return ended(run);
    // Ctrl-C is how it is meant to end.
    if (error instanceof Interrupted) throw new Interrupted('', error.exitCode);
    if (error instanceof PlatformRefusal && error.status === 400) throw wrongCursor(error);
    throw error;
  }
}

async function begin(deps: ListenDeps, flags: ListenFlags): Promise<Run> {
  const url = flags.forwardTo === undefined ? null : readForwardTo(flags.forwardTo);
  const types = readTypes(flags.events);
  if (url === null && flags.exitOnFailure) {
    throw invalidUsage('--exit-on-failure is about forwards: say where to with --forward-to.');
  }
  const known = await readKnown(deps.env, flags);
  const open = (signal: AbortSignal) => openRemote({ ...deps, signal }, flags, known, 'partner');
  const { baseUrl, clientId } = open(deps.signal);
  const file = cursorFile(deps.env, { url: baseUrl, clientId, forwardTo: url });
  const before = (await file?.read()) ?? null;
  const secret = deps.env.SERVERY_WEBHOOK_SECRET || before?.secret || makeSecret();
  const cursor = cursorOf(flags.since, before);
  const kept = { cursor, secret };
  const timers = deps.timers ?? machineTimers;
  return { ...{ deps, flags, timers, open, url, types, file, kept }, ...nothingYet };
}

const nothingYet = { events: 0, failures: 0, isReady: false };

async function follow(run: Run): Promise<never> {
  const { deps, timers, open } = run;
  return await followEvents({
    timers,
    signal: deps.signal,
    // A new login each time: a token that ended in the meantime is replaced.
    open,
    cursor: () => run.kept.cursor,
    onReady: (ready) => tellReady(run, ready),
    onPassed: (cursor) => keep(run, cursor),
    onEvent: (heard, remote) => take(run, heard, remote),
    onLost: (reason, againInMs) => {
      const seconds = againInMs / 1000;
      tell(run, `The connection is lost: ${reason} Trying again in ${seconds} s.`);
    },
  });
}

/** An event that was shown and forwarded is behind the listener; one that stops it is not. */
async function take(run: Run, heard: HeardEvent, remote: Remote): Promise<void> {
  const { flags, types } = run;
  if (types.length > 0 && !types.includes(heard.event.eventType)) return keep(run, heard.cursor);
  const forwarded = await forwardedBy(run, heard, remote.brand());
  show(run, heard, forwarded);
  const isFailed = forwarded !== null && !isTaken(forwarded);
  if (isFailed && flags.exitOnFailure) throw failed(run, heard);
  await keep(run, heard.cursor);
  run.events += 1;
  run.failures += isFailed ? 1 : 0;
  if (run.events === flags.maxEvents) throw new Enough();
}

async function forwardedBy(
  { url, timers, deps, flags, kept: { secret } }: Run,
  heard: HeardEvent,
  brand: string,
): Promise<Forwarded | null> {
  if (url === null) return null;
  const timeoutMs = flags.timeout;
  return forward({ ...{ timers, url, secret, brand, timeoutMs }, signal: deps.signal }, heard);
}

function failed({ kept }: Run, { cursor }: HeardEvent): CommandFailure {
  const message =
    `the forward of the event before the cursor ${cursor} failed; the next run begins with it, ` +
    `at ${kept.cursor ?? 'the same place'}`;
  return new CommandFailure(`${message}.`, exitCodes.failed);
}

function ended({ events, failures }: Run): void {
  if (failures === 0) return;
  const message = `${failures} of ${events} forwards failed.`;
  throw new CommandFailure(message, exitCodes.failed);
}

async function keep(run: Run, cursor: string): Promise<void> {
  if (cursor === '' || cursor === run.kept.cursor) return;
  run.kept = { ...run.kept, cursor };
  await run.file?.write(run.kept);
}

async function tellReady(run: Run, { cursor, missedCount }: Ready): Promise<void> {
  const { url, kept, isReady } = run;
  const isFirst = !isReady;
  run.isReady = true;
  await keep(run, cursor);
  await run.file?.write(run.kept);
  const to = url === null ? 'Showing events' : `Forwarding events to ${url}`;
  tell(run, isFirst ? `${to}, from the cursor ${cursor} on.` : `Going on at the cursor ${cursor}.`);
  if (isFirst && url !== null) tell(run, `They are signed with the secret ${kept.secret}`);
  if (missedCount > 0) tell(run, `${missedCount} events before that are not kept any more.`);
}

function show(run: Run, heard: HeardEvent, forwarded: Forwarded | null): void {
  const { out } = run.deps.terminal;
  const { cursor, kind, event } = heard;
  if (run.flags.json) {
    out.write(`${JSON.stringify({ cursor, kind, event, forward: forwarded })}\n`);
    return;
  }
  const mark = kind === 'event' ? '' : ` (${kind})`;
  const { eventType, details, guid, timestamp } = event;
  const what = `${timestamp}  ${eventType}${mark}  ${details.restaurantName}  ${guid}`;
  out.write(`${printable(forwarded ? `${what}  ${resultOf(forwarded)}` : what)}\n`);
}

function resultOf({ status, durationMs, error }: Forwarded): string {
  return `${error === null ? status : `failed: ${error}`}  ${durationMs} ms`;
}

function tell({ deps }: Run, text: string): void {
  deps.terminal.err.write(`${printable(text)}\n`);
}

function wrongCursor({ message }: PlatformRefusal): CommandFailure {
  const advice = 'Begin anew with "--since now" or "--since beginning".';
  return new CommandFailure(`${message}\n${advice}`, exitCodes.refused);
}

function cursorOf(since: string | undefined, before: Kept | null): string | null {
  if (since === undefined) return before?.cursor ?? null;
  if (since === 'now') return null;
  if (since === 'beginning') return BEGINNING;
  if (/^\d{1,15}(\.\d{1,15})?$/.test(since)) return since;
  throw invalidUsage('--since is no cursor: write one such as 41.0, or beginning, or now.');
}

function readTypes(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const types = text.split(',').map((type) => type.trim());
  const known: readonly string[] = partnerEventTypes;
  const wrong = types.find((type) => !known.includes(type));
  if (wrong === undefined) return types;
  const all = partnerEventTypes.join(', ');
  throw invalidUsage(`${JSON.stringify(wrong)} is no event: write some of ${all}.`);
}

function readForwardTo(text: string): string {
  const whole = /^\d{1,5}$/.test(text) ? `http://localhost:${text}/` : text;
  const url = URL.parse(/^[\w.-]+:\d+(\/|$)/.test(whole) ? `http://${whole}` : whole);
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  throw invalidUsage(
    `--forward-to ${JSON.stringify(text)} is no address: write one such as ` +
      'http://localhost:3000/hooks.',
  );
}
