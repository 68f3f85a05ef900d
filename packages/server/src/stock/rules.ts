import { parseGuid } from '@servery/support/ids.ts';
import { ApiError, type Fault } from '../http/errors.ts';
import { decimalQuantity } from './quantity.ts';

/** Elements that one stock call may carry (decisions STK-8). */
export const MAX_ELEMENTS = 5_000;

/** The stock status of an item; one that is in stock has no row in the database. */
export type StockStatus = 'IN_STOCK' | 'QUANTITY' | 'OUT_OF_STOCK';

/** A status with its quantity: decimal text exactly as stored, null unless `QUANTITY`. */
export interface StockLevel {
  readonly status: StockStatus;
  readonly quantity: string | null;
}

/** How a request names an item, in the letters it used. At least one of the two is set. */
export interface ItemIdentifier {
  readonly guid: string | null;
  readonly multiLocationId: string | null;
}

/** One valid element of an update: which item, and what it becomes. */
export interface StockChange {
  readonly item: ItemIdentifier;
  readonly level: StockLevel;
}

/** What `quantity: 0` means: an error, or the same as `OUT_OF_STOCK` (decisions STK-7). */
export type ZeroQuantity = 'reject' | 'outOfStock';

/**
 * The `status` parameter of the list: which statuses to give, null for all that are not in stock.
 * Throws 400 for `IN_STOCK` and any other text; empty counts as absent (decisions STK-1).
 */
export function readStatusFilter(status: string | undefined): 'QUANTITY' | 'OUT_OF_STOCK' | null {
  if (status === undefined || status === '') return null;
  if (status === 'QUANTITY' || status === 'OUT_OF_STOCK') return status;
  const shown = JSON.stringify(status.slice(0, 50));
  const hint = 'send OUT_OF_STOCK or QUANTITY, or leave it out for both';
  throw new ApiError(
    'badRequest',
    `status ${shown} is not one that this list can filter by: ${hint}.`,
  );
}

/**
 * The identifiers of a search, `guids` first, in request order, duplicates kept (decisions STK-2).
 * Throws 400 when neither list is there, an entry is malformed, or there are over 5,000 (STK-8).
 */
export function readSearch(body: unknown): ItemIdentifier[] {
  if (!isRecord(body)) {
    throw new ApiError('badRequest', 'The body is not an object: send {"guids": [...]}.');
  }
  const guids = readTextList(body, 'guids');
  const multiLocationIds = readTextList(body, 'multiLocationIds');
  if (guids === null && multiLocationIds === null) {
    throw new ApiError(
      'badRequest',
      'The search names no items: send guids, multiLocationIds, or both (versionIds are reserved).',
    );
  }
  requireSize((guids?.length ?? 0) + (multiLocationIds?.length ?? 0), 'identifiers');
  const faults = (guids ?? []).flatMap((guid, index) =>
    parseGuid(guid) ? [] : [{ where: `guids[${index}]`, message: guidFault(guid) }],
  );
  refuseFaults(faults, 'The search has malformed identifiers');
  return [
    ...(guids ?? []).map((guid) => ({ guid, multiLocationId: null })),
    ...(multiLocationIds ?? []).map((multiLocationId) => ({ guid: null, multiLocationId })),
  ];
}

/**
 * The changes of an update. Every element is looked at before any is applied; one 400 names each
 * faulty element by its index (decisions STK-5–STK-8). `itemGuidValidity`, `versionId` and unknown
 * properties are ignored, so that clients can send back what they read.
 */
export function readUpdate(body: unknown, zeroQuantity: ZeroQuantity): StockChange[] {
  if (!Array.isArray(body)) {
    throw new ApiError('badRequest', 'The body is not an array: send one element for each item.');
  }
  requireSize(body.length, 'elements');
  const faults: Fault[] = [];
  const changes = body.flatMap((element: unknown, index) => {
    const report = (property: string, message: string) => {
      faults.push({ where: `[${index}]${property}`, message });
    };
    if (!isRecord(element)) {
      report('', 'is not an object: send guid or multiLocationId, and status.');
      return [];
    }
    const item = readIdentifier(element, report);
    const level = readLevel(element, zeroQuantity, report);
    return item && level ? [{ item, level }] : [];
  });
  refuseFaults(faults, 'The list has malformed elements and nothing was applied');
  return changes;
}

/** Throws one 400 that carries all the faults, or returns when there are none (decisions STK-5). */
export function refuseFaults(faults: readonly Fault[], what: string): void {
  if (faults.length === 0) return;
  const where = faults.length === 1 ? 'one place' : `${faults.length} places`;
  throw new ApiError('badRequest', `${what}: correct the ${where} named in errors.`, { faults });
}

/** Gets what is wrong with an element, and where in it; `isMissing` when something is not there. */
export type LevelReport = (property: string, message: string, isMissing?: boolean) => void;

function readIdentifier(
  element: Record<string, unknown>,
  report: LevelReport,
): ItemIdentifier | null {
  const guid = element.guid ?? null;
  const multiLocationId = element.multiLocationId ?? null;
  if (guid === null && multiLocationId === null) {
    report('', 'names no item: send guid or multiLocationId.');
    return null;
  }
  if (guid !== null && (typeof guid !== 'string' || parseGuid(guid) === null)) {
    report('.guid', guidFault(guid));
    return null;
  }
  if (multiLocationId !== null && (typeof multiLocationId !== 'string' || !multiLocationId)) {
    report('.multiLocationId', 'is not a text with at least one character: send one.');
    return null;
  }
  return { guid, multiLocationId };
}

/**
 * The status and quantity of an element (decisions STK-7); null when they are faulty, which `report`
 * is told.
 */
export function readLevel(
  element: Readonly<Record<string, unknown>>,
  zeroQuantity: ZeroQuantity,
  report: LevelReport,
): StockLevel | null {
  const { status } = element;
  const quantity = element.quantity ?? null;
  if (status === 'IN_STOCK' || status === 'OUT_OF_STOCK') {
    if (quantity === null) return { status, quantity: null };
    report('.quantity', `stands beside ${status}: leave it out, or send status QUANTITY.`);
    return null;
  }
  if (status !== 'QUANTITY') {
    const fault = status === undefined ? 'is missing' : 'is not a stock status';
    const isMissing = status === undefined;
    report('.status', `${fault}: send IN_STOCK, QUANTITY or OUT_OF_STOCK.`, isMissing);
    return null;
  }
  return readQuantity(quantity, zeroQuantity, report);
}

function readQuantity(
  quantity: unknown,
  zeroQuantity: ZeroQuantity,
  report: LevelReport,
): StockLevel | null {
  const refuse = (fault: string) => {
    report('.quantity', `${fault}: send a number greater than 0.`, quantity === null);
    return null;
  };
  if (quantity === null) return refuse('is missing, and status QUANTITY needs one');
  if (typeof quantity !== 'number') return refuse('is not a number');
  if (quantity < 0) return refuse(`is ${quantity}, below zero`);
  if (quantity === 0) {
    if (zeroQuantity === 'outOfStock') return { status: 'OUT_OF_STOCK', quantity: null };
    return refuse('is 0 (for an item that is gone send status OUT_OF_STOCK)');
  }
  const decimal = decimalQuantity(quantity);
  if (decimal !== null) return { status: 'QUANTITY', quantity: decimal };
  return refuse(`is ${quantity}, with over 12 digits before or over 4 after the point`);
}

function readTextList(body: Record<string, unknown>, name: string): string[] | null {
  const list = body[name] ?? null;
  if (list === null) return null;
  if (!Array.isArray(list)) {
    throw new ApiError('badRequest', `${name} is not an array: send a list of texts.`);
  }
  requireSize(list.length, name);
  const faults = list.flatMap((entry: unknown, index) =>
    typeof entry === 'string' ? [] : [{ where: `${name}[${index}]`, message: 'is not a text.' }],
  );
  refuseFaults(faults, 'The search has malformed identifiers');
  return list as string[];
}

/** Throws one 400 when a list is longer than one call may carry (decisions STK-8). */
export function requireSize(count: number, what: string): void {
  if (count <= MAX_ELEMENTS) return;
  const limit = `at most ${MAX_ELEMENTS} in one call`;
  throw new ApiError('badRequest', `There are ${count} ${what}: send ${limit}, in several calls.`);
}

function guidFault(guid: unknown): string {
  const shown = typeof guid === 'string' ? `${JSON.stringify(guid.slice(0, 50))} ` : '';
  return `${shown}is not a GUID: send one like 0b8f0ee5-7f0d-4b1c-9d38-3c8a2f5f3b11.`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
