import type { Database } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import {
  type ConnectionDetails,
  type ConnectionKey,
  deleteConnection,
  type Employee,
  findConnectable,
  insertConnection,
  updateConnection,
} from './connection-store.ts';

/** What changing connections leans on. Each change is one transaction. */
export interface ConnectionDeps {
  readonly database: Database;
}

/** A change of a connection: which one, by whom, and when in epoch milliseconds. */
export interface ConnectionChange extends ConnectionKey {
  readonly employee: Employee;
  readonly nowMs: number;
}

/**
 * Gives a partner access to a restaurant, at once and everywhere (decisions T7, T9). A connection
 * that was removed before begins anew, with a new date of creation. Throws 404 when the restaurant
 * or the partner is unknown, 409 when they are connected already or the restaurant is archived.
 */
export async function connect(
  { database }: ConnectionDeps,
  change: ConnectionChange & ConnectionDetails,
): Promise<void> {
  await database.transaction(async (sql) => {
    const connectable = await findConnectable(sql, change);
    if (connectable === null) {
      throw new ApiError(
        'notFound',
        `There is no restaurant ${change.restaurantGuid} or no partner ${change.partnerGuid}: ` +
          'check both identifiers.',
      );
    }
    if (connectable.restaurantArchived) {
      throw new ApiError(
        'conflict',
        `Restaurant ${change.restaurantGuid} is archived: restore it.`,
      );
    }
    if (!(await insertConnection(sql, change, change, change.nowMs))) {
      throw new ApiError(
        'conflict',
        `Restaurant ${change.restaurantGuid} is connected to partner ${change.partnerGuid} ` +
          'already: edit the connection.',
      );
    }
  });
}

/** Edits what the partner is told of a connection. Throws 404 when there is no live one. */
export async function updateReferences(
  { database }: ConnectionDeps,
  change: ConnectionChange & ConnectionDetails,
): Promise<void> {
  await database.transaction(async (sql) => {
    if (!(await updateConnection(sql, change, change, change.nowMs))) throw notConnected(change);
  });
}

/**
 * Takes the partner's access to a restaurant away, at once and everywhere (decisions T9); the
 * restaurant leaves both lists (R5). Throws 404 when there is no live connection.
 */
export async function disconnect(
  { database }: ConnectionDeps,
  change: ConnectionChange,
): Promise<void> {
  await database.transaction(async (sql) => {
    const isRemoved = await deleteConnection(sql, change, change.employee, change.nowMs);
    if (!isRemoved) throw notConnected(change);
  });
}

function notConnected({ restaurantGuid, partnerGuid }: ConnectionKey): ApiError {
  return new ApiError(
    'notFound',
    `Restaurant ${restaurantGuid} is not connected to partner ${partnerGuid}: connect them first.`,
  );
}
