import { partnerEventTypes } from '@servery/contract';
import { machineTimer, type Timer } from '@servery/support/timer.ts';
import { makeSecret } from '@servery/webhooks';
import { PlatformRefusal, type Remote } from '../back-office.ts';
import { readKnown } from '../connection.ts';
import { counted } from '../counted.ts';
import { CommandFailure, exitCodes, Interrupted, invalidUsage } from '../exit-codes.ts';
import { type CursorFile, cursorFile } from '../listen/cursor-file.ts';
import { followEvents, type Ready } from '../listen/follow.ts';
import { type Forwarded, forward, type HeardEvent, isTaken } from '../listen/forward.ts';
import { readForwardTo } from '../listen/forward-to.ts';
import { shownEvent } from '../listen/shown.ts';
import { cursorAt, readSince } from '../listen/since.ts';
import { openRemote, type RemoteDeps, type RemoteFlags, widthOf } from '../session.ts';
import { paintOf, printable } from '../terminal.ts';
import { readWebhookSecrets } from '../webhook-secrets.ts';

/** The options of `servery listen`. */
export interface ListenFlags extends RemoteFlags {
  readonly forwardTo?: string;
  /** Types separated by commas. */
  readonly events?: string;
  /** A cursor, the GUID of an event, `beginning` or `now`. */
  readonly since?: string;
  readonly exitOnFailure?: boolean;
  readonly maxEvents?: number;
  /** In milliseconds. */
  readonly timeout: number;
}

/** What `servery listen` leans on. */
export interface ListenDeps extends RemoteDeps {
  /** Of the machine when absent. */
  readonly timer?: Timer;
}

/** What a run knows while it goes on. */
interface Run {
  readonly deps: ListenDeps;
  readonly flags: ListenFlags;
  readonly timer: Timer;
  readonly open: (signal: AbortSignal) => Remote;
  readonly url: string | null;
  readonly types: readonly string[];
  readonly file: CursorFile | null;
  /** Those of the variable: neither shown nor kept. */
  readonly givenSecrets: readonly string[];
  /** Of the receiver, where the variable has none. */
  readonly ownSecret: string;
  /** The brand as it is written, from how it stands in headers that came. */
  readonly brandOf: (inSmallLetters: string) => string;
  /** Behind the last event that was done with; null for now. */
  cursor: string | null;
  events: number;
  failures: number;
  isReady: boolean;
}

/** Why the stream is followed no more, though all went well. */
class Enough extends Error {}

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
    if (error instanceof Interrupted) {
      if (run.isReady) tellCounts(run);
      throw new Interrupted('', error.exitCode);
    }
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
  const secretText = deps.env.SERVERY_WEBHOOK_SECRET ?? '';
  const givenSecrets = readWebhookSecrets(secretText, 'SERVERY_WEBHOOK_SECRET');
  const since = flags.since === undefined ? null : readSince(flags.since);
  const known = await readKnown(deps.env, flags);
  const open = (signal: AbortSignal) => openRemote({ ...deps, signal }, flags, known, 'partner');
  const remote = open(deps.signal);
  const { baseUrl, clientId } = remote;
  const file = cursorFile(deps.env, { url: baseUrl, clientId, forwardTo: url });
  const ownSecret = (await file?.readSecret()) ?? makeSecret();
  const cursor = since ? await cursorAt(remote, since) : ((await file?.readCursor()) ?? null);
  const timer = deps.timer ?? machineTimer;
  const brandOf = (brand: string) => writtenBrand(brand, known.demo?.brand);
  const kept = { file, givenSecrets, ownSecret, cursor };
  return { ...{ deps, flags, timer, open, url, types, brandOf }, ...kept, ...nothingYet };
}

const nothingYet = { events: 0, failures: 0, isReady: false };

async function follow(run: Run): Promise<never> {
  const { deps, timer, open } = run;
  return await followEvents({
    timer,
    signal: deps.signal,
    // A new login each time: a token that ended in the meantime is replaced.
    open,
    cursor: () => run.cursor,
    onReady: (ready) => tellReady(run, ready),
    onPassed: (cursor) => keep(run, cursor),
    onEvent: (heard, remote) => take(run, heard, remote),
    onLost: (reason, againInMs) => {
      const seconds = againInMs / 1000;
      tell(run, `The connection is lost: ${reason}. Trying again in ${seconds} s.`);
    },
  });
}

/** An event that was shown and forwarded is behind the listener; one that stops it is not. */
async function take(run: Run, heard: HeardEvent, remote: Remote): Promise<void> {
  const { flags, types } = run;
  if (types.length > 0 && !types.includes(heard.event.eventType)) return keep(run, heard.cursor);
  const forwarded = await forwardedBy(run, heard, run.brandOf(remote.brand()));
  show(run, heard, forwarded);
  const isFailed = forwarded !== null && !isTaken(forwarded);
  if (isFailed && flags.exitOnFailure) throw failed(run, heard);
  await keep(run, heard.cursor);
  run.events += 1;
  run.failures += isFailed ? 1 : 0;
  if (run.events === flags.maxEvents) throw new Enough();
}

async function forwardedBy(
  { url, timer, deps, flags, givenSecrets, ownSecret }: Run,
  heard: HeardEvent,
  brand: string,
): Promise<Forwarded | null> {
  if (url === null) return null;
  const timeoutMs = flags.timeout;
  const secrets = givenSecrets.length > 0 ? givenSecrets : [ownSecret];
  return forward({ ...{ timer, url, secrets, brand, timeoutMs }, signal: deps.signal }, heard);
}

function failed(run: Run, { cursor }: HeardEvent): CommandFailure {
  const message =
    `the forward of the event before the cursor ${cursor} failed; the next run begins with it, ` +
    `at ${run.cursor ?? 'the same place'}`;
  return new CommandFailure(`${message}.`, exitCodes.failed);
}

function ended(run: Run): void {
  const { events, failures } = run;
  if (failures === 0) {
    tellCounts(run);
    return;
  }
  const message = `${failures} of ${events} forwards failed.`;
  throw new CommandFailure(message, exitCodes.failed);
}

async function keep(run: Run, cursor: string): Promise<void> {
  if (cursor === '' || cursor === run.cursor) return;
  run.cursor = cursor;
  await run.file?.writeCursor(cursor);
}

async function tellReady(run: Run, { cursor, missedCount }: Ready): Promise<void> {
  const { url, isReady } = run;
  const isFirst = !isReady;
  run.isReady = true;
  await keep(run, cursor);
  const to = url === null ? 'Showing events' : `Forwarding events to ${url}`;
  tell(run, isFirst ? `${to}, from the cursor ${cursor} on.` : `Going on at the cursor ${cursor}.`);
  if (isFirst && url !== null) await tellSecret(run);
  if (missedCount > 0) tell(run, `${missedCount} events before that are not kept any more.`);
}

/** What came from the variable is the developer's: it goes into no file and no log of CI. */
async function tellSecret(run: Run): Promise<void> {
  const { file, givenSecrets, ownSecret } = run;
  if (givenSecrets.length > 0) {
    return tell(run, 'They are signed with the secret of SERVERY_WEBHOOK_SECRET.');
  }
  await file?.writeSecret(ownSecret);
  tell(run, `They are signed with the secret ${ownSecret}`);
}

function tellCounts(run: Run): void {
  const { url, events, failures } = run;
  if (url === null) tell(run, `${counted(events, 'event')} shown.`);
  else tell(run, `${counted(events, 'forward')}, ${failures} failed.`);
}

/** What came is in small letters; the sandbox knows better, and elsewhere a brand is a name. */
function writtenBrand(brand: string, known = ''): string {
  if (known.toLowerCase() === brand) return known;
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}

function show(run: Run, heard: HeardEvent, forwarded: Forwarded | null): void {
  const { out } = run.deps.terminal;
  if (run.flags.json) {
    const { cursor, kind, event } = heard;
    out.write(`${JSON.stringify({ cursor, kind, event, forward: forwarded })}\n`);
    return;
  }
  const paint = paintOf(out, run.deps.env);
  out.write(shownEvent(heard, forwarded, { width: widthOf(run.deps), paint }));
}

function tell({ deps }: Run, text: string): void {
  deps.terminal.err.write(`${printable(text)}\n`);
}

function wrongCursor({ message }: PlatformRefusal): CommandFailure {
  const advice = 'Begin anew with "--since now" or "--since beginning".';
  return new CommandFailure(`${message}\n${advice}`, exitCodes.refused);
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
