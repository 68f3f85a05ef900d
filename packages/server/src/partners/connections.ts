import type { Clock } from '@servery/support/clock.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { ChangeOrigin } from '../audit/entry-store.ts';
import type { Database, Sql } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import { updatePartnerCounter } from './change-store.ts';
import {
  type ConnectionDetails,
  type ConnectionKey,
  type ConnectionView,
  type Employee,
  findConnectable,
  findConnectionLocked,
  insertConnection,
  updateConnection,
} from './connection-store.ts';
import { recordConnectionChange, type WrittenChange } from './record-change.ts';

export interface ConnectionDeps {
  readonly database: Database;
  readonly clock: Clock;
}

export interface ConnectionAdminDeps extends ConnectionDeps {
  readonly vault: Vault;
  readonly realClock: Clock;
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
        `Restaurant ${change.restaurantGuid} is archived: unarchive it.`,
      );
    }
    const before = await findConnectionLocked(sql, change);
    if (before && !before.removedAt) throw alreadyConnected(change);
    return await record(deps, sql, { ...change, kind: 'CONNECTED', before }, async (at) => {
      // The loser of two parallel first connections finds the winner's row here.
      if (!(await insertConnection(sql, change, change, at))) throw alreadyConnected(change);
    });
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
    const { externalGroupRef, externalRestaurantRef } = { ...before, ...change };
    const isSame =
      externalGroupRef === before.externalGroupRef &&
      externalRestaurantRef === before.externalRestaurantRef;
    if (isSame) return before;
    const edited = { externalGroupRef, externalRestaurantRef, employee: change.employee };
    return await record(deps, sql, { ...change, kind: 'EDITED', before }, (at) =>
      updateConnection(sql, change, edited, at),
    );
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
    return await record(deps, sql, { ...change, kind: 'DISCONNECTED', before }, (at) =>
      updateConnection(sql, change, { ...before, ...change }, at),
    );
  });
}

/**
 * Reads the time under the partner's lock: events follow the order of their times, and no change is
 * dated before a list that lacked it.
 */
async function record(
  { clock }: ConnectionDeps,
  sql: Sql,
  change: Omit<WrittenChange, 'position'> & Pick<ConnectionChange, 'origin'>,
  write: (at: Date) => Promise<void>,
): Promise<ConnectionView> {
  const { restaurantGuid, partnerGuid, kind, before } = change;
  const position = await updatePartnerCounter(sql, partnerGuid, kind);
  const origin = { ...change.origin, at: new Date(clock.nowMs()) };
  await write(origin.at);
  const written = { restaurantGuid, partnerGuid, kind, before, position };
  return await recordConnectionChange(sql, origin, written);
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
