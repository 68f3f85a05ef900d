import {
  CommitUnknownError,
  connectDatabase as connectPlain,
  type Database as PlainDatabase,
  type DatabaseOptions as PlainOptions,
  type TransactionOptions as PlainTransactionOptions,
} from '@servery/postgres/database.ts';
import { machineClock, monotonicMs } from '@servery/support/clock.ts';
import {
  listRaised,
  listRevisions,
  type Revision,
  updateMarks,
} from '../freshness/change-mark-store.ts';
import { Freshness, type ListCounters } from '../freshness/freshness.ts';
import { openLooker } from '../freshness/looker.ts';
import { bucketOf } from '../freshness/subjects.ts';
import { refuseTouching, type Sql, touchedBy, withTouching } from './sql.ts';
import { StatementTimes } from './statement-times.ts';

export type { Sql } from './sql.ts';

export type TransactionOptions = Omit<PlainTransactionOptions, 'atCommit'>;

export interface Database extends Omit<PlainDatabase, 'sql' | 'transaction' | 'openSession'> {
  readonly sql: Sql;
  transaction<T>(run: (sql: Sql) => Promise<T>, options?: TransactionOptions): Promise<T>;
  readonly freshness: Freshness;
  readonly statementTimes: StatementTimes;
  /**
   * Uses a connection beside the pool, also for short reads of `beside`. Throws if the database does
   * not answer.
   */
  look(beside?: (sql: Sql) => Promise<unknown>): Promise<void>;
}

export interface DatabaseOptions extends Omit<PlainOptions, 'watch'> {
  readonly lookLimitMs?: number;
}

/** They connect when first needed. */
export function connectDatabase(options: DatabaseOptions): Database {
  const statementTimes = new StatementTimes();
  const { watch } = statementTimes;
  const plain = connectPlain({ applicationName: 'servery', ...options, watch });
  const counters: ListCounters = {
    of: (buckets) => listRevisions(plain.sql, buckets),
    raisedSince: (known) => listRaised(plain.sql, known),
  };
  const freshness = new Freshness(monotonicMs, counters, () => machineClock.nowMs());
  const looker = openLooker({
    open: plain.openSession,
    freshness,
    limitMs: options.lookLimitMs ?? options.connectTimeoutMs ?? 10_000,
  });
  const transaction: Database['transaction'] = (run, how) => transact(plain, freshness, run, how);
  return {
    sql: withTouching(plain.sql, (touched, strings, values) =>
      transaction((sql) => sql.touching(touched)(strings, ...values)),
    ),
    transaction,
    freshness,
    statementTimes,
    look: (beside) => looker.look(beside && ((sql) => beside(withTouching(sql, refuseTouching)))),
    pool: plain.pool,
    writing: plain.writing,
    hold: async () => {
      await Promise.all([plain.hold(), looker.hold()]);
    },
    resume: () => {
      plain.resume();
      looker.resume();
    },
    close: async () => {
      await Promise.all([plain.close(), looker.close()]);
    },
  };
}

async function transact<T>(
  plain: PlainDatabase,
  freshness: Freshness,
  run: (sql: Sql) => Promise<T>,
  options?: TransactionOptions,
): Promise<T> {
  if (options?.isOneTrip) {
    return await plain.transaction((sql) => run(withTouching(sql, refuseTouching)), options);
  }
  let touched = new Set<number>();
  let raised: Promise<readonly Revision[]> = Promise.resolve([]);
  const attempt = (sql: PlainDatabase['sql']) => {
    const ownTouched = new Set<number>();
    touched = ownTouched;
    return run(
      withTouching(sql, async (subjects, strings, values) => {
        const rows = await sql(strings, ...values);
        for (const subject of touchedBy(subjects, rows)) ownTouched.add(bucketOf(subject));
        return rows;
      }),
    );
  };
  // Last, to hold the locks on counters briefly.
  const atCommit: PlainTransactionOptions['atCommit'] = (sql) => {
    if (touched.size === 0) return null;
    raised = updateMarks(sql, [...touched]);
    return raised;
  };
  try {
    const result = await plain.transaction(attempt, { ...options, atCommit });
    if (touched.size > 0) freshness.committed([...touched], await raised.catch(() => []));
    return result;
  } catch (error) {
    if (error instanceof CommitUnknownError && touched.size > 0) freshness.doubt([...touched]);
    throw error;
  }
}
