import { parseGuid } from '@servery/support/ids.ts';
import { ApiError } from '../../http/errors.ts';
import { type ListQuery, readInstantParameter } from '../../http/list-query.ts';
import type { ChangeFilter } from '../../stock/history-store.ts';
import type { StockItemFilter } from '../../stock/item-store.ts';

/** The query parameters that say what a list of stock holds. */
export const itemParameters = ['status', 'name', 'pageSize'] as const;

/** The query parameters that say what a history holds. */
export const changeParameters = ['item', 'by', 'from', 'to', 'pageSize'] as const;

/** The query parameters that say which day it is about. */
export const ranOutParameters = ['date', 'pageSize'] as const;

const STATUSES = ['IN_STOCK', 'QUANTITY', 'OUT_OF_STOCK'] as const;
const NAME_LENGTH = 100;
const BY_LENGTH = 200;
// Years in which any zone's calendar can be computed with.
const DATE = /^[12345678]\d{3}-\d{2}-\d{2}$/;

/** Reads which items a list holds. Throws ApiError `badRequest` that names the parameter. */
export function readItemFilter({
  status,
  name,
}: ListQuery<(typeof itemParameters)[number]>): StockItemFilter {
  return {
    statuses: status === undefined ? null : status.split(',').map(readStatus),
    name: readText('name', name, NAME_LENGTH),
  };
}

function readStatus(word: string): (typeof STATUSES)[number] {
  const found = STATUSES.find((status) => status === word);
  if (found) return found;
  throw new ApiError(
    'badRequest',
    `status has ${JSON.stringify(word.slice(0, 50))}: ` +
      `send one or more of ${STATUSES.join(', ')}, separated by commas.`,
  );
}

/** Reads which changes a list holds. Throws ApiError `badRequest` that names the parameter. */
export function readChangeFilter({
  item,
  by,
  from,
  to,
}: ListQuery<(typeof changeParameters)[number]>): ChangeFilter {
  const itemGuid = item === undefined ? null : parseGuid(item);
  if (item !== undefined && itemGuid === null) {
    throw new ApiError('badRequest', 'item is not a GUID: send the GUID of an item.');
  }
  return {
    itemGuid,
    by: readText('by', by, BY_LENGTH),
    from: readInstantParameter('from', from),
    to: readInstantParameter('to', to),
  };
}

function readText(name: string, text: string | undefined, atMost: number): string | null {
  if (text === undefined) return null;
  const isSound = text.isWellFormed() && !text.includes('\0');
  if (isSound && text.trim() !== '' && text.length <= atMost) return text.trim();
  throw new ApiError('badRequest', `${name} must have 1 to ${atMost} characters.`);
}

/** Reads a date of the calendar. Throws ApiError `badRequest` for what is none. */
export function readDate(text: string): Temporal.PlainDate {
  try {
    if (DATE.test(text)) return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new ApiError('badRequest', 'date is not a date: send one such as 2026-01-31.');
}
