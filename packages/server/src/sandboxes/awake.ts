import { type Clock, monotonicMs } from '@servery/support/clock.ts';
import { LATE, within } from '@servery/support/timer.ts';
import pLimit from 'p-limit';
import type { AnsweringEnvironment, Visit } from '../http/edge/environments.ts';
import { ApiError } from '../http/errors.ts';
import type { EnvironmentClock } from '../sandbox/clock.ts';
import { clockSeen } from './clock-seen.ts';
import { expiredSandbox } from './expired-sandbox.ts';
import type { SandboxRow, SandboxUse } from './registry-store.ts';

/** A sandbox that is open in this process. */
export interface OpenSandbox extends AnsweringEnvironment {
  readonly clock: EnvironmentClock;
  /** When the next of its work is due, in real time; null if nothing is. */
  nextWorkMs(): Promise<number | null>;
  /** From now on its statements wait. Resolves when no connection to its database is left. */
  hold(): Promise<void>;
  /** After `hold`. */
  resume(): void;
  /** Ends streams, and makes no new work; requests under way go on. */
  beginStop(): void;
  stop(): Promise<void>;
}

interface OpenState {
  readonly clock: EnvironmentClock;
  readonly usedMs: number | null;
}

export interface AwakeDeps<Opened extends OpenSandbox> {
  readonly realClock: Clock;
  /** Null if there is none. Another process may have dropped it, or given it another database. */
  readonly find: (name: string) => Promise<SandboxRow | null>;
  /** When one of the name expired; null for none. */
  readonly findExpiry: (name: string) => Promise<Date | null>;
  readonly open: (row: SandboxRow) => Promise<Opened>;
  readonly recordUse: (name: string, use: SandboxUse) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly openAtMost: number;
}

interface VisitOf<Opened> extends Visit {
  readonly environment: Opened & Visit['environment'];
}

interface Place<Opened> {
  readonly opening: Promise<Opened>;
  readonly databaseName: string;
  visits: number;
  leftMs: number;
  /** Null before the first request. */
  usedMs: number | null;
  whenEmpty: () => void;
}

/** Opening takes tens of milliseconds, and an idle one costs connections and looks at the clock. */
const REST_AFTER_MS = 10_000;
/** Other processes wake what is due if this one dies. */
const WAKE_LEASE_MS = 60_000;
const EMPTY_LIMIT_MS = 10_000;
const ENTER_LIMIT_MS = 20_000;
/** A hundred at once would all be late, and the database with them. */
const OPENED_AT_ONCE = 4;

/** The sandboxes that this process has open: opened by their first request, closed at rest. */
export class AwakeSandboxes<Opened extends OpenSandbox = OpenSandbox> {
  readonly #deps: AwakeDeps<Opened>;
  readonly #places = new Map<string, Place<Opened>>();
  /** Closed for a while: who wants to enter waits for the end of it. */
  readonly #closed = new Map<string, Promise<void>>();
  readonly #inLine = pLimit(OPENED_AT_ONCE);
  #isStopping = false;

  constructor(deps: AwakeDeps<Opened>) {
    this.#deps = deps;
  }

  /** Throws ApiError. `isUse` is false for what the platform does by itself. */
  async enter(name: string, isUse = true): Promise<VisitOf<Opened>> {
    const place = await this.#placeOf(name);
    place.visits += 1;
    const leave = () => {
      place.visits -= 1;
      place.leftMs = monotonicMs();
      if (place.visits === 0) place.whenEmpty();
    };
    try {
      const environment = await within(place.opening, ENTER_LIMIT_MS);
      if (environment === LATE) throw busy(name);
      if (isUse) place.usedMs = this.#deps.realClock.nowMs();
      return { environment, leave: once(leave) };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #placeOf(name: string): Promise<Place<Opened>> {
    for (;;) {
      const row = await this.#deps.find(name);
      if (!row) throw await this.#missing(name);
      const closed = this.#closed.get(name);
      if (this.#isStopping || (closed && (await within(closed, ENTER_LIMIT_MS)) === LATE)) {
        throw busy(name);
      }
      if (closed) continue;
      const place = this.#places.get(name);
      if (place?.databaseName === row.databaseName) return place;
      if (place) await this.closedDuring(name, async () => {});
      else if (this.#places.size < this.#deps.openAtMost) return this.#open(row);
      else await this.#restLongestIdle();
    }
  }

  async #missing(name: string): Promise<ApiError> {
    const expiredAt = await this.#deps.findExpiry(name);
    return expiredAt ? expiredSandbox(name, expiredAt) : noSuchSandbox(name);
  }

  /** Null if it is not open here. */
  async stateOf(name: string): Promise<OpenState | null> {
    const place = this.#places.get(name);
    const opened = await place?.opening.catch(() => null);
    return place && opened ? { clock: opened.clock, usedMs: place.usedMs } : null;
  }

  /** Closes the sandbox, runs `work` while nobody can enter, and lets everybody in again. */
  async closedDuring<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await this.#alone(name, async () => {
      await this.#close(name, EMPTY_LIMIT_MS);
      return await work();
    });
  }

  /**
   * Runs `work` while nobody can enter and no statement of the sandbox runs here. Who is in stays: a
   * request to a sandbox may ask for a copy of it.
   */
  async heldDuring<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await this.#alone(name, async () => {
      const opened = await this.#places.get(name)?.opening.catch(() => null);
      await opened?.hold();
      try {
        return await work();
      } finally {
        opened?.resume();
      }
    });
  }

  /** One at a time. */
  async #alone<T>(name: string, work: () => Promise<T>): Promise<T> {
    for (let closed = this.#closed.get(name); closed; closed = this.#closed.get(name)) await closed;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed.set(name, promise);
    try {
      return await work();
    } finally {
      this.#closed.delete(name);
      resolve();
    }
  }

  /** Closes what nobody has used lately. */
  async rest(): Promise<void> {
    const restedMs = monotonicMs() - REST_AFTER_MS;
    const idle = [...this.#places].filter(
      ([name, { visits, leftMs }]) => visits === 0 && leftMs < restedMs && !this.#closed.has(name),
    );
    await Promise.all(idle.map(([name]) => this.#rest(name)));
  }

  /** Renews what keeps other processes from waking those that are open here. */
  async renew(): Promise<void> {
    for (const [name, place] of this.#places) {
      const opened = await place.opening.catch(() => null);
      if (opened) await this.#record(name, place, opened.clock, this.#leaseEndMs());
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#places.keys()].map((name) => this.#rest(name)));
  }

  #open(row: SandboxRow): Place<Opened> {
    const { name, databaseName } = row;
    const opening = this.#inLine(() => this.#deps.open(row)).then(async (opened) => {
      await this.#record(name, place, opened.clock, this.#leaseEndMs());
      return opened;
    });
    const leftMs = monotonicMs();
    const place: Place<Opened> = {
      opening,
      databaseName,
      visits: 0,
      leftMs,
      usedMs: null,
      whenEmpty() {},
    };
    this.#places.set(name, place);
    opening.catch(() => this.#places.delete(name));
    return place;
  }

  async #restLongestIdle(): Promise<void> {
    const idle = [...this.#places].filter(
      ([name, { visits }]) => visits === 0 && !this.#closed.has(name),
    );
    const [longest] = idle.sort(([, one], [, other]) => one.leftMs - other.leftMs);
    if (!longest) throw tooManyInUse(this.#places.size);
    await this.#rest(longest[0]);
  }

  async #rest(name: string): Promise<void> {
    const place = this.#places.get(name);
    if (!place) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#closed.set(name, promise);
    try {
      const opened = await place.opening;
      const wakeMs = await opened.nextWorkMs();
      await this.#close(name, EMPTY_LIMIT_MS);
      await this.#record(name, place, opened.clock, wakeMs);
    } catch (error) {
      this.#deps.onError(error);
    } finally {
      this.#closed.delete(name);
      resolve();
    }
  }

  #leaseEndMs(): number {
    return this.#deps.realClock.nowMs() + WAKE_LEASE_MS;
  }

  async #record(
    name: string,
    { usedMs }: Place<Opened>,
    clock: EnvironmentClock,
    wakeMs: number | null,
  ): Promise<void> {
    await this.#deps.recordUse(name, {
      usedAt: usedMs === null ? null : new Date(usedMs),
      wakeAt: wakeMs === null ? null : new Date(wakeMs),
      ...clockSeen(clock, this.#deps.realClock),
    });
  }

  async #close(name: string, limitMs: number): Promise<void> {
    const place = this.#places.get(name);
    if (!place) return;
    const opened = await place.opening.catch(() => null);
    opened?.beginStop();
    if (place.visits > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      place.whenEmpty = resolve;
      await within(promise, limitMs);
    }
    this.#places.delete(name);
    await opened?.stop();
  }
}

const RELOAD = 'Reload this page in a few seconds.';

/** Names no others: anybody may ask. */
function noSuchSandbox(name: string): ApiError {
  return new ApiError(
    'notFound',
    `There is no sandbox ${name}: check the start of the path. \`servery sandbox list\` shows ` +
      'those that exist.',
    {
      words: {
        title: `There is no sandbox “${name}”`,
        text: 'It was dropped or has expired, or there is a mistake in the address.',
      },
    },
  );
}

function busy(name: string): ApiError {
  return new ApiError(
    'unavailable',
    `The sandbox ${name} is being opened, copied, restored, or closed. Send the request again in ` +
      'a few seconds.',
    { words: { title: `The sandbox “${name}” is not ready`, text: RELOAD } },
  );
}

function tooManyInUse(count: number): ApiError {
  return new ApiError(
    'unavailable',
    `${count} sandboxes are in use at this moment, and the database has no connection left for ` +
      'another one. Send the request again in a few seconds.',
    { words: { title: 'Too many sandboxes are in use', text: RELOAD } },
  );
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
