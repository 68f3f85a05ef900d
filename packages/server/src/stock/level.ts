import type { StockSetting } from '@servery/contract';
import type { FaultPath, Faults } from '../http/faults.ts';
import { decimalQuantity } from './quantity.ts';

type StockStatus = StockSetting['status'];

/** `quantity` is decimal text exactly as stored, null unless `QUANTITY`. */
export interface StockLevel {
  readonly status: StockStatus;
  readonly quantity: string | null;
}

/** STK-7: `quantity: 0` is an error or means `OUT_OF_STOCK`. */
export type ZeroQuantity = 'reject' | 'outOfStock';

export function wantedLevel(
  { status, quantity = null }: Pick<StockSetting, 'status' | 'quantity'>,
  zeroQuantity: ZeroQuantity,
  faults: Faults,
  element: FaultPath,
): StockLevel | null {
  const path = [...element, 'quantity'];
  const refuse = (fault: string) => {
    faults.add(path, fault);
    return null;
  };
  if (status !== 'QUANTITY') {
    if (quantity === null) return { status, quantity };
    return refuse(`is not allowed with ${status}: leave it out, or send status QUANTITY`);
  }
  if (quantity === null) {
    faults.addMissing(
      path,
      'is missing, and status QUANTITY needs one: send a number greater than 0',
    );
    return null;
  }
  if (quantity === 0) {
    if (zeroQuantity === 'outOfStock') return { status: 'OUT_OF_STOCK', quantity: null };
    return refuse('must be greater than 0: send status OUT_OF_STOCK for an item that is gone');
  }
  const decimal = decimalQuantity(quantity);
  if (decimal !== null) return { status, quantity: decimal };
  return refuse('must have at most 12 digits before the point and 4 after it');
}
