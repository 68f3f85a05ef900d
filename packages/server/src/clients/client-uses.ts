import { CommitUnknownError } from '@servery/postgres/database.ts';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Clock } from '@servery/support/clock.ts';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database/database.ts';
import type { Principal } from '../http/operation.ts';
import {
  type Check,
  checks,
  type FinishedRequest,
  type RequestObserver,
} from '../http/pipeline/observe.ts';
import {
  deleteUsesBefore,
  insertOperationCounts,
  insertRestaurantCounts,
  insertScopeUses,
  insertUseStart,
  type LastUse,
  type OperationCount,
  type RestaurantCount,
  updateClientsUsed,
  updateSecretsUsed,
} from './use-store.ts';

/** What counting needs. */
export interface ClientUsesDeps {
  readonly database: Database;
  /** The environment's: days are its days. */
  readonly clock: Clock;
  /** Is told when more was going on than is kept in memory. */
  readonly onDropped: (requests: number) => void;
  /** How many counts are kept in memory; 20,000 when absent. */
  readonly countsAtMost?: number;
}

const COUNTS_AT_MOST = 20_000;
/** What was written less than this ago, in milliseconds, is not written again. */
const LAST_USE_MS = 60_000;
const LAST_USES_AT_MOST = 20_000;
const DAY_MS = 86_400_000;
/** Counts of days that are longer ago than this are forgotten. */
const KEPT_DAYS = 400;
const FOREIGN_KEY_VIOLATION = '23503';
/** Between the parts of a key; no part holds one. */
const BAR = '\0';

/** Records that a secret was used. */
export interface SecretUses {
  noteSecret(clientId: string, digest: Buffer, nowMs: number): void;
}

/**
 * Counts what API accounts do, in memory, and writes it down when `flush` is called: a request
 * waits for nothing. Whatever was not flushed when a process is killed is lost. Memory is bounded:
 * counts beyond the bound are dropped and told.
 */
export class ClientUses implements RequestObserver, SecretUses {
  readonly #deps: ClientUsesDeps;
  readonly #countsAtMost: number;
  readonly #written = new LRUCache<string, number>({ max: LAST_USES_AT_MOST });
  /** Of requests that are alike. */
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
    this.#note(this.#counts.secrets, `${clientId}${BAR}${digest.toString('hex')}`, nowMs);
  }

  /**
   * Writes down what was counted since the last time. Throws when that failed, and keeps it for the
   * next time; but not after a lost COMMIT, for what was counted twice would be worse than a gap,
   * and not what the database refuses, for it would refuse it again with all that comes.
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
    if (!counts.isEmpty()) {
      await database.transaction(async (sql) => {
        // Accounts first: who edits one holds its row, and counts for it wait no longer than that.
        await updateClientsUsed(sql, lastUses(counts.clients));
        await updateSecretsUsed(sql, lastUses(counts.secrets));
        await insertScopeUses(sql, lastUses(counts.scopes));
        await insertOperationCounts(sql, operationCounts(counts.operations));
        await insertRestaurantCounts(sql, restaurantCounts(counts.restaurants));
      });
    }
    if (today === this.#tidiedDay) return;
    await deleteUsesBefore(database.sql, dayText(Math.floor(nowMs / DAY_MS) - KEPT_DAYS));
    this.#tidiedDay = today;
  }

  /** Counts that could not be written are counted again, as far as there is room. */
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

  /** Requests that are alike have the same keys, all day. */
  #keysOf(request: FinishedRequest, { clientId }: Principal): Keys {
    const { operation, status, restaurantGuid, refusal, alike } = request;
    const day = this.#dayOf(request.atMs);
    const known = alike && this.#keys.get(alike);
    if (known && known.day === day && known.status === status) return known;
    const ofDay = `${clientId}${BAR}${day}${BAR}`;
    const isLetIn = restaurantGuid !== null && wasPassed('restaurant', refusal?.check);
    const hadScope = operation?.scope && wasPassed('scope', refusal?.check);
    const keys = {
      ...{ day, status },
      operation: `${ofDay}${operation?.id ?? 'none'}${BAR}${status}`,
      restaurant: isLetIn ? ofDay + restaurantGuid : null,
      client: `${clientId}${BAR}`,
      scope: hadScope ? `${clientId}${BAR}${operation.scope}` : null,
    };
    if (alike) this.#keys.set(alike, keys);
    return keys;
  }

  #note(uses: Map<string, number>, key: string, atMs: number): void {
    const writtenMs = this.#written.peek(key);
    // A sandbox's clock may go back: then what was written lies ahead.
    if (writtenMs !== undefined && Math.abs(atMs - writtenMs) < LAST_USE_MS) return;
    if (uses.has(key) || this.#counts.size < this.#countsAtMost) uses.set(key, atMs);
  }

  #dayOf(atMs: number): string {
    const number = Math.floor(atMs / DAY_MS);
    if (number !== this.#day.number) this.#day = { number, text: dayText(number) };
    return this.#day.text;
  }
}

/** What a request is counted by, as keys that are joined with BAR; null where it is not. */
interface Keys {
  readonly day: string;
  readonly status: number;
  readonly operation: string;
  readonly restaurant: string | null;
  readonly client: string;
  readonly scope: string | null;
}

/** What was counted since the last flush, by keys that are joined with BAR. */
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

  isEmpty(): boolean {
    return this.size === 0;
  }

  *lastUses(): Generator<[string, number]> {
    yield* this.clients;
    yield* this.scopes;
    yield* this.secrets;
  }
}

/** Whether counts are gone: perhaps they are written, or they never can be. */
function isLost(error: unknown): boolean {
  return error instanceof CommitUnknownError || isSqlState(error, FOREIGN_KEY_VIOLATION);
}

const placeOf = new Map(checks.map((check, index) => [check, index]));

/** Whether a request came past a check: it was not refused, or by a later one. */
function wasPassed(check: Check, refusedBy: Check | undefined): boolean {
  return refusedBy === undefined || (placeOf.get(refusedBy) ?? 0) > (placeOf.get(check) ?? 0);
}

function dayText(dayNumber: number): string {
  return new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
}

function operationCounts(counts: ReadonlyMap<string, number>): OperationCount[] {
  return [...counts].map(([key, requests]) => {
    const [clientId = '', day = '', operation = '', status] = key.split(BAR);
    return { clientId, day, operation, status: Number(status), requests };
  });
}

function restaurantCounts(counts: ReadonlyMap<string, number>): RestaurantCount[] {
  return [...counts].map(([key, requests]) => {
    const [clientId = '', day = '', restaurantGuid = ''] = key.split(BAR);
    return { clientId, day, restaurantGuid, requests };
  });
}

function lastUses(uses: ReadonlyMap<string, number>): LastUse[] {
  return [...uses].map(([key, atMs]) => {
    const [clientId = '', what = ''] = key.split(BAR);
    return { clientId, what, atMs };
  });
}
