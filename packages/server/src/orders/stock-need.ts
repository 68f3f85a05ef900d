import { newGuid } from '@servery/support/ids.ts';
import type { Faults } from '../http/faults.ts';
import type { MadeChange } from '../stock/change-store.ts';
import type { OrderModifier } from './order.ts';
import type { ReadSelection } from './read-order/read-selection.ts';
import { takesAway } from './read-order/refuse-wrong-numbers.ts';
import type { StockRow } from './stock-store.ts';

/** Quantities have four decimals, so they are counted in ten-thousandths. */
const PARTS = 10_000;

export interface Need {
  readonly itemGuid: string;
  readonly name: string;
  parts: bigint;
  /** Where it is needed first. */
  readonly path: readonly (string | number)[];
}

/** ORD-51: what selections need of each item, modifiers included. */
export function needOf(selections: readonly ReadSelection[]): Map<string, Need> {
  const needs = new Map<string, Need>();
  for (const selection of selections) addNeed(needs, selection, selection.quantity);
  return needs;
}

function addNeed(needs: Map<string, Need>, selection: ReadSelection, quantity: number): void {
  const { entry, preModifier, part, modifiers } = selection;
  if (takesAway(preModifier)) return;
  if (entry) {
    const parts = BigInt(Math.round(quantity * PARTS));
    const need = needs.get(entry.guid);
    if (need) need.parts += parts;
    else {
      needs.set(entry.guid, { itemGuid: entry.guid, name: entry.name, parts, path: part.path });
    }
  }
  for (const modifier of modifiers) addNeed(needs, modifier, quantity);
}

/** Notes a fault for each item of which too little is left. */
export function refuseShortItems(
  needs: ReadonlyMap<string, Need>,
  stock: readonly StockRow[],
  faults: Faults,
): void {
  for (const { itemGuid, status, quantity } of stock) {
    const need = needs.get(itemGuid);
    if (!need) continue;
    if (status === 'OUT_OF_STOCK') {
      faults.addOutOfStock(need.path, `orders ${need.name}, which is out of stock: leave it out`);
    } else if (partsOf(quantity) < need.parts) {
      faults.addOutOfStock(
        need.path,
        `orders ${textOf(need.parts)} of ${need.name} in total, but the stock is ${quantity}: ` +
          'order fewer',
      );
    }
  }
}

/** What is taken of the items that are counted. Items that are out of stock stay so. */
export function stockAfter(
  needs: ReadonlyMap<string, Need>,
  stock: readonly StockRow[],
): MadeChange[] {
  return stock.flatMap(({ itemGuid, status, quantity }): MadeChange[] => {
    const need = needs.get(itemGuid);
    if (!need || status !== 'QUANTITY') return [];
    const left = partsOf(quantity) - need.parts;
    const before = { statusBefore: status, quantityBefore: quantity, untilBefore: null };
    const after =
      left > 0n
        ? ({ statusAfter: 'QUANTITY', quantityAfter: textOf(left) } as const)
        : ({ statusAfter: 'OUT_OF_STOCK', quantityAfter: null } as const);
    return [{ itemGuid, guid: newGuid(), ...before, ...after, untilAfter: null }];
  });
}

export class TakenParts {
  #parts = 0n;

  add(quantity: number): void {
    this.#parts += BigInt(Math.round(quantity * PARTS));
  }

  /** What is there when these are back. */
  plus(quantity: string | null): string {
    return textOf(this.#parts + partsOf(quantity));
  }
}

/** What stored selections took, by item. */
export function givenBack(selections: readonly OrderModifier[]): Map<string, TakenParts> {
  const taken = new Map<string, TakenParts>();
  const collect = ({ stockItemGuid, quantity, modifiers }: OrderModifier) => {
    if (stockItemGuid !== null) {
      const parts = taken.get(stockItemGuid) ?? new TakenParts();
      parts.add(quantity);
      taken.set(stockItemGuid, parts);
    }
    modifiers.forEach(collect);
  };
  selections.forEach(collect);
  return taken;
}

function partsOf(quantity: string | null): bigint {
  const [whole = '0', fraction = ''] = (quantity ?? '0').split('.');
  return BigInt(whole) * BigInt(PARTS) + BigInt(fraction.padEnd(4, '0').slice(0, 4));
}

function textOf(parts: bigint): string {
  const fraction = String(parts % BigInt(PARTS)).padStart(4, '0');
  return `${parts / BigInt(PARTS)}.${fraction}`.replace(/\.?0+$/, '');
}
