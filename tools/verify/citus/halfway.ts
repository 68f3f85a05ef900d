import { sleep } from '@servery/support/timer.ts';
import type { Trouble } from '../crash/run.ts';
import type { CitusCluster } from './cluster.ts';
import {
  countOutcomes,
  type Halfway,
  listHalfway,
  listStalledCommits,
  listStalledPrepares,
  updateSettings,
  updateToRunning,
  updateToStalled,
} from './cluster-store.ts';
import { type CitusNode, onNode } from './node.ts';

/** How far the transactions had come, and which node died then. */
interface Strike {
  readonly stage: 'prepared' | 'committed';
  readonly victim: 'worker' | 'coordinator';
}

/** Transactions that were left halfway, and what became of them on their worker. */
export interface HalfwayResult extends Strike {
  readonly left: number;
  readonly committed: number;
  readonly aborted: number;
  /** How long the worker still had them after the node was back; null if it still has them. */
  readonly settledMs: number | null;
}

const strikes: readonly Strike[] = [
  { stage: 'prepared', victim: 'worker' },
  { stage: 'prepared', victim: 'coordinator' },
  { stage: 'committed', victim: 'worker' },
  { stage: 'committed', victim: 'coordinator' },
];

const ROUNDS = 2;
/** Waits for this many at once, or takes what there is after `GATHER_MS`. */
const ENOUGH = 3;
const GATHER_MS = 5_000;
const NONE_LIMIT_MS = 25_000;
const CALM_MS = 2_000;
const SETTLE_LIMIT_MS = 30_000;
const POLL_MS = 50;

/**
 * Stops transactions between PREPARE and COMMIT PREPARED, and then kills a node: the worker or the
 * coordinator, before or after the coordinator has committed. To stop them, it makes a node wait
 * for a standby that does not exist: what the node writes is on its disk, but it tells nobody.
 */
export function leaveHalfway(
  cluster: CitusCluster,
  results: HalfwayResult[],
  tell: (line: string) => void,
): Trouble {
  return async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const worker = cluster.workers[round % cluster.workers.length] as CitusNode;
      for (const strike of strikes) {
        await sleep(CALM_MS);
        const result = await leaveSome(cluster, worker, strike);
        tell(halfwayLine(result));
        results.push(result);
      }
    }
    const count = ROUNDS * 2;
    return new Map([
      ['workers', count],
      ['coordinator', count],
    ]);
  };
}

function halfwayLine(result: HalfwayResult): string {
  const { stage, victim, left, committed, aborted, settledMs } = result;
  const when = settledMs === null ? 'never' : `${(settledMs / 1_000).toFixed(1)} s`;
  return `${stage}, ${victim} killed: ${left} left, ${committed} committed, ${aborted} rolled back, settled after ${when}`;
}

/** Whether there were some, and each ended as the coordinator had decided. */
export function isSettledRight(result: HalfwayResult): boolean {
  const { stage, left, committed, aborted, settledMs } = result;
  const right = stage === 'committed' ? committed : aborted;
  return left > 0 && right === left && settledMs !== null;
}

async function leaveSome(
  cluster: CitusCluster,
  worker: CitusNode,
  strike: Strike,
): Promise<HalfwayResult> {
  const stalled = strike.stage === 'prepared' ? worker : cluster;
  const killed = strike.victim === 'worker' ? worker : cluster;
  await onNode(stalled, ({ sql }) => updateToStalled(sql));
  const left = await gather(() =>
    strike.stage === 'prepared'
      ? onNode(worker, ({ sql }) => listStalledPrepares(sql))
      : listDecided(cluster, worker),
  );
  await onNode(stalled, ({ sql }) => updateToRunning(sql));
  await killed.kill();
  if (stalled !== killed) await onNode(stalled, ({ sql }) => updateSettings(sql));
  await killed.start();
  const settledMs = await waitUntilSettled(worker, left);
  const xids = left.map(({ xid }) => xid);
  const outcomes = await onNode(worker, ({ sql }) => countOutcomes(sql, xids));
  return {
    ...strike,
    left: left.length,
    committed: outcomes.get('committed') ?? 0,
    aborted: outcomes.get('aborted') ?? 0,
    settledMs,
  };
}

/** What the worker has prepared, and the coordinator has committed without telling the worker. */
async function listDecided(cluster: CitusCluster, worker: CitusNode): Promise<Halfway[]> {
  const pids = await onNode(cluster, ({ sql }) => listStalledCommits(sql));
  const prepared = await onNode(worker, ({ sql }) => listHalfway(sql));
  // citus_GROUP_PID_TRANSACTION_CONNECTION
  return prepared.filter(({ gid }) => pids.includes(Number(gid.split('_')[2])));
}

async function gather(list: () => Promise<Halfway[]>): Promise<Halfway[]> {
  const startedAt = performance.now();
  for (;;) {
    const found = await list();
    const waitedMs = performance.now() - startedAt;
    if (found.length >= ENOUGH || waitedMs > NONE_LIMIT_MS) return found;
    if (found.length > 0 && waitedMs > GATHER_MS) return found;
    await sleep(POLL_MS);
  }
}

async function waitUntilSettled(
  worker: CitusNode,
  left: readonly Halfway[],
): Promise<number | null> {
  const gids = new Set(left.map(({ gid }) => gid));
  const startedAt = performance.now();
  for (;;) {
    const held = await onNode(worker, ({ sql }) => listHalfway(sql));
    const waitedMs = performance.now() - startedAt;
    if (!held.some(({ gid }) => gids.has(gid))) return waitedMs;
    if (waitedMs > SETTLE_LIMIT_MS) return null;
    await sleep(POLL_MS);
  }
}
