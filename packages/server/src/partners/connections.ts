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

/** What changing connections needs. Each change is one transaction. */
export interface ConnectionDeps {
  readonly database: Database;
  /** The environment's. */
  readonly clock: Clock;
}

/** A change of a connection: which one, in whose name, and who asked for it. */
export interface ConnectionChange extends ConnectionKey {
  readonly employee: Employee;
  /** Its instant is not used: a change is dated when it is the partner's next event. */
  readonly origin: ChangeOrigin;
}

/**
 * Gives a partner access to a restaurant, at once and everywhere (decisions AUTH-7, AUTH-9), and gives the
 * connection. One that was removed before begins anew, with a new date of creation. Throws 422 when
 * the restaurant or the partner is unknown, 409 when they are connected already or the restaurant
 * is archived.
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
    // Of two who connect for the first time, the second one finds the connection of the first here.
    const isMade = await insertConnection(sql, change, change, turn.origin.at);
    if (!isMade) throw alreadyConnected(change);
    return record(sql, change, 'CONNECTED', before, turn);
  });
}

/**
 * Edits what the partner is told of a connection, and gives it; what is absent stays, and when
 * nothing differs nothing is written. Throws 404 when there never was a connection, and 409 when it
 * has ended.
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
 * Takes the partner's access to a restaurant away, at once and everywhere (decisions AUTH-9), and gives
 * the connection; the restaurant leaves both lists (PTN-5). One that ended before stays as it is.
 * Throws 404 when there never was a connection.
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

/** A place among the events of a partner, and the origin of the change dated by it. */
interface Turn {
  readonly position: number;
  readonly origin: ChangeOrigin;
}

/**
 * The time is read once nobody else can write an event of the partner, so that a partner's events
 * stand in the order of their times, and a change is not dated before a list that lacked it.
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
