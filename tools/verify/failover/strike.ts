import { sleep } from '@servery/support/timer.ts';
import { monotonicUs } from '../crash/history.ts';
import type { Lots } from '../crash/random.ts';
import type { PatroniCluster } from './patroni-cluster.ts';

export type StrikeKind = 'hang' | 'kill';

/** A primary that hung or was killed. */
export interface Strike {
  readonly kind: StrikeKind;
  readonly atUs: number;
}

/** Calm before a strike, and at most with the new primary before the old one comes back. */
const CALM_MS = 8_000;

/**
 * Strikes the primary so often, each time after all members are there again. The old primary comes
 * back while the new one is at work: what was acknowledged then is lost if it takes over again.
 */
export async function strikePrimaries(
  cluster: PatroniCluster,
  kinds: readonly StrikeKind[],
  lots: Lots,
  tell: (line: string) => void,
): Promise<Strike[]> {
  const strikes: Strike[] = [];
  const calmDown = async () => {
    // What a member tells just after it was woken is from before.
    await sleep(CALM_MS);
    const rebuilt = await cluster.waitForHealth();
    if (rebuilt.length > 0) tell(`${rebuilt.join(', ')} did not rejoin, and had to be rebuilt`);
  };
  for (const [index, kind] of kinds.entries()) {
    await calmDown();
    const primary = await cluster.waitForPrimary(null);
    const atUs = monotonicUs();
    strikes.push({ kind, atUs });
    if (kind === 'hang') primary.hang();
    else await primary.kill();
    const next = await cluster.waitForPrimary(primary);
    const seconds = Math.round((monotonicUs() - atUs) / 1e6);
    tell(`${index + 1}. ${kind} of ${primary.name}: ${next.name} took over after ${seconds} s`);
    await sleep(lots.between(0, CALM_MS));
    if (kind === 'hang') primary.wake();
    else primary.start();
  }
  await calmDown();
  return strikes;
}
