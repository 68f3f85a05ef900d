import { velocityDimensions } from '@servery/contract';
import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { networkOf } from '../../http/edge/network.ts';
import type { IntentInput } from './intent.ts';
import type { RiskRefusal, VelocityDimension } from './risk.ts';
import type { VelocityLimit, VelocityLimits } from './velocity-limits.ts';
import {
  deletePassedVelocityCounts,
  deletePassedVelocityVerdicts,
  insertVelocityCounts,
  type VelocityCount,
} from './velocity-store.ts';

const DELETE_BATCH = 1_000;
/** A payment that is tried again later, and was not recorded until then, counts again. */
const VERDICT_MS = 15 * 60_000;

const UNIQUE_VIOLATION = '23505';

type VelocityFacts = Omit<IntentInput, 'lease'>;

interface VelocityPlan {
  readonly counts: readonly VelocityCount[];
  /** One per count, neutral to the guest. */
  readonly refusals: readonly RiskRefusal[];
}

export interface VelocityDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Vault;
  readonly velocityLimits?: VelocityLimits | null;
}

/**
 * Counts a payment that isn't recorded yet, in a transaction before the one that records it: others
 * needn't wait for its COMMIT (decision 0011). A repeat never counts and never refuses itself
 * (PAY-7). Null when nothing refuses it.
 */
export async function countPayment(
  { database, vault, velocityLimits = null }: VelocityDeps,
  facts: VelocityFacts,
): Promise<RiskRefusal | null> {
  const plan = velocityLimits && planVelocity(vault, velocityLimits, facts);
  if (!plan) return null;
  const expiresAt = new Date(facts.nowMs + VERDICT_MS);
  const insert = () => insertVelocityCounts(database.sql, facts.key, plan.counts, expiresAt);
  const passed = await insert().catch((error: unknown) => {
    // The same payment was counted meanwhile.
    if (!isSqlState(error, UNIQUE_VIOLATION)) throw error;
    return insert();
  });
  return passed === null ? null : (plan.refusals[passed] ?? null);
}

function planVelocity(
  vault: Vault,
  velocityLimits: VelocityLimits,
  facts: VelocityFacts,
): VelocityPlan | null {
  const counted = velocityDimensions.flatMap((dimension) => {
    const limit = velocityLimits[dimension];
    return limit ? [{ dimension, limit }] : [];
  });
  if (counted.length === 0) return null;
  return {
    counts: counted.map(({ dimension, limit }) =>
      countOf(limit, digestOf(vault, dimension, facts), facts.nowMs),
    ),
    refusals: counted.map(({ dimension, limit }) => ({
      rule: `velocity limit per ${dimension}, ${limit.text}`,
      limit: { dimension, count: limit.count, windowMs: limit.durationMs },
    })),
  };
}

export async function forgetVelocityCounts(database: Database, nowMs: number): Promise<void> {
  const now = new Date(nowMs);
  for (const deletePassed of [deletePassedVelocityCounts, deletePassedVelocityVerdicts]) {
    while ((await deletePassed(database.sql, now, DELETE_BATCH)) === DELETE_BATCH);
  }
}

function countOf(limit: VelocityLimit, keyDigest: Buffer, nowMs: number): VelocityCount {
  const windowMs = limit.durationMs;
  const windowIndex = Math.floor(nowMs / windowMs);
  return {
    keyDigest,
    limit: limit.count,
    windowIndex,
    windowMs,
    remainingMs: (windowIndex + 1) * windowMs - nowMs,
    expiresAt: new Date((windowIndex + 2) * windowMs),
  };
}

function digestOf(vault: Vault, dimension: VelocityDimension, facts: VelocityFacts): Buffer {
  return vault.digest(`velocity.${dimension}`, JSON.stringify(subjectOf(dimension, facts)));
}

function subjectOf(dimension: VelocityDimension, facts: VelocityFacts): readonly string[] {
  const { key, clientId, request, card } = facts;
  switch (dimension) {
    case 'card':
      return [card.reveal().cardNumber];
    case 'guest':
      // Two partners may use the same guest identifier.
      return [clientId, request.guest.guestIdentifier];
    case 'address':
      return [networkOf(request.guest.originIpAddress)];
    case 'bin':
      // Many guests share a large bank's prefix, but not many at one restaurant.
      return [key.merchantGuid, card.first6];
    case 'restaurant':
      return [key.merchantGuid];
    case 'client':
      return [clientId];
  }
}
