import * as authentication from './schemas/authentication.ts';
import * as backOffice from './schemas/back-office.ts';
import * as audit from './schemas/back-office-audit.ts';
import * as clients from './schemas/back-office-clients.ts';
import * as connections from './schemas/back-office-connections.ts';
import * as drafts from './schemas/back-office-drafts.ts';
import * as faults from './schemas/back-office-faults.ts';
import * as health from './schemas/back-office-health.ts';
import * as orderAdmin from './schemas/back-office-orders.ts';
import * as organization from './schemas/back-office-organization.ts';
import * as people from './schemas/back-office-people.ts';
import * as requests from './schemas/back-office-requests.ts';
import * as sandboxes from './schemas/back-office-sandboxes.ts';
import * as stockAdmin from './schemas/back-office-stock-admin.ts';
import * as webhooks from './schemas/back-office-webhooks.ts';
import * as menus from './schemas/configuration-menus.ts';
import * as money from './schemas/configuration-money.ts';
import * as restaurant from './schemas/configuration-restaurant.ts';
import * as creditCards from './schemas/credit-cards.ts';
import { ErrorMessage, ServiceError } from './schemas/error.ts';
import * as events from './schemas/events.ts';
import * as publishedMenus from './schemas/menus.ts';
import * as menuParts from './schemas/menus-parts.ts';
import * as menuPrices from './schemas/menus-prices.ts';
import * as orders from './schemas/orders.ts';
import * as orderGuests from './schemas/orders-guests.ts';
import { OrderConfigReference, OrderReference } from './schemas/orders-parts.ts';
import * as orderPayments from './schemas/orders-payments.ts';
import * as orderRequests from './schemas/orders-requests.ts';
import * as partners from './schemas/partners.ts';
import * as platform from './schemas/platform.ts';
import * as changes from './schemas/platform-changes.ts';
import { EventPage } from './schemas/platform-events.ts';
import * as platformPayments from './schemas/platform-payments.ts';
import { ExternalReference, Reference } from './schemas/reference.ts';
import * as explanation from './schemas/request-explanation.ts';
import * as restaurants from './schemas/restaurants.ts';
import {
  InventorySearchRequest,
  MenuItemInventory,
  MenuItemInventoryUpdate,
} from './schemas/stock.ts';
import * as whoami from './schemas/whoami.ts';

/** The published resources: every value that a module below exports is one. */
export const schemas = {
  Reference,
  ExternalReference,
  ErrorMessage,
  ServiceError,
  ...creditCards,
  MenuItemInventory,
  MenuItemInventoryUpdate,
  InventorySearchRequest,
  ...menus,
  ...money,
  ...restaurant,
  ...publishedMenus,
  ...menuParts,
  ...menuPrices,
  OrderReference,
  OrderConfigReference,
  ...orderGuests,
  ...orderPayments,
  ...orders,
  ...orderRequests,
  ...partners,
  ...events,
  ...restaurants,
  ...platform,
  ...changes,
  EventPage,
  ...platformPayments,
  ...authentication,
  ...backOffice,
  ...health,
  ...people,
  ...organization,
  ...drafts,
  ...stockAdmin,
  ...orderAdmin,
  ...clients,
  ...connections,
  ...webhooks,
  ...requests,
  ...explanation,
  ...audit,
  ...sandboxes,
  ...faults,
  ...whoami,
};

export type SchemaName = keyof typeof schemas;
