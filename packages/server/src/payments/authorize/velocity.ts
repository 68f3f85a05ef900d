import { velocityDimensions } from '@servery/contract';
import type { Vault } from '@servery/support/secret.ts';
import type { Database } from '../../database/database.ts';
import { networkOf } from '../../http/edge/network.ts';
import type { IntentInput } from './intent.ts';
import type { RiskRefusal, VelocityDimension } from './risk.ts';
import { deletePassedVelocityCounts, type VelocityCount } from './velocity-store.ts';

export interface VelocityLimit {
  readonly count: number;
  readonly durationMs: number;
  readonly text: string;
}

export type VelocityLimits = Readonly<Record<VelocityDimension, VelocityLimit | null>>;

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const LONGEST_MS = 30 * 86_400_000;
const DELETE_BATCH = 1_000;

export function parseVelocityLimit(text: string): VelocityLimit | null {
  if (text === 'off') return null;
  const [, count = '', length = '', unit = ''] = /^(\d{1,7})\/(\d{1,7})([smhd])$/.exec(text) ?? [];
  const durationMs = Number(length) * (UNITS_MS[unit] ?? 0);
  const isInRange = Number(count) >= 1 && Number(count) <= 1_000_000 && durationMs >= 1;
  if (isInRange && durationMs <= LONGEST_MS) return { count: Number(count), durationMs, text };
  throw new Error(
    'must be "off" or a count from 1 to 1000000 and a time of at most 30 days, for example 20/10m ' +
      '(s, m, h, d)',
  );
}

type VelocityFacts = Omit<IntentInput, 'lease'>;

export interface VelocityPlan {
  readonly counts: readonly VelocityCount[];
  /** One per count, neutral to the guest. */
  readonly refusals: readonly RiskRefusal[];
}

/**
 * Plans how to count a new payment; null when it isn't counted. The statement that records the
 * payment also counts it, so a repeat never counts and never refuses itself (PAY-7).
 */
export function planVelocity(
  vault: Vault,
  velocityLimits: VelocityLimits | null,
  facts: VelocityFacts,
): VelocityPlan | null {
  if (!velocityLimits) return null;
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
  while ((await deletePassedVelocityCounts(database.sql, now, DELETE_BATCH)) === DELETE_BATCH);
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
