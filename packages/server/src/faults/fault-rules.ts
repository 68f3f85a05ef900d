import type { Clock } from '@servery/support/clock.ts';
import type { Database } from '../database/database.ts';
import { type Stamp, stampOf } from '../freshness/freshness.ts';
import type { Fault } from './fault.ts';
import { type ActiveRule, listActiveRules, updateInjected, updateMatched } from './fault-store.ts';
import { shareOf } from './sequence.ts';

export interface FaultRulesDeps {
  readonly database: Database;
  readonly realClock: Clock;
}

/**
 * The rules of the environment, as this process knows them: its own changes at once, those of others
 * after the next `refresh`. The counts stand in the database, so several processes together don't
 * exceed them. Without a rule it costs nothing.
 */
export class FaultRules {
  readonly #deps: FaultRulesDeps;
  #active: readonly ActiveRule[] = [];
  #stamp: Stamp | null = null;

  constructor(deps: FaultRulesDeps) {
    this.#deps = deps;
  }

  has(fits: (rule: ActiveRule) => boolean): boolean {
    return this.#active.length > 0 && this.#active.some(fits);
  }

  /** Reads the rules again if they have changed. */
  async refresh(): Promise<void> {
    if (this.#stamp && this.#deps.database.freshness.isCurrent(this.#stamp)) return;
    await this.read();
  }

  /** For what may come so soon after the order that `refresh` does not know of it yet. */
  async read(): Promise<void> {
    const { sql, freshness } = this.#deps.database;
    const stamp = stampOf(freshness.begin(), ['faults:rules']);
    const active = await listActiveRules(sql);
    // One that began later may have seen more.
    if (this.#stamp && this.#stamp.moment > stamp.moment) return;
    this.#active = active;
    this.#stamp = stamp;
  }

  /** Counts the match, and returns the fault of the first rule that happens now. */
  async take(fits: (rule: ActiveRule) => boolean): Promise<TakenFault | null> {
    const found = this.#active.length === 0 ? [] : this.#active.filter(fits);
    if (found.length === 0) return null;
    const { database, realClock } = this.#deps;
    const guids = found.map(({ guid }) => guid);
    const counted = await updateMatched(database.sql, guids, new Date(realClock.nowMs()));
    const numbers = new Map(counted.map(({ guid, number }) => [guid, number]));
    for (const { guid, rate, seed, fault } of found) {
      const number = numbers.get(guid);
      const share = number === undefined ? null : shareOf(seed, number);
      if (share !== null && rate !== null && share >= rate) continue;
      if (share !== null && (await updateInjected(database.sql, guid))) return { fault, share };
      this.#active = this.#active.filter((rule) => rule.guid !== guid);
    }
    return null;
  }
}

export interface TakenFault {
  readonly fault: Fault;
  /** From 0 up to 1, for what the fault itself leaves to chance. */
  readonly share: number;
}
