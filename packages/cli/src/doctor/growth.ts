import { type AgedTable, type Config, type Database, load } from '@servery/server';
import { broken, type Finding, fine, worth } from './finding.ts';

const { findPastCount, findWrongTotals, listLargestTables } = await load.checks();

const DAY_MS = 86_400_000;
const SHOWN = 5;
const MEBIBYTE = 1_048_576;
/** Autovacuum begins at a fifth. */
const DEAD_SHARE = 0.4;
const DEAD_ROWS = 100_000;
const COUNTED = 10_000;
/** More than the work that deletes takes. */
const GRACE_DAYS = 1;
const USE_DAYS = 400;

/** How large the database is, what has outlived its time, and whether kept totals are right. */
export async function checkGrowth(
  config: Config,
  { sql }: Database,
  { nowMs, realNowMs }: { readonly nowMs: number; readonly realNowMs: number },
): Promise<Finding[]> {
  return [
    ...(await checkTables(sql)),
    ...(await checkRetention(config, sql, { nowMs, realNowMs })),
    await checkTotals(sql),
  ];
}

async function checkTables(sql: Database['sql']): Promise<Finding[]> {
  const tables = await listLargestTables(sql, SHOWN);
  const sizes = tables.map(({ name, rows, deadRows, bytes }) => {
    const dead = deadRows === 0 ? '' : `, ${numberText(deadRows)} dead`;
    return `${name} ${numberText(Math.ceil(bytes / MEBIBYTE))} MiB (${numberText(rows)} rows${dead})`;
  });
  const neglected = tables.filter(
    ({ rows, deadRows }) => deadRows > DEAD_ROWS && deadRows > DEAD_SHARE * rows,
  );
  return [
    fine('largest tables', sizes.join(', ')),
    ...neglected.map(({ name, deadRows }) =>
      worth(
        'dead rows',
        `${name} has ${numberText(deadRows)}: autovacuum does not keep up`,
        `vacuum (analyze) ${name}; and find what holds a transaction open, or give autovacuum more`,
      ),
    ),
  ];
}

async function checkRetention(
  { requestLog, stockHistoryDays, eventDays, guestRetentionDays, orderGuestDays }: Config,
  sql: Database['sql'],
  { nowMs, realNowMs }: { readonly nowMs: number; readonly realNowMs: number },
): Promise<Finding[]> {
  const check = 'retention';
  const kept: readonly (readonly [AgedTable, number, number])[] = [
    ['client_operation_use', USE_DAYS, nowMs],
    ['order_guest', orderGuestDays, nowMs],
    ['payment_guest', guestRetentionDays, nowMs],
    ['request_log', requestLog.days, realNowMs],
    ['stock_change', stockHistoryDays, nowMs],
    ['velocity_count', 0, nowMs],
    ['webhook_delivery', eventDays, nowMs],
  ];
  const found: Finding[] = [];
  for (const [table, days, fromMs] of kept) {
    const before = new Date(fromMs - (days + GRACE_DAYS) * DAY_MS);
    const count = await findPastCount(sql, table, before, COUNTED);
    if (count === 0) continue;
    const number = count === COUNTED ? `${numberText(count)} or more` : numberText(count);
    const what = `${table}: ${number} rows should have been deleted by now`;
    found.push(worth(check, what, 'start a server, and look for errors in its log'));
  }
  return found.length > 0 ? found : [fine(check, 'nothing has outlived its time')];
}

async function checkTotals(sql: Database['sql']): Promise<Finding> {
  const count = await findWrongTotals(sql);
  if (count === 0) return fine('totals', 'kept totals are right');
  return broken(
    'totals',
    `${count} partners have a total of connections that is not the number of their connections`,
    'report it; what connectedRestaurants lists is right, and only its totals are wrong',
  );
}

function numberText(value: number): string {
  return value.toLocaleString('en');
}
