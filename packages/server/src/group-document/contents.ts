import type { Scope } from '@servery/contract';
import type { ObjectContents } from '../configuration/document/contents.ts';
import type { RestaurantFields } from '../restaurants/document/check-info.ts';

/** RestaurantInfo without what the document has elsewhere: the two GUIDs. */
export type InfoContents = RestaurantFields;

/** The stock of an item that is not simply in stock; `quantity` is a decimal text. */
export interface StockContents {
  readonly itemGuid: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity: string | null;
}

/** A restaurant with everything that belongs to it. */
export interface RestaurantContents {
  readonly guid: string;
  readonly info: InfoContents;
  readonly objects: readonly ObjectContents[];
  readonly stock: readonly StockContents[];
}

/** A partner service. */
interface PartnerContents {
  readonly guid: string;
  readonly name: string;
}

/** An API account without its secrets. */
export interface ClientContents {
  readonly clientId: string;
  readonly name: string;
  readonly type: 'PARTNER' | 'CUSTOMER';
  readonly partnerGuid: string | null;
  readonly scopes: readonly Scope[];
  readonly holdsLegacyCardKey: boolean;
}

/** The employee who made or edited a connection. */
interface EmployeeContents {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** A connection; times are epoch milliseconds, null when the document leaves them to the import. */
export interface ConnectionContents {
  readonly partnerGuid: string;
  readonly restaurantGuid: string;
  readonly externalGroupRef: string | null;
  readonly externalRestaurantRef: string | null;
  readonly createdBy: EmployeeContents;
  readonly createdMs: number | null;
  readonly modifiedMs: number | null;
}

/** What a group document says, with every reference resolved and every default filled in. */
export interface GroupContents {
  readonly group: { readonly guid: string; readonly name: string };
  readonly partners: readonly PartnerContents[];
  /** Null when the document says nothing of accounts. */
  readonly clients: readonly ClientContents[] | null;
  readonly restaurants: readonly RestaurantContents[];
  readonly connections: readonly ConnectionContents[];
}
