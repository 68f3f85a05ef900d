import { authenticationOperations } from './operations/authentication.ts';
import { backOfficeOperations } from './operations/back-office.ts';
import { configurationOperations } from './operations/configuration.ts';
import { creditCardOperations } from './operations/credit-cards.ts';
import type { Operation, OperationId } from './operations/operation.ts';
import { partnerOperations } from './operations/partners.ts';
import { platformOperations } from './operations/platform.ts';
import { restaurantOperations } from './operations/restaurants.ts';
import { stockOperations } from './operations/stock.ts';

/** Everything that a caller can ask, interface by interface. */
export const operations: readonly Operation[] = [
  ...creditCardOperations,
  ...stockOperations,
  ...configurationOperations,
  ...partnerOperations,
  ...restaurantOperations,
  ...backOfficeOperations,
  ...platformOperations,
  ...authenticationOperations,
];

const byId = new Map(operations.map((entry) => [entry.id, entry]));

/** Gives the operation of that id. */
export function operationById(id: OperationId): Operation {
  const found = byId.get(id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}
