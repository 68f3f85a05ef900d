import cluster from 'node:cluster';
import { cannotStart } from '@servery/support/start-child.ts';
import { LATE, within } from '@servery/support/timer.ts';
import { MemoryBudgets } from '../../http/pipeline/budgets.ts';
import type { Log } from '../../support/log.ts';
import type { Metrics } from '../../support/metrics.ts';
import { gatherMetrics, type MetricsGatherer } from './gather-metrics.ts';
import { type Asks, forkMember, type Member } from './member.ts';
import type { Begin, Ready } from './messages.ts';

/** Doubled each time a worker dies soon after its start. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
/** A worker that lived this long restarts at once. */
const LONG_LIFE_MS = 60_000;
const GIVE_UP_MS = 5_000;

export interface SupervisorDeps {
  readonly exec: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly count: number;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly pause: (durationMs: number, signal: AbortSignal) => Promise<void>;
}

export interface Workers {
  /**
   * The first worker begins before all others. Throws an Error with what a worker said that cannot
   * begin; the caller stops the others.
   */
  begin(begin: Omit<Begin, 'kind' | 'number' | 'isFirst'>): Promise<Ready>;
  stop(): Promise<void>;
}

/**
 * Grants the budgets of all workers and replaces those that die: at once at first, then after a
 * growing pause.
 */
export function startWorkers(deps: SupervisorDeps): Workers {
  const { exec, args, env, count, log, metrics, pause } = deps;
  const stopping = new AbortController();
  const budgets = new MemoryBudgets();
  const members = new Set<Member>();
  const serving = new Set<Member>();
  const gatherer = gatherMetrics(() => [...serving], metrics.share);
  // Connections are handed out in turn: see docs/decisions/0013.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec, args: [...args], silent: false });
  const onAsk = (member: Member, ask: Asks) => {
    if (ask.kind === 'asked') {
      const grants = ask.asks.map((one) => budgets.ask(one));
      member.send({ kind: 'granted', id: ask.id, grants });
    } else void tellMetrics(gatherer, log, member, ask.id);
  };
  const fork = (number: number): Member => {
    const member = forkMember(number, env, onAsk);
    members.add(member);
    void member.gone.then(() => {
      members.delete(member);
      serving.delete(member);
      gatherer.ended(member);
    });
    return member;
  };
  const serve = async (member: Member, begin: Begin): Promise<Ready> => {
    const ready = await member.begin(begin);
    serving.add(member);
    return ready;
  };
  const keep = async (first: Member, begin: Begin): Promise<void> => {
    let pauseMs = 0;
    for (let member = first; ; ) {
      if (await livesLong(member, pause)) pauseMs = 0;
      const end = await member.gone;
      if (stopping.signal.aborted) return;
      const { pid, number: worker } = member;
      log.error({ worker, pid, ...end, pauseMs }, 'a worker ended and is being restarted');
      await pause(pauseMs, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      const next = await forkWhenPossible(() => fork(worker), worker, deps, stopping.signal);
      if (!next) return;
      member = next;
      await serve(member, { ...begin, isFirst: false }).catch((error: Error) =>
        log.error({ worker, reason: error.message }, 'a worker cannot start'),
      );
    }
  };
  const forked = Array.from({ length: count }, (_one, at) => fork(at + 1));
  return {
    async begin(told) {
      const beginOf = ({ number }: Member): Begin => ({
        ...{ kind: 'begin', number, isFirst: number === 1 },
        ...told,
      });
      const [first, ...others] = forked as [Member, ...Member[]];
      const ready = await serve(first, beginOf(first));
      await Promise.all(others.map((member) => serve(member, beginOf(member))));
      for (const member of forked) void keep(member, beginOf(member));
      return ready;
    },
    async stop() {
      stopping.abort();
      for (const member of members) member.stop();
      await Promise.all([...members].map(({ gone }) => gone));
    },
  };
}

/** A machine short of memory or processes may recover; null when the workers stop. */
async function forkWhenPossible(
  fork: () => Member,
  worker: number,
  { log, pause }: SupervisorDeps,
  stopping: AbortSignal,
): Promise<Member | null> {
  for (let pauseMs = FIRST_PAUSE_MS; !stopping.aborted; pauseMs *= 2) {
    try {
      return fork();
    } catch (error) {
      const { message: reason } = cannotStart(`worker ${worker}`, error);
      log.error({ worker, reason }, 'a worker cannot be started: trying again');
      await pause(Math.min(pauseMs, LONGEST_PAUSE_MS), stopping).catch(() => {});
    }
  }
  return null;
}

/** The asking worker gives up after a while; a failed sum must not end workers. */
async function tellMetrics(gatherer: MetricsGatherer, log: Log, member: Member, id: number) {
  try {
    member.send({ kind: 'metrics', id, shares: await gatherer.gather() });
  } catch (error) {
    log.error(
      { err: error, worker: member.number },
      'the metrics of the workers cannot be combined',
    );
  }
}

async function livesLong(member: Member, pause: SupervisorDeps['pause']): Promise<boolean> {
  const gone = new AbortController();
  const lived = pause(LONG_LIFE_MS, gone.signal).then(
    () => true,
    () => false,
  );
  const isLong = await Promise.race([lived, member.gone.then(() => false)]);
  gone.abort();
  return isLong;
}

export async function giveUpWorkers(): Promise<void> {
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  await Promise.all(
    workers.map(async (worker) => {
      // The exit may be known before the end of the channel.
      if (worker.isDead()) return;
      const gone = new Promise<true>((resolve) => worker.once('exit', () => resolve(true)));
      if (worker.isConnected())
        worker.process.send({ kind: 'giveUp' }, undefined, undefined, () => {});
      if ((await within(gone, GIVE_UP_MS)) !== LATE) return;
      worker.process.kill('SIGKILL');
      await gone;
    }),
  );
}
