import { mayComeThrough } from '@servery/postgres/away.ts';
import { connectDatabase } from '@servery/postgres/database.ts';
import { isPostgresError, isSqlState } from '@servery/postgres/postgres-error.ts';
import { LATE, within } from '@servery/support/timer.ts';
import type { Sight } from '../freshness/cache.ts';
import { readRevisions } from '../freshness/change-mark-store.ts';
import type { Log } from '../support/log.ts';
import type { Metrics } from '../support/metrics.ts';
import type { Database, Sql } from './database.ts';
import { isStandby } from './examine-replica.ts';
import { findHeartbeat, type ProcessRegistry, SILENCE_MS } from './processes.ts';
import { refuseTouching, withTouching } from './sql.ts';
import { placeOf, unreachedBecause } from './unreached.ts';

export interface ReplicaDeps {
  readonly url: string;
  readonly poolSize: number;
  readonly primary: Pick<Database, 'freshness' | 'statementTimes'>;
  readonly processes: Pick<ProcessRegistry, 'processId' | 'beatAtMs'>;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * A copy of the database that PostgreSQL keeps up to date. It answers reads as memory does: only if
 * it has every change that this process knows of (decision 0036). It decides nothing.
 */
export interface Replica {
  /**
   * Null if the primary has to answer. `read` sees one moment, and what it throws is not the
   * answer either.
   */
  read<Value>(
    sight: Sight,
    read: (sql: Sql) => Promise<Value>,
  ): Promise<{ readonly value: Value } | null>;
  /** Finds out whether it can be used. Call it every second; it never rejects. */
  check(): Promise<void>;
  close(): Promise<void>;
}

const CONNECT_LIMIT_MS = 1_000;
const CHECK_LIMIT_MS = 1_000;
const READ_LIMIT_MS = 2_000;
const PATIENCE = { silenceMs: 1_000, probeMs: 1_000, marginMs: 1_000 };

const outcomes = ['answered', 'behind', 'failed', 'undecided'] as const;

class BehindError extends Error {}

/** It connects when first needed. */
export function openReplica({
  url,
  poolSize,
  primary: { freshness, statementTimes },
  processes,
  log,
  metrics,
}: ReplicaDeps): Replica {
  const { sql, transaction, close } = connectDatabase({
    ...{ url, poolSize, applicationName: 'servery', watch: statementTimes.watch },
    ...{ connectTimeoutMs: CONNECT_LIMIT_MS, statementTimeoutMs: READ_LIMIT_MS },
    patience: PATIENCE,
  });
  /** Of the newest heartbeat of this process that it is known to have. */
  let caughtUpToMs = processes.beatAtMs();
  let isUsed = false;
  let told: string | null = null;
  let isClosed = false;
  const lagMs = () => Math.max(processes.beatAtMs() - caughtUpToMs, 0);
  const count = metrics.counter({
    name: 'replica_reads_total',
    help: 'Reads that the replica was asked, by what became of them.',
    label: 'outcome',
    values: outcomes,
  });
  metrics.gauge({
    name: 'replica',
    help: 'Whether reads go to the replica (1 or 0), and how far it is behind.',
    label: 'what',
    values: ['used', 'lag_seconds'],
    isOfProcess: true,
    read: async () => [
      ['used', isUsed ? 1 : 0],
      ['lag_seconds', lagMs() / 1_000],
    ],
  });

  async function readThere<Value>(
    buckets: readonly number[],
    read: (sql: Sql) => Promise<Value>,
  ): Promise<{ readonly value: Value; readonly seen: string }> {
    return await transaction(
      async (plain) => {
        const there = withTouching(plain, refuseTouching);
        // Both travel together, and see one moment.
        const proof = findHeartbeat(there, processes.processId, buckets);
        const reading = read(there);
        reading.catch(() => {});
        const { seen = null, serverStartedAt = '' } = (await proof) ?? {};
        if (seen === null) throw new BehindError();
        const revisions = readRevisions(seen);
        if (!freshness.isReachedBy(buckets, { revisions, serverStartedAt })) {
          throw new BehindError();
        }
        return { value: await reading, seen };
      },
      { isolation: 'repeatable read', readOnly: true, isBegunAlong: true },
    );
  }

  function outcomeOf(error: unknown): (typeof outcomes)[number] {
    if (error instanceof BehindError) return 'behind';
    return isPostgresError(error) || mayComeThrough(error) ? 'failed' : 'undecided';
  }

  async function findTrouble(): Promise<string | null> {
    if (freshness.isOfCluster()) {
      isUsed = false;
      return 'the database is a cluster, and rows of its workers are not in the replica';
    }
    const there = withTouching(sql, refuseTouching);
    const ask = async () => ({
      isReplica: await isStandby(there),
      beat: await findHeartbeat(there, processes.processId, []),
    });
    const answer = await within(ask(), CHECK_LIMIT_MS);
    if (answer === LATE) return 'it does not answer';
    const { isReplica, beat } = answer;
    // After a failover it may follow a server that nobody uses anymore.
    const isOfPrimary = beat?.serverStartedAt === freshness.serverStartedAt;
    if (beat && isOfPrimary) caughtUpToMs = beat.seenAt.getTime();
    isUsed = isReplica && isOfPrimary && lagMs() <= SILENCE_MS;
    if (!isReplica) return 'it is no replica: it takes writes';
    if (lagMs() <= SILENCE_MS) return null;
    const seconds = Math.round(lagMs() / 1_000);
    return beat
      ? `it is ${seconds} seconds behind`
      : 'it has nothing of this server: it is far behind, or a replica of another database';
  }

  return {
    async read(sight, read) {
      if (!isUsed) return null;
      try {
        const found = await within(readThere(sight.buckets, read), READ_LIMIT_MS);
        if (found !== LATE) {
          sight.saw(found.seen);
          count('answered');
          return found;
        }
        isUsed = false;
        count('failed');
      } catch (error) {
        const outcome = outcomeOf(error);
        if (outcome === 'failed') isUsed = false;
        count(outcome);
      }
      return null;
    },

    async check() {
      const trouble = await findTrouble().catch((error) => {
        isUsed = false;
        return whyNot(error, url);
      });
      if (isClosed) return;
      if (trouble !== null && told === null) {
        log.warn(
          { replica: placeOf(url), reason: trouble },
          'SERVERY_REPLICA_URL is not used, so the primary answers all reads: see "servery doctor"',
        );
      }
      if (trouble === null && told !== null) log.warn({}, 'SERVERY_REPLICA_URL is used again');
      told = trouble;
    },

    async close() {
      isClosed = true;
      await close();
    },
  };
}

function whyNot(error: unknown, url: string): string {
  if (isSqlState(error, '42P01')) return 'it holds no database of Servery';
  return unreachedBecause(error, url) ?? (error as Error).message;
}
