import type { LoggedRequest } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import { OpenStreams, type StreamLimits } from '../http/open-streams.ts';
import { isNowhere } from '../http/pipeline/admit.ts';
import type { Reach } from '../reach/reach.ts';
import { TextStream } from '../support/text-stream.ts';
import { type LogFilter, listRequestsLogged } from './log-store.ts';
import { logRowOnWire } from './on-wire.ts';

export interface StreamDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly realClock: Clock;
  readonly onError: (error: unknown) => void;
  readonly limits?: StreamLimits;
}

export interface Watch {
  readonly by: string;
  readonly filter: LogFilter;
  /** AUTH-9: current rights, not those at the start. */
  readonly reachNow: () => Promise<Reach>;
}

export interface StreamPlace {
  readonly loggedAtMs: number;
  readonly requestId: string;
}

const LIMITS: StreamLimits = { atMost: 20, atMostOfOne: 4 };
/** Another process may commit late, so this much is read again. */
const LOOKED_AT_AGAIN_MS = 10_000;
const BATCH = 500;
/** A slower reader is disconnected. */
const PIECES_AT_MOST = 20;
const QUIET_LOOKS = 15;
/** Then the reader connects again, perhaps to another process. */
const LOOKS_AT_MOST = 300;

export class RequestStreams {
  readonly #deps: StreamDeps;
  readonly #streams: OpenStreams<LogStream>;

  constructor(deps: StreamDeps) {
    this.#deps = deps;
    this.#streams = new OpenStreams(deps.limits ?? LIMITS);
  }

  /**
   * Starts at a place or now, and ends with the caller's rights. Throws ApiError `tooManyRequests`
   * beyond the limits of the process or the caller.
   */
  open(watch: Watch, from: StreamPlace | null): AsyncIterable<string> {
    return this.#streams.open(watch.by, (onEnd) => new LogStream(this.#deps, watch, from, onEnd));
  }

  async look(): Promise<void> {
    for (const stream of this.#streams.all) await stream.look().catch(this.#deps.onError);
  }

  stop(): void {
    this.#streams.stop();
  }
}

class LogStream {
  readonly text: TextStream;
  readonly by: string;
  readonly #deps: StreamDeps;
  readonly #watch: Watch;
  readonly #told = new Map<string, number>();
  #sinceMs: number;
  #looks = 0;
  #quietLooks = 0;

  constructor(deps: StreamDeps, watch: Watch, from: StreamPlace | null, onEnd: () => void) {
    this.by = watch.by;
    this.#deps = deps;
    this.#watch = watch;
    this.text = new TextStream('retry: 1000\n\n', onEnd);
    const nowMs = deps.realClock.nowMs();
    this.#sinceMs = from ? from.loggedAtMs - LOOKED_AT_AGAIN_MS : nowMs;
    if (from) this.#told.set(from.requestId, from.loggedAtMs);
  }

  async look(): Promise<void> {
    const { database, realClock } = this.#deps;
    this.#looks += 1;
    const reach = await this.#watch.reachNow();
    if (isNowhere(reach)) return this.text.end();
    const filter = { ...this.#watch.filter, reach };
    const beganMs = realClock.nowMs();
    const since = { loggedAtMs: this.#sinceMs, except: [...this.#told.keys()] };
    const rows = await listRequestsLogged(database.sql, filter, since, BATCH);
    for (const row of rows) this.#told.set(row.requestId, row.loggedAt.getTime());
    const last = rows.at(-1);
    // A full batch continues from its last row.
    const reachedMs = rows.length < BATCH || !last ? beganMs : last.loggedAt.getTime();
    this.#forget(reachedMs - LOOKED_AT_AGAIN_MS);
    const text = rows
      .map((row) => eventOf(logRowOnWire(row, reach), row.loggedAt.getTime()))
      .join('');
    this.#tell(text);
    if (this.#looks >= LOOKS_AT_MOST) this.text.end();
  }

  #forget(untilMs: number): void {
    if (untilMs <= this.#sinceMs) return;
    this.#sinceMs = untilMs;
    for (const [requestId, loggedAtMs] of this.#told) {
      if (loggedAtMs < untilMs) this.#told.delete(requestId);
    }
  }

  #tell(text: string): void {
    this.#quietLooks = text === '' ? this.#quietLooks + 1 : 0;
    if (text === '' && this.#quietLooks % QUIET_LOOKS !== 0) return;
    this.text.tell(text || ': nothing new\n\n');
    if (this.text.length > PIECES_AT_MOST) this.text.breakOff();
  }
}

function eventOf(request: LoggedRequest, loggedAtMs: number): string {
  const data = JSON.stringify(request);
  return `id: ${loggedAtMs}-${request.requestId}\nevent: request\ndata: ${data}\n\n`;
}
