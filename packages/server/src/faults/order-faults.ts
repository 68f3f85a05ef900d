import type { FaultProfile, FaultRule, FaultRules as RulesOnWire } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { newGuid } from '@servery/support/ids.ts';
import { insertEntry } from '../audit/entry-store.ts';
import { originOf } from '../audit/origin.ts';
import type { Database, Sql } from '../database/database.ts';
import type { BackOfficeRequest } from '../http/operation.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import { completeFault, type Fault, phaseOf } from './fault.ts';
import type { FaultRules } from './fault-rules.ts';
import { insertRules, listRules, type NewRule, type RuleRow } from './fault-store.ts';
import { profiles } from './profiles.ts';

export interface OrderFaultsDeps {
  readonly database: Database;
  readonly realClock: Clock;
  /** Null in production, where nobody gets here. */
  readonly faultRules: FaultRules | null;
  /** Another processor can't be told what to do wrong. */
  readonly hasSimulator: boolean;
}

type Ordering = Pick<BackOfficeRequest, 'by' | 'requestId' | 'operation' | 'nowMs' | 'attest'>;

const QUIET_MS = 60_000;

export type RuleOrder = Pick<
  NewRule,
  'operation' | 'clientId' | 'restaurantGuid' | 'times' | 'rate' | 'seed'
> & { readonly fault: Fault };

export function newRule(
  deps: OrderFaultsDeps,
  { by }: Pick<Ordering, 'by'>,
  order: RuleOrder,
  profile: FaultProfile | null = null,
): NewRule {
  return {
    ...order,
    guid: newGuid(),
    phase: phaseOf(order.fault),
    profile,
    createdAt: new Date(deps.realClock.nowMs()),
    createdBy: by,
  };
}

/** Has the change written with its audit entry. This process knows the rules at once. */
export async function changeRules(
  { database, realClock, faultRules }: OrderFaultsDeps,
  request: Ordering,
  change: (
    sql: Sql,
  ) => Promise<{ readonly added: readonly NewRule[]; readonly removed: RuleRow[] }>,
): Promise<void> {
  await database.transaction(async (sql) => {
    const { added, removed } = await change(sql);
    if (added.length > 0) await insertRules(sql, added);
    for (const rule of removed) await insertEntry(sql, origin(), entryOf(rule.guid, rule, null));
    for (const rule of added) await insertEntry(sql, origin(), entryOf(rule.guid, null, rule));
  });
  await faultRules?.refresh();

  function origin() {
    return originOf(request, realClock);
  }
}

function entryOf(guid: string, before: NewRule | null, after: NewRule | null) {
  return {
    subject: { kind: 'fault', id: guid },
    before: before && factsOf(before),
    after: after && factsOf(after),
  } as const;
}

function factsOf({ operation, clientId, restaurantGuid, fault, times, rate, seed }: NewRule) {
  return { operation, clientId, restaurantGuid, fault, times, rate, seed };
}

/** A profile replaces all rules: what it is called is then what it is. */
export function rulesOfProfile(
  deps: OrderFaultsDeps,
  request: Pick<Ordering, 'by'>,
  profile: FaultProfile,
  seed: number,
): NewRule[] {
  return profiles[profile].map(({ fault, rate }, index) =>
    newRule(
      deps,
      request,
      {
        ...{ operation: null, clientId: null, restaurantGuid: null, times: null, rate },
        fault: completeFault(fault).fault,
        seed: (seed + index * SEED_STEP) % SEEDS,
      },
      profile,
    ),
  );
}

const SEED_STEP = 1_000_003;
const SEEDS = 2 ** 31;

export async function rulesOnWire({ database, realClock }: OrderFaultsDeps): Promise<RulesOnWire> {
  const rows = await listRules(database.sql);
  const [first] = rows;
  return {
    profile: first ? first.profile : 'perfect',
    rules: rows.map((row) => ruleOnWire(row, realClock.nowMs())),
  };
}

export function ruleOnWire(row: RuleRow, realNowMs: number): FaultRule {
  const { guid, phase, fault, times, rate, seed, profile, matched, injected, createdBy } = row;
  return {
    guid,
    match: { operation: row.operation, client: row.clientId, restaurant: row.restaurantGuid },
    ...{ phase, fault, times, rate, seed, profile, matched, injected },
    remaining: times === null ? null : times - injected,
    lastMatchedAt: row.lastMatchedAt && isoTimestamp(row.lastMatchedAt),
    matchesNothing: matched === 0 && realNowMs - row.createdAt.getTime() >= QUIET_MS,
    createdAt: isoTimestamp(row.createdAt),
    createdBy,
  };
}
