import type { Sql } from '../../database/database.ts';
import type { Count, RateCounter, WindowCounts } from './rate-limit.ts';

/**
 * The budget that all processes share (API-7). A request for an older window counts in the newest:
 * otherwise a slower clock would reset the budget.
 */
async function insertOrUpdateRateCount(sql: Sql, count: Count): Promise<WindowCounts> {
  const { key, second, quarterHour, perSecond } = count;
  const [row] = await sql<[WindowCounts]>`
    insert into rate_count as r
      (key, second_index, second_used, quarter_hour_index, quarter_hour_used)
    values (${key}, ${second}, 1, ${quarterHour}, 1)
    on conflict (key) do update set
      second_index = greatest(r.second_index, excluded.second_index),
      second_used =
        case when r.second_index < excluded.second_index then 1 else r.second_used + 1 end,
      quarter_hour_index = greatest(r.quarter_hour_index, excluded.quarter_hour_index),
      quarter_hour_used = case
        when r.quarter_hour_index < excluded.quarter_hour_index then 1
        when r.second_index >= excluded.second_index and r.second_used >= ${perSecond}
          then r.quarter_hour_used
        else r.quarter_hour_used + 1 end
    returning second_used as "second", quarter_hour_used as "quarterHour"`;
  return row;
}

export async function deletePassedRateCounts(sql: Sql, quarterHourIndex: number): Promise<void> {
  await sql`delete from rate_count where quarter_hour_index < ${quarterHourIndex - 1}`;
}

export function databaseRateCounter(sql: Sql): RateCounter {
  return { count: (count) => insertOrUpdateRateCount(sql, count) };
}
