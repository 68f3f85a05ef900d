import type { OperationUse } from '@servery/contract';
import type { Faults } from '../../http/faults.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { type ClientAdminDeps, findManaged } from '../managed-client.ts';
import {
  type Days,
  listDayUse,
  listOperationUse,
  listRestaurantUse,
  listScopeUse,
  type OperationCount,
} from '../use-store.ts';

const DAY_MS = 86_400_000;
const DAYS_BY_DEFAULT = 30;
const DAYS_AT_MOST = 400;
const RESTAURANTS_AT_MOST = 500;

export const clientUsageHandler =
  ({ database: { sql } }: ClientAdminDeps): HandlerOf<'backOffice.clients.usage'> =>
  async ({ params, query, reach, faults, nowMs }) => {
    const days = daysOf(query, nowMs, faults);
    const { clientId } = await findManaged(sql, params.clientId, reach);
    const operations = byOperation(await listOperationUse(sql, clientId, days));
    const found = await listRestaurantUse(sql, clientId, days, RESTAURANTS_AT_MOST);
    return {
      json: {
        clientId,
        ...days,
        requests: operations.reduce((sum, { requests }) => sum + requests, 0),
        operations,
        days: await listDayUse(sql, clientId, days),
        restaurants: found.map(({ restaurantCount: _, ...restaurant }) => restaurant),
        restaurantCount: found[0]?.restaurantCount ?? 0,
        scopes: await listScopeUse(sql, clientId, nowMs),
      },
    };
  };

function daysOf(
  { from, to }: { readonly from?: string; readonly to?: string },
  nowMs: number,
  faults: Faults,
): Days {
  const toMs = to === undefined ? nowMs - (nowMs % DAY_MS) : Date.parse(to);
  const fromMs = from === undefined ? toMs - (DAYS_BY_DEFAULT - 1) * DAY_MS : Date.parse(from);
  const count = (toMs - fromMs) / DAY_MS + 1;
  if (count < 1 || count > DAYS_AT_MOST) {
    faults.add(
      ['from'],
      `must be the same day as to, or at most ${DAYS_AT_MOST - 1} days before it`,
    );
  }
  faults.refuse();
  return { from: dayText(fromMs), to: dayText(toMs) };
}

function dayText(dayMs: number): string {
  return new Date(dayMs).toISOString().slice(0, 10);
}

function byOperation(
  rows: readonly Pick<OperationCount, 'operation' | 'status' | 'requests'>[],
): OperationUse[] {
  const groups = Map.groupBy(rows, ({ operation }) => operation);
  return [...groups]
    .map(([operation, statuses]) => ({
      operation,
      requests: statuses.reduce((sum, { requests }) => sum + requests, 0),
      statuses: statuses.map(({ status, requests }) => ({ status, requests })),
    }))
    .sort((one, other) => other.requests - one.requests);
}
