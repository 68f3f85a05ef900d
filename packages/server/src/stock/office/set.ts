import type { Clock } from '@servery/support/clock.ts';
import { nextTurn } from '@servery/support/runner.ts';
import { originOf } from '../../audit/origin.ts';
import type { Database } from '../../database/database.ts';
import { listInTurns } from '../../http/list-in-turns.ts';
import { tellingEveryElement } from '../../http/look-further.ts';
import type { HandlerOf } from '../../http/operation.ts';
import { applySettings } from '../apply-settings.ts';
import { findStockItems } from '../item-store.ts';
import type { ZeroQuantity } from '../level.ts';
import { settingsOf } from '../settings.ts';
import { itemOnWire } from './on-wire.ts';

export interface SetStockDeps {
  readonly database: Database;
  readonly realClock: Clock;
  readonly zeroQuantity: ZeroQuantity;
}

export function setStockHandler(deps: SetStockDeps): HandlerOf<'backOffice.stock.set'> {
  const { database, realClock, zeroQuantity } = deps;
  return tellingEveryElement(async (request) => {
    const { restaurant, body, faults } = request;
    const settings = settingsOf(body.changes, zeroQuantity, faults);
    // Each step takes milliseconds for a long list.
    await nextTurn();
    const origin = originOf(request, realClock);
    const set = await applySettings(database, restaurant.guid, settings, origin, faults);
    const items = await findStockItems(database.sql, restaurant.guid, set);
    await nextTurn();
    const listed = set.flatMap((itemGuid) => items.get(itemGuid) ?? []);
    return await listInTurns(listed, itemOnWire);
  });
}
