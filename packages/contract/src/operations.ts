import { authenticationOperations } from './operations/authentication.ts';
import { backOfficeOperations } from './operations/back-office.ts';
import { auditOperations } from './operations/back-office-audit.ts';
import { clientsOperations } from './operations/back-office-clients.ts';
import { connectionsOperations } from './operations/back-office-connections.ts';
import { draftsOperations } from './operations/back-office-drafts.ts';
import { faultsOperations } from './operations/back-office-faults.ts';
import { orderAdminOperations } from './operations/back-office-orders.ts';
import { organizationOperations } from './operations/back-office-organization.ts';
import { peopleOperations } from './operations/back-office-people.ts';
import { requestsOperations } from './operations/back-office-requests.ts';
import { sandboxesOperations } from './operations/back-office-sandboxes.ts';
import { stockAdminOperations } from './operations/back-office-stock-admin.ts';
import { webhooksOperations } from './operations/back-office-webhooks.ts';
import { configurationOperations } from './operations/configuration.ts';
import { creditCardOperations } from './operations/credit-cards.ts';
import { menuOperations } from './operations/menus.ts';
import type { AnyOperation } from './operations/operation.ts';
import { ordersOperations } from './operations/orders.ts';
import { partnerOperations } from './operations/partners.ts';
import { platformOperations } from './operations/platform.ts';
import { platformChangesOperations } from './operations/platform-changes.ts';
import { platformEventsOperations } from './operations/platform-events.ts';
import { platformPaymentsOperations } from './operations/platform-payments.ts';
import { restaurantOperations } from './operations/restaurants.ts';
import { stockOperations } from './operations/stock.ts';
import { whoamiOperations } from './operations/whoami.ts';

const all = [
  ...creditCardOperations,
  ...stockOperations,
  ...menuOperations,
  ...configurationOperations,
  ...partnerOperations,
  ...restaurantOperations,
  ...ordersOperations,
  ...backOfficeOperations,
  ...peopleOperations,
  ...organizationOperations,
  ...draftsOperations,
  ...stockAdminOperations,
  ...orderAdminOperations,
  ...clientsOperations,
  ...connectionsOperations,
  ...webhooksOperations,
  ...requestsOperations,
  ...auditOperations,
  ...sandboxesOperations,
  ...faultsOperations,
  ...whoamiOperations,
  ...platformPaymentsOperations,
  ...platformChangesOperations,
  ...platformEventsOperations,
  ...platformOperations,
  ...authenticationOperations,
] as const;

type ById = { [Each in (typeof all)[number] as Each['id']]: Each };

export type OperationId = keyof ById;

export type OperationWith<Id extends OperationId> = ById[Id];

export interface Operation extends AnyOperation {
  readonly id: OperationId;
}

export const operations: readonly Operation[] = all;

const byId = new Map(operations.map((entry) => [entry.id, entry]));

export function operationById(id: OperationId): Operation {
  const found = byId.get(id);
  if (!found) throw new Error(`There is no operation ${id}.`);
  return found;
}
