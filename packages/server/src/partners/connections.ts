import type { Clock } from '@servery/support/clock.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { updatePartnerEventPosition } from './change-store.ts';
import {
  type ConnectionDetails,
  type ConnectionKey,
  type ConnectionView,
  deleteConnection,
  type Employee,
  findConnectable,
  findConnectionLocked,
  insertConnection,
  updateConnection,
} from './connection-store.ts';
import { recordConnectionChange } from './record-change.ts';

export interface ConnectionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ConnectionChange extends ConnectionKey {
  readonly employee: Employee;
  /** Its instant is ignored: the change is dated by its turn among the partner's events. */
  readonly origin: ChangeOrigin;
}

/**
 * AUTH-7, AUTH-9: takes effect at once everywhere. A removed connection starts over with a new
 * creation date. Throws 422 when either side is unknown, 409 when they are connected or the
 * restaurant is archived.
 */
export async function connect(
  deps: ConnectionDeps,
  change: ConnectionChange & ConnectionDetails,
): Promise<ConnectionView> {
  return await deps.database.transaction(async (sql) => {
    const connectable = await findConnectable(sql, change);
    if (connectable === null) throw notConnectable(change);
    if (connectable.restaurantArchived) {
      throw new ApiError(
        'conflict',
        `Restaurant ${change.restaurantGuid} is archived: restore it.`,
      );
    }
    const before = await findConnectionLocked(sql, change);
    if (before && !before.removedAt) throw alreadyConnected(change);
    const turn = await takeTurn(deps, sql, change);
    // The loser of two parallel first connections finds the winner's row here.
    const isMade = await insertConnection(sql, change, change, turn.origin.at);
    if (!isMade) throw alreadyConnected(change);
    return record(sql, change, 'CONNECTED', before, turn);
  });
}

/**
 * Absent fields stay; nothing is written when nothing differs. Throws 404 when there never was a
 * connection, and 409 when it has ended.
 */
export async function updateReferences(
  deps: ConnectionDeps,
  change: ConnectionChange & Partial<ConnectionDetails>,
): Promise<ConnectionView> {
  return await deps.database.transaction(async (sql) => {
    await findConnectable(sql, change);
    const before = await findConnectionLocked(sql, change);
    if (!before) throw notConnected(change);
    if (before.removedAt) {
      throw new ApiError('conflict', 'The connection has ended: connect the partner again.');
    }
    const { externalGroupRef, externalRestaurantRef } = { ...before, ...definedOf(change) };
    const isSame =
      externalGroupRef === before.externalGroupRef &&
      externalRestaurantRef === before.externalRestaurantRef;
    if (isSame) return before;
    const turn = await takeTurn(deps, sql, change);
    const { employee } = change;
    const edited = { externalGroupRef, externalRestaurantRef, employee };
    await updateConnection(sql, change, edited, turn.origin.at);
    return record(sql, change, 'EDITED', before, turn);
  });
}

/**
 * AUTH-9: takes effect at once everywhere. PTN-5: the restaurant leaves both lists. Leaves an ended
 * connection unchanged. Throws 404 when there never was one.
 */
export async function disconnect(
  deps: ConnectionDeps,
  change: ConnectionChange & { readonly reason: string },
): Promise<ConnectionView> {
  return await deps.database.transaction(async (sql) => {
    await findConnectable(sql, change);
    const before = await findConnectionLocked(sql, change);
    if (!before) throw notConnected(change);
    if (before.removedAt) return before;
    const turn = await takeTurn(deps, sql, change);
    await deleteConnection(sql, change, change, turn.origin.at);
    return record(sql, change, 'DISCONNECTED', before, turn);
  });
}

interface Turn {
  readonly position: number;
  readonly origin: ChangeOrigin;
}

/**
 * Reads the time under the partner's lock: events follow the order of their times, and no change is
 * dated before a list that lacked it.
 */
async function takeTurn(
  { clock }: ConnectionDeps,
  sql: Sql,
  { partnerGuid, origin }: ConnectionChange,
): Promise<Turn> {
  const position = await updatePartnerEventPosition(sql, partnerGuid);
  return { position, origin: { ...origin, at: new Date(clock.nowMs()) } };
}

function record(
  sql: Sql,
  { restaurantGuid, partnerGuid }: ConnectionKey,
  kind: 'CONNECTED' | 'EDITED' | 'DISCONNECTED',
  before: ConnectionView | null,
  { position, origin }: Turn,
): Promise<ConnectionView> {
  const change = { restaurantGuid, partnerGuid, kind, before, position };
  return recordConnectionChange(sql, origin, change);
}

function definedOf(change: Partial<ConnectionDetails>): Partial<ConnectionDetails> {
  const { externalGroupRef, externalRestaurantRef } = change;
  return {
    ...(externalGroupRef === undefined ? {} : { externalGroupRef }),
    ...(externalRestaurantRef === undefined ? {} : { externalRestaurantRef }),
  };
}

function notConnectable({ restaurantGuid, partnerGuid }: ConnectionKey): ApiError {
  return new ApiError(
    'unprocessable',
    `There is no partner ${partnerGuid} that restaurant ${restaurantGuid} could connect to: ` +
      'check partnerGuid.',
    { faults: [{ where: 'partnerGuid', message: 'names no partner' }] },
  );
}

function alreadyConnected({ restaurantGuid, partnerGuid }: ConnectionKey): ApiError {
  return new ApiError(
    'conflict',
    `Restaurant ${restaurantGuid} is connected to partner ${partnerGuid} already: edit the ` +
      'connection.',
  );
}

function notConnected({ restaurantGuid, partnerGuid }: ConnectionKey): ApiError {
  return new ApiError(
    'notFound',
    `Restaurant ${restaurantGuid} was never connected to partner ${partnerGuid}: connect them ` +
      'first.',
  );
}
