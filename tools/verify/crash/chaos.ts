import { sleep } from '@servery/support/timer.ts';
import type { Victim } from './kept-process.ts';
import type { Lots } from './random.ts';

/** What is killed how often: of a hundred kills. */
export interface Target {
  readonly victim: Victim;
  readonly weight: number;
}

/** How long to go on killing. */
export interface ChaosLimits {
  /** By the clock of the machine, in milliseconds. */
  readonly durationMs: number;
  /** Null for as many as the time allows. */
  readonly kills: number | null;
}

const SHORTEST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 1_500;
const LONGEST_REST_MS = 700;
/** How often one is killed while others are still coming up. */
const OVERLAP_CHANCE = 0.25;
const POLL_MS = 20;

/**
 * Kills one of the targets after another, by lot, and has each started again after a rest by lot.
 * Mostly all are up when one is killed, and at times several are away at once. Gives the kills by
 * name when the time or the number is over and all targets are up again.
 */
export async function playChaos(
  targets: readonly Target[],
  limits: ChaosLimits,
  lots: Lots,
  onKill: (name: string, count: number) => void,
): Promise<Map<string, number>> {
  const kills = new Map<string, number>(targets.map(({ victim }) => [victim.name, 0]));
  const restarts: Promise<void>[] = [];
  const endsAt = performance.now() + limits.durationMs;
  let count = 0;
  while (performance.now() < endsAt && count < (limits.kills ?? Infinity)) {
    await sleep(lots.between(SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS));
    const mayOverlap = lots.chance(OVERLAP_CHANCE);
    while (!mayOverlap && targets.some(({ victim }) => !victim.isUp())) await sleep(POLL_MS);
    const victim = drawVictim(targets, lots);
    if (!victim) continue;
    await victim.kill();
    count += 1;
    kills.set(victim.name, (kills.get(victim.name) ?? 0) + 1);
    onKill(victim.name, count);
    const restMs = lots.chance(0.5) ? 0 : lots.between(0, LONGEST_REST_MS);
    restarts.push(sleep(restMs).then(() => victim.start()));
  }
  await Promise.all(restarts);
  return kills;
}

/** One of those that are up; null when none is. */
function drawVictim(targets: readonly Target[], lots: Lots): Victim | null {
  const up = targets.filter(({ victim }) => victim.isUp());
  let left = lots.next() * up.reduce((sum, { weight }) => sum + weight, 0);
  for (const { victim, weight } of up) {
    left -= weight;
    if (left < 0) return victim;
  }
  return null;
}
