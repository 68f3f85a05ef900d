import { createHash } from 'node:crypto';
import type { Clock } from '@servery/support/clock.ts';
import type { Sql } from '../database/database.ts';
import { findRecordedMenus, updateSupplement, upsertMenus } from './store.ts';

export interface RecordMenusDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

export interface WrittenMenus {
  /** The document without its `lastUpdated`; null if there is no menu. */
  readonly content: string | null;
  /** Documents with the same digest have the same bytes. */
  readonly digest: string | null;
  /** JSON. */
  readonly supplement: string;
}

export function writtenMenus(content: string | null, supplement: unknown): WrittenMenus {
  const digest = content && createHash('sha256').update(content).digest('hex');
  return { content, digest, supplement: JSON.stringify(supplement) };
}

/**
 * Runs in the transaction of the change, which holds the restaurant. A document that stays the same
 * keeps its time (MENU-4), and a new one has a time later than any before it, whatever the clock
 * says (MENU-5, MENU-6). Gives the new time, or null if the document stays.
 */
export async function recordMenus(
  { sql, clock }: RecordMenusDeps,
  restaurantGuid: string,
  { content, digest, supplement }: WrittenMenus,
): Promise<Date | null> {
  const recorded = await findRecordedMenus(sql, restaurantGuid);
  if ((recorded?.digest ?? null) === digest) {
    const isOther = recorded !== null && recorded.supplement !== supplement;
    if (isOther) await updateSupplement(sql, restaurantGuid, supplement);
    return null;
  }
  const earliestMs = recorded ? recorded.lastUpdated.getTime() + 1 : 0;
  const lastUpdated = new Date(Math.max(clock.nowMs(), earliestMs));
  await upsertMenus(sql, restaurantGuid, { lastUpdated, digest, supplement }, content);
  return lastUpdated;
}
