import { isBogo } from './discounts.ts';
import { findItem, findReferenced } from './find-in-menu.ts';
import { grouped } from './grouped.ts';
import type {
  CheckRequest,
  Discount,
  DiscountRequest,
  MenusDocument,
  SelectionRequest,
} from './types.ts';

interface Joined {
  readonly selections: readonly {
    readonly requestIndex: number;
    readonly request: SelectionRequest;
  }[];
  readonly appliedDiscounts: readonly DiscountRequest[];
}

/**
 * Undoes what BOGO discounts did to a check that a client took from an answer (ORD-33): joins
 * split parts with their origins and puts the discounts back on the check.
 */
export function joinSplits(
  check: CheckRequest,
  discounts: readonly Discount[],
  menus: MenusDocument,
): Joined {
  const selections: { requestIndex: number; request: SelectionRequest }[] = [];
  const echoes: { discount: Discount; request: DiscountRequest; units: number }[] = [];
  check.selections.forEach((request, requestIndex) => {
    const units = request.quantity ?? 1;
    const others = (request.appliedDiscounts ?? []).filter((applied) => {
      const discount = findReferenced(discounts, applied.discount);
      if (!discount || !isBogo(discount)) return true;
      echoes.push({ discount, request: applied, units: isMeasured(request, menus) ? 1 : units });
      return false;
    });
    const before = selections.at(-1);
    if (before && isSplitFrom(before.request, request)) {
      const quantity = (before.request.quantity ?? 1) + units;
      selections.splice(-1, 1, { ...before, request: { ...before.request, quantity } });
    } else {
      selections.push({ requestIndex, request: { ...request, appliedDiscounts: others } });
    }
  });
  const returned = grouped(echoes, ({ discount }) => discount).flatMap((group) => {
    // A discount may have given several selections: it stands once for each full quantity.
    const [{ discount } = { discount: null }] = group;
    const units = group.reduce((sum, one) => sum + one.units, 0);
    const times = Math.ceil(units / (discount?.rule?.get?.quantity ?? 1));
    return group.slice(0, times).map(({ request }) => request);
  });
  return { selections, appliedDiscounts: [...(check.appliedDiscounts ?? []), ...returned] };
}

/** A BOGO counts something measured as one. */
function isMeasured({ item, itemGroup }: SelectionRequest, menus: MenusDocument): boolean {
  const found = findItem(menus, itemGroup, item);
  return found !== undefined && found.item.unitOfMeasure !== 'NONE';
}

/** A client may have removed the origin: then the part stands for itself. */
function isSplitFrom(origin: SelectionRequest, { splitOrigin, item }: SelectionRequest): boolean {
  if (!splitOrigin) return false;
  const names = (['guid', 'multiLocationId'] as const).filter((name) => item?.[name]);
  return names.length > 0 && names.every((name) => origin.item?.[name] === item?.[name]);
}
