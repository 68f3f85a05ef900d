import { authenticationExamples } from './examples/authentication.ts';
import { backOfficeExamples } from './examples/back-office.ts';
import { auditExamples } from './examples/back-office-audit.ts';
import { clientsExamples } from './examples/back-office-clients.ts';
import { connectionsExamples } from './examples/back-office-connections.ts';
import { draftsExamples } from './examples/back-office-drafts.ts';
import { faultsExamples } from './examples/back-office-faults.ts';
import { healthExamples } from './examples/back-office-health.ts';
import { orderAdminExamples } from './examples/back-office-orders.ts';
import { organizationExamples } from './examples/back-office-organization.ts';
import { peopleExamples } from './examples/back-office-people.ts';
import { requestsExamples } from './examples/back-office-requests.ts';
import { sandboxesExamples } from './examples/back-office-sandboxes.ts';
import { stockAdminExamples } from './examples/back-office-stock-admin.ts';
import { webhooksExamples } from './examples/back-office-webhooks.ts';
import { configurationExamples } from './examples/configuration.ts';
import { eventsExamples } from './examples/events.ts';
import { menuExamples } from './examples/menus.ts';
import { orderExamples } from './examples/orders.ts';
import { platformPaymentsExamples } from './examples/platform-payments.ts';
import { restaurantExamples } from './examples/restaurants.ts';
import { stockAndCardExamples } from './examples/stock-and-cards.ts';
import { whoamiExamples } from './examples/whoami.ts';
import type { Body } from './operations/operation.ts';

const examplesFor = (brand: string): Readonly<Record<string, unknown>> => ({
  ...stockAndCardExamples,
  ...configurationExamples,
  ...menuExamples,
  ...restaurantExamples,
  ...orderExamples,
  ...backOfficeExamples,
  ...healthExamples,
  ...peopleExamples,
  ...organizationExamples,
  ...draftsExamples,
  ...stockAdminExamples,
  ...orderAdminExamples,
  ...clientsExamples,
  ...connectionsExamples,
  ...webhooksExamples,
  ...eventsExamples,
  ...requestsExamples,
  ...auditExamples,
  ...sandboxesExamples(brand),
  ...faultsExamples,
  ...platformPaymentsExamples,
  ...whoamiExamples,
  ...authenticationExamples(brand),
});

export function exampleOf({ schema, array }: Body, brand: string): unknown {
  const example = examplesFor(brand)[schema];
  if (example === undefined) {
    throw new Error(`There is no example of ${schema}: add it in packages/contract/src/examples/.`);
  }
  return array ? [example] : example;
}
