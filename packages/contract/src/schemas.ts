import * as authentication from './schemas/authentication.ts';
import * as backOffice from './schemas/back-office.ts';
import * as house from './schemas/configuration-house.ts';
import * as menus from './schemas/configuration-menus.ts';
import * as money from './schemas/configuration-money.ts';
import * as creditCards from './schemas/credit-cards.ts';
import { ErrorMessage, ServiceError } from './schemas/error.ts';
import * as partners from './schemas/partners.ts';
import * as platform from './schemas/platform.ts';
import { ExternalReference, Reference } from './schemas/reference.ts';
import * as restaurants from './schemas/restaurants.ts';
import {
  InventorySearchRequest,
  MenuItemInventory,
  MenuItemInventoryUpdate,
} from './schemas/stock.ts';

/** Every resource of every interface by its name: plain JSON Schema 2020-12. */
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
  ...house,
  ...partners,
  ...restaurants,
  ...platform,
  ...authentication,
  ...backOffice,
};

/** The name of a resource. */
export type SchemaName = keyof typeof schemas;
