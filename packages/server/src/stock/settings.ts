import { schemas } from '@servery/contract';
import { parseGuid } from '@servery/support/ids.ts';
import { ApiError, type Fault } from '../http/errors.ts';
import { isJsonObject } from '../http/fields.ts';
import { parseInstant } from '../text/instant.ts';
import type { ItemNaming } from './identify.ts';
import {
  type LevelReport,
  readLevel,
  requireSize,
  type StockLevel,
  type ZeroQuantity,
} from './rules.ts';

/** When the clock is to put an item back: at an instant, or at the end of the business day. */
export type Until = { readonly atMs: number } | 'closeOut';

/** One element of a list of settings. What is null was faulty, and stands in the faults. */
export interface Setting {
  /** Where it stands, such as `changes[3]`. */
  readonly where: string;
  readonly naming: ItemNaming | null;
  readonly level: StockLevel | null;
  /** Null for no restoration by the clock. */
  readonly until: Until | null;
}

/** A list of settings as it was sent, and what is wrong with its form. */
export interface SettingList {
  readonly settings: readonly Setting[];
  /** What is missing (400), apart from what is wrong (422). */
  readonly missing: readonly Fault[];
  readonly invalid: readonly Fault[];
}

const WAYS = ['guid', 'multiLocationId', 'sku', 'plu', 'name'] as const;
const SET: readonly string[] = [...WAYS, 'status', 'quantity', 'until'];
/** What is set, and what is read beside it: a list that was read may be sent back. */
const KNOWN: readonly string[] = Object.keys(schemas.StockItem.properties);

/**
 * Reads the body `{"changes": […]}` with the rules of the stock interface (decisions STK-6 to STK-8).
 * Faults of elements are collected, so that they can be told with what else is wrong. Throws
 * ApiError `badRequest` when there is no list or it is too long, `unprocessable` when it is none.
 */
export function readSettings(body: unknown, zeroQuantity: ZeroQuantity): SettingList {
  if (!isJsonObject(body)) {
    throw new ApiError('unprocessable', 'The body must be a JSON object: send {"changes": […]}.');
  }
  if (body.changes === undefined) {
    const fault = { where: 'changes', message: 'is required and missing' };
    throw new ApiError('badRequest', 'changes is required and missing.', { faults: [fault] });
  }
  if (!Array.isArray(body.changes)) {
    const fault = { where: 'changes', message: 'must be a list' };
    throw new ApiError('unprocessable', 'changes must be a list.', { faults: [fault] });
  }
  requireSize(body.changes.length, 'changes');
  refuseStrange(body);
  const missing: Fault[] = [];
  const invalid: Fault[] = [];
  const settings = body.changes.map((element: unknown, index): Setting => {
    const where = `changes[${index}]`;
    const report: LevelReport = (property, message, isMissing = false) => {
      (isMissing ? missing : invalid).push({ where: `${where}${property}`, message });
    };
    if (isJsonObject(element)) return readSetting(where, element, zeroQuantity, report);
    report('', 'is not an object: name an item and send status.');
    return { where, naming: null, level: null, until: null };
  });
  return { settings, missing, invalid };
}

function readSetting(
  where: string,
  element: Readonly<Record<string, unknown>>,
  zeroQuantity: ZeroQuantity,
  report: LevelReport,
): Setting {
  const strange = Object.keys(element).find((name) => !KNOWN.includes(name));
  // What is mistyped would count as left out: an item would be out of stock for good.
  if (strange !== undefined) report('', strangeField(strange, SET));
  const naming = readNaming(element, report);
  const level = readLevel(element, zeroQuantity, report);
  const until = readUntil(element.until ?? null, level, report);
  return { where, naming, level, until };
}

function refuseStrange(body: Readonly<Record<string, unknown>>): void {
  const strange = Object.keys(body).find((name) => name !== 'changes');
  if (strange === undefined) return;
  const fault = { where: 'The body', message: strangeField(strange, ['changes']) };
  throw new ApiError('unprocessable', `${fault.where} ${fault.message}`, { faults: [fault] });
}

/** The name of a field may be anything, also a card number (PAY-I7). */
function strangeField(name: string, known: readonly string[]): string {
  const shown = /^[A-Za-z_]\w{0,40}$/.test(name) ? `"${name}"` : 'a field of another name';
  return `has ${shown}, which is no field here: send ${known.join(', ')}.`;
}

function wrongNaming(way: string, value: unknown): string {
  if (way === 'guid') return 'is not a GUID.';
  // YAML and JSON read digits without quotation marks as a number, and lose zeros in front.
  return typeof value === 'number'
    ? 'is a number: put it in quotation marks, as in "4000".'
    : 'is not a text with a character in it.';
}

function readNaming(
  element: Readonly<Record<string, unknown>>,
  report: LevelReport,
): ItemNaming | null {
  const given = WAYS.filter((way) => (element[way] ?? null) !== null);
  if (given.length === 0) {
    report('', `names no item: send ${WAYS.slice(0, -1).join(', ')} or name.`, true);
    return null;
  }
  const faulty = given.filter((way) => {
    const value = element[way];
    const isText = typeof value === 'string' && value.trim() !== '';
    if (isText && (way !== 'guid' || parseGuid(value) !== null)) return false;
    report(`.${way}`, wrongNaming(way, value));
    return true;
  });
  if (faulty.length > 0) return null;
  const texts = given.map((way) => [way, String(element[way])]);
  return {
    guid: null,
    multiLocationId: null,
    sku: null,
    plu: null,
    name: null,
    ...Object.fromEntries(texts),
  };
}

function readUntil(value: unknown, level: StockLevel | null, report: LevelReport): Until | null {
  if (value === null) return null;
  if (level && level.status !== 'OUT_OF_STOCK') {
    report(
      '.until',
      `stands beside ${level.status}: only what is OUT_OF_STOCK comes back by itself.`,
    );
    return null;
  }
  if (value === 'closeOut') return 'closeOut';
  const atMs = typeof value === 'string' ? parseInstant(value) : null;
  if (atMs !== null) return { atMs };
  report('.until', 'must be closeOut or an instant such as 2026-01-31T18:30:00.000Z.');
  return null;
}
