import type { Place } from '../../document/faults.ts';
import { decimalQuantity } from '../../stock/quantity.ts';
import type { DocumentStock } from '../document.ts';

/** QUANTITY needs a quantity that can be stored exactly, OUT_OF_STOCK has none (STK-7). */
export function checkStock(stock: DocumentStock, place: Place): void {
  const quantity = stock.quantity ?? null;
  if (stock.status === 'OUT_OF_STOCK') {
    if (quantity !== null) place.fault('must be null or absent for OUT_OF_STOCK', 'quantity');
  } else if (quantity === null) {
    place.fault('is missing; the status QUANTITY needs it', 'quantity');
  } else if (decimalQuantity(quantity) === null) {
    const message = 'must have at most 12 digits before the point and 4 after it';
    place.fault(message, 'quantity');
  }
}
