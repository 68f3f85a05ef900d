import type { Sql } from '../../database/database.ts';
import {
  type Ask,
  type BudgetState,
  type Budgets,
  type Grant,
  grant,
  grantOf,
  HELD_PART,
  heldAtMost,
  QUARTER_HOUR,
  TEN,
} from './budgets.ts';

interface GrantedRow extends BudgetState {
  readonly share: number;
  readonly block: number;
}

/** The budgets that all processes share (API-7). Decides as `grant` does, which makes the first row. */
async function insertOrUpdateBudget(sql: Sql, ask: Ask): Promise<Grant> {
  const { key, second, perSecond, perQuarterHour, share, block, returned } = ask;
  const first = grant(null, ask);
  const { state } = first;
  const [row] = await sql<[GrantedRow]>`
    insert into rate_budget as b
      (key, second_index, second_used, held, quarter_hour_used, granted_share, granted_block)
    values (
      ${key}, ${second}, ${state.used}, ${state.held}, ${state.quarterHourUsed},
      ${first.grant.share}, ${first.grant.block}
    )
    on conflict (key) do update set
      (second_index, second_used, held, quarter_hour_used, granted_share, granted_block) = (
        select now.second, now.used + given.block, now.held + given.share,
          now.quarter_hour_used + given.block + given.share * (ten - now.second % ten),
          given.share, given.block
        from (
          select greatest(b.second_index, ${second}::bigint) as second, ${TEN}::bigint as ten,
            ${QUARTER_HOUR}::bigint as quarter_hour, ${HELD_PART}::bigint as held_part
        ) as newest
        cross join lateral (
          select newest.second,
            case when b.second_index = newest.second then b.second_used else 0 end as used,
            case when b.second_index / ten = newest.second / ten then b.held else 0 end as held,
            greatest(0,
              case when b.second_index / quarter_hour = newest.second / quarter_hour
                then b.quarter_hour_used else 0 end
              - case when ${second}::bigint / quarter_hour = newest.second / quarter_hour
                then ${returned}::bigint else 0 end) as quarter_hour_used
        ) as now
        cross join lateral (
          select ${perSecond}::bigint - now.used - now.held as free,
            ${perQuarterHour}::bigint - now.quarter_hour_used as quarter_hour_free
        ) as rest
        cross join lateral (
          select ${share}::bigint > 0
            and now.held + ${share}::bigint <= ${heldAtMost(perSecond)}::bigint
            and ${share}::bigint <= rest.free
            and ${share}::bigint * (ten - now.second % ten) * held_part <= rest.quarter_hour_free
              as is_shared
        ) as decided
        cross join lateral (
          select case when is_shared then ${share}::bigint else 0 end as share,
            case when is_shared then 0 else
              greatest(0, least(${block}::bigint, rest.free, rest.quarter_hour_free))
            end as block
        ) as given
      )
    returning second_index::float8 as second, second_used::float8 as used, held::float8 as held,
      quarter_hour_used::float8 as "quarterHourUsed",
      granted_share::float8 as share, granted_block::float8 as block`;
  return grantOf(row, ask, row.share, row.block);
}

export async function deletePassedBudgets(sql: Sql, nowMs: number): Promise<void> {
  const second = Math.floor(nowMs / 1000);
  await sql`
    delete from rate_budget where second_index < ${second - 2 * QUARTER_HOUR}`;
}

export function databaseBudgets(sql: Sql): Budgets {
  return { ask: (ask) => insertOrUpdateBudget(sql, ask) };
}
