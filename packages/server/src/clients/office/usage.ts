import type { Sql } from '../../database/database.ts';
import {
  type Days,
  listDayUse,
  listOperationUse,
  listRestaurantUse,
  listScopeUse,
  type OperationCount,
  type RestaurantUseRow,
  type ScopeUseRow,
} from '../use-store.ts';

/** How often an operation was asked for, and by which statuses it was answered. */
export interface OperationUsage {
  readonly operation: string;
  readonly requests: number;
  readonly statuses: { readonly status: number; readonly requests: number }[];
}

/** How an account was used on some days, as far as it was written down. */
export interface Usage extends Days {
  readonly clientId: string;
  readonly requests: number;
  /** The most frequent first. */
  readonly operations: OperationUsage[];
  readonly days: Pick<OperationCount, 'day' | 'requests'>[];
  /** The most frequent first, at most 500. */
  readonly restaurants: Omit<RestaurantUseRow, 'restaurantCount'>[];
  readonly restaurantCount: number;
  /** Each scope that the account has now, by name. */
  readonly scopes: ScopeUseRow[];
}

const RESTAURANTS_AT_MOST = 500;

/** Reads how an account was used; `nowMs` is the environment's time. */
export async function readUsage(
  sql: Sql,
  clientId: string,
  days: Days,
  nowMs: number,
): Promise<Usage> {
  const operations = byOperation(await listOperationUse(sql, clientId, days));
  const restaurants = await listRestaurantUse(sql, clientId, days, RESTAURANTS_AT_MOST);
  return {
    clientId,
    ...days,
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    operations,
    days: await listDayUse(sql, clientId, days),
    restaurants: restaurants.map(({ restaurantCount: _, ...restaurant }) => restaurant),
    restaurantCount: restaurants[0]?.restaurantCount ?? 0,
    scopes: await listScopeUse(sql, clientId, nowMs),
  };
}

function byOperation(
  rows: readonly Pick<OperationCount, 'operation' | 'status' | 'requests'>[],
): OperationUsage[] {
  const groups = Map.groupBy(rows, ({ operation }) => operation);
  return [...groups]
    .map(([operation, statuses]) => ({
      operation,
      requests: statuses.reduce((sum, { requests }) => sum + requests, 0),
      statuses: statuses.map(({ status, requests }) => ({ status, requests })),
    }))
    .sort((one, other) => other.requests - one.requests);
}
