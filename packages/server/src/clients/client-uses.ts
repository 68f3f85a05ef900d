import { CommitUnknownError } from '@servery/postgres/database.ts';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Clock } from '@servery/support/clock.ts';
import { runEvery } from '@servery/support/runner.ts';
import { within } from '@servery/support/timer.ts';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { Principal } from '../http/operation.ts';
import {
  type Check,
  checks,
  type FinishedRequest,
  type RequestObserver,
} from '../http/pipeline/observe.ts';
import type { Log } from '../support/log.ts';
import {
  deleteUsesBefore,
  insertOperationCounts,
  insertRestaurantCounts,
  insertScopeUses,
  insertUseStart,
  updateClientsUsed,
  updateSecretsUsed,
} from './use-store.ts';

export interface ClientUsesDeps {
  readonly database: Database;
  /** The environment's clock decides the day. */
  readonly clock: Clock;
  /** Called when counts were dropped because memory was full. */
  readonly onDropped: (requests: number) => void;
  readonly countsAtMost?: number;
}

const COUNTS_AT_MOST = 20_000;
/** Skips a last use that is closer than this to the written one. */
const LAST_USE_MS = 60_000;
const LAST_USES_AT_MOST = 20_000;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 400;
const FOREIGN_KEY_VIOLATION = '23503';

export interface SecretUses {
  noteSecret(clientId: string, digest: Buffer, nowMs: number): void;
}

/**
 * Counts in memory until `flush`, so that requests don't wait. A killed process loses what it did
 * not flush. Beyond a limit, drops counts and reports them.
 */
export class ClientUses implements RequestObserver, SecretUses {
  readonly #deps: ClientUsesDeps;
  readonly #countsAtMost: number;
  readonly #written = new LRUCache<string, number>({ max: LAST_USES_AT_MOST });
  readonly #keys = new WeakMap<object, Keys>();
  #counts = new Counts();
  #dropped = 0;
  #day = { number: Number.NaN, text: '' };
  #tidiedDay = '';
  #hasBegun = false;

  constructor(deps: ClientUsesDeps) {
    this.#deps = deps;
    this.#countsAtMost = deps.countsAtMost ?? COUNTS_AT_MOST;
  }

  finished(request: FinishedRequest): void {
    if (!request.caller || request.caller.type === 'PERSON') return;
    const { operation, restaurant, client, scope } = this.#keysOf(request, request.caller);
    const counts = this.#counts;
    this.#count(counts.operations, operation);
    if (restaurant !== null) this.#count(counts.restaurants, restaurant);
    this.#note(counts.clients, client, request.atMs);
    if (scope !== null) this.#note(counts.scopes, scope, request.atMs);
  }

  noteSecret(clientId: string, digest: Buffer, nowMs: number): void {
    this.#note(
      this.#counts.secrets,
      JSON.stringify({ clientId, what: digest.toString('hex') }),
      nowMs,
    );
  }

  /**
   * Throws when writing failed, and keeps the counts for the next time. Drops them after a lost
   * COMMIT, because a gap is better than double counts, and when the database refuses them, because
   * it would refuse them again.
   */
  async flush(): Promise<void> {
    const counts = this.#counts;
    const nowMs = this.#deps.clock.nowMs();
    this.#counts = new Counts();
    if (this.#dropped > 0) this.#deps.onDropped(this.#dropped);
    this.#dropped = 0;
    try {
      await this.#write(counts, nowMs);
    } catch (error) {
      if (!isLost(error)) this.#takeBack(counts);
      throw error;
    }
    for (const [key, atMs] of counts.lastUses()) this.#written.set(key, atMs);
  }

  async #write(counts: Counts, nowMs: number): Promise<void> {
    const { database } = this.#deps;
    const today = dayText(Math.floor(nowMs / DAY_MS));
    if (!this.#hasBegun) await insertUseStart(database.sql, new Date(nowMs));
    this.#hasBegun = true;
    if (counts.size > 0) {
      await database.transaction(async (sql) => {
        // Accounts first: an edit holds the account's row, and the counts wait no longer than that.
        await updateClientsUsed(sql, rowsOf(counts.clients, 'atMs'));
        await updateSecretsUsed(sql, rowsOf(counts.secrets, 'atMs'));
        await insertScopeUses(sql, rowsOf(counts.scopes, 'atMs'));
        await insertOperationCounts(sql, rowsOf(counts.operations, 'requests'));
        await insertRestaurantCounts(sql, rowsOf(counts.restaurants, 'requests'));
      });
    }
    if (today === this.#tidiedDay) return;
    await deleteUsesBefore(database.sql, dayText(Math.floor(nowMs / DAY_MS) - KEPT_DAYS));
    this.#tidiedDay = today;
  }

  /** Adds them only while there is room. */
  #takeBack(counts: Counts): void {
    const now = this.#counts;
    for (const [key, requests] of counts.operations) this.#count(now.operations, key, requests);
    for (const [key, requests] of counts.restaurants) this.#count(now.restaurants, key, requests);
    for (const kind of ['clients', 'scopes', 'secrets'] as const) {
      for (const [key, atMs] of counts[kind]) {
        if (!now[kind].has(key)) now[kind].set(key, atMs);
      }
    }
  }

  #count(counts: Map<string, number>, key: string, requests = 1): void {
    const known = counts.get(key);
    if (known !== undefined) counts.set(key, known + requests);
    else if (this.#counts.size < this.#countsAtMost) counts.set(key, requests);
    else this.#dropped += requests;
  }

  /** Caches the keys of similar requests for the day. */
  #keysOf(request: FinishedRequest, { clientId }: Principal): Keys {
    const { operation, status, restaurantGuid, refusal, alike } = request;
    const day = this.#dayOf(request.atMs);
    const known = alike && this.#keys.get(alike);
    if (known && known.day === day && known.status === status) return known;
    const isLetIn = restaurantGuid !== null && wasPassed('restaurant', refusal?.check);
    const hadScope = operation?.scope && wasPassed('scope', refusal?.check);
    const keys = {
      ...{ day, status },
      operation: JSON.stringify({ clientId, day, operation: operation?.id ?? 'none', status }),
      restaurant: isLetIn ? JSON.stringify({ clientId, day, restaurantGuid }) : null,
      client: JSON.stringify({ clientId }),
      scope: hadScope ? JSON.stringify({ clientId, what: operation.scope }) : null,
    };
    if (alike) this.#keys.set(alike, keys);
    return keys;
  }

  #note(uses: Map<string, number>, key: string, atMs: number): void {
    const writtenMs = this.#written.peek(key);
    // A sandbox's clock can go back, so the written time can be in the future.
    if (writtenMs !== undefined && Math.abs(atMs - writtenMs) < LAST_USE_MS) return;
    if (uses.has(key) || this.#counts.size < this.#countsAtMost) uses.set(key, atMs);
  }

  #dayOf(atMs: number): string {
    const number = Math.floor(atMs / DAY_MS);
    if (number !== this.#day.number) this.#day = { number, text: dayText(number) };
    return this.#day.text;
  }
}

interface Keys {
  readonly day: string;
  readonly status: number;
  readonly operation: string;
  readonly restaurant: string | null;
  readonly client: string;
  readonly scope: string | null;
}

class Counts {
  readonly operations = new Map<string, number>();
  readonly restaurants = new Map<string, number>();
  readonly clients = new Map<string, number>();
  readonly scopes = new Map<string, number>();
  readonly secrets = new Map<string, number>();

  get size(): number {
    const { operations, restaurants, clients, scopes, secrets } = this;
    return operations.size + restaurants.size + clients.size + scopes.size + secrets.size;
  }

  *lastUses(): Generator<[string, number]> {
    yield* this.clients;
    yield* this.scopes;
    yield* this.secrets;
  }
}

/** Either they are written after all, or they never can be. */
function isLost(error: unknown): boolean {
  return error instanceof CommitUnknownError || isSqlState(error, FOREIGN_KEY_VIOLATION);
}

const placeOf = new Map(checks.map((check, index) => [check, index]));

/** True when no check refused the request, or only a later one. */
function wasPassed(check: Check, refusedBy: Check | undefined): boolean {
  return refusedBy === undefined || (placeOf.get(refusedBy) ?? 0) > (placeOf.get(check) ?? 0);
}

function dayText(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
}

/** The keys are JSON: what was counted, and for whom. */
function rowsOf(counts: ReadonlyMap<string, number>, name: 'requests' | 'atMs') {
  return [...counts].map(([key, value]) => ({ ...JSON.parse(key), [name]: value }));
}

export interface CountUsesDeps extends Pick<ClientUsesDeps, 'database' | 'clock'> {
  readonly log: Pick<Log, 'warn'>;
  readonly onError: (error: unknown) => void;
}

/** `stop` writes the last counts. */
export interface CountedUses extends Pick<ClientUses, 'finished' | 'noteSecret'> {
  stop(): Promise<void>;
}

/** A killed process loses the counts of this time. */
const USES_MS = 5_000;

export function countClientUses({ log, onError, ...deps }: CountUsesDeps): CountedUses {
  const onDropped = (requests: number) =>
    log.warn({ requests }, 'not all requests of API accounts could be counted');
  const uses = new ClientUses({ ...deps, onDropped });
  const flushing = runEvery(USES_MS, () => uses.flush(), onError);
  return {
    finished: (request) => uses.finished(request),
    noteSecret: (clientId, digest, nowMs) => uses.noteSecret(clientId, digest, nowMs),
    async stop() {
      await flushing.stop();
      // A database that is down must not delay the shutdown.
      await within(uses.flush().catch(onError), USES_MS);
    },
  };
}
