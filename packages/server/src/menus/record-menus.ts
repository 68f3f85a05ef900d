import type { Clock } from '@servery/support/clock.ts';
import type { Sql } from '../database/database.ts';
import { isoTimestamp } from '../http/timestamps.ts';
import { queueRestaurantEvents } from '../webhooks/delivery/queue-restaurant-events.ts';
import { type MadeMenus, madeMenus } from './make-menus.ts';
import { findMenus, findRecordedMenus, updateSupplement, upsertMenus } from './store.ts';

/** `sql` is the transaction of the change, which holds the restaurant. */
export interface RecordMenusDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

/**
 * A document that stays the same keeps its time (MENU-4). A new one has a time later than any
 * before it, whatever the clock says (MENU-5, MENU-6), and partners are told (MENU-7). Call it last:
 * other events of these partners wait from here on.
 */
export async function recordMenus(
  { sql, clock }: RecordMenusDeps,
  restaurantGuid: string,
  { content, digest, supplement }: MadeMenus,
): Promise<void> {
  const recorded = await findRecordedMenus(sql, restaurantGuid);
  if ((recorded?.digest ?? null) === digest) {
    const isOther = recorded !== null && recorded.supplement !== supplement;
    if (isOther) await updateSupplement(sql, restaurantGuid, supplement);
    return;
  }
  const earliestMs = recorded ? recorded.lastUpdated.getTime() + 1 : 0;
  const lastUpdated = new Date(Math.max(clock.nowMs(), earliestMs));
  await upsertMenus(sql, restaurantGuid, { lastUpdated, digest, supplement }, content);
  const details = { restaurantGuid, publishedDate: isoTimestamp(lastUpdated) };
  await queueRestaurantEvents(sql, {
    restaurantGuid,
    types: ['menus_updated'],
    at: lastUpdated,
    events: async () => [{ type: 'menus_updated', details }],
  });
}

/** The time zone stands in one place of the document, and nothing else depends on it. */
export async function recordTimeZone(
  deps: RecordMenusDeps,
  restaurantGuid: string,
  timeZone: string,
): Promise<void> {
  const menus = await findMenus(deps.sql, restaurantGuid);
  if (!menus) return;
  const content = menus.content.replace(
    TIME_ZONE,
    () => `${TIME_ZONE_NAME}${JSON.stringify(timeZone)}`,
  );
  await recordMenus(deps, restaurantGuid, madeMenus(content, menus.supplement));
}

const TIME_ZONE_NAME = '"restaurantTimeZone":';
/** The first field after the GUID. */
const TIME_ZONE = new RegExp(`${TIME_ZONE_NAME}"[^"]*"`);
