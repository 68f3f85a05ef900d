import type { Database } from '../database/database.ts';
import type { ProcessRegistry } from '../database/processes.ts';
import { MemoryRateCounter, type RateCounter } from '../http/pipeline/rate-limit.ts';
import { databaseRateCounter } from '../http/pipeline/rate-limit-store.ts';
import type { WorkerTies } from './workers/link.ts';

/**
 * One process counts in memory, and workers count in their parent process. When another process
 * joins the database, all count there (API-7).
 */
export function rateCounterOf(
  { sql }: Database,
  processes: ProcessRegistry,
  worker: WorkerTies | undefined,
): RateCounter {
  const together = databaseRateCounter(sql);
  const alone = worker?.rateCounter(together) ?? new MemoryRateCounter();
  return { count: (count) => (processes.hasOthers() ? together : alone).count(count) };
}
