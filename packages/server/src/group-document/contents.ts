import type { Scope } from '@servery/contract';
import type { ObjectContents } from '../configuration/document/contents.ts';
import type { RestaurantFields } from '../restaurants/document/check-info.ts';

export type InfoContents = RestaurantFields;

export interface StockContents {
  readonly itemGuid: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity: string | null;
}

export interface RestaurantContents {
  readonly guid: string;
  readonly info: InfoContents;
  readonly objects: readonly ObjectContents[];
  readonly stock: readonly StockContents[];
}

interface PartnerContents {
  readonly guid: string;
  readonly name: string;
}

export interface ClientContents {
  readonly clientId: string;
  readonly name: string;
  readonly type: 'PARTNER' | 'CUSTOMER';
  readonly partnerGuid: string | null;
  readonly scopes: readonly Scope[];
  readonly holdsLegacyCardKey: boolean;
}

interface EmployeeContents {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

export interface ConnectionContents {
  readonly partnerGuid: string;
  readonly restaurantGuid: string;
  readonly externalGroupRef: string | null;
  readonly externalRestaurantRef: string | null;
  readonly createdBy: EmployeeContents;
  readonly createdAt: Date | null;
  readonly modifiedAt: Date | null;
}

export interface GroupContents {
  readonly group: { readonly guid: string; readonly name: string };
  readonly partners: readonly PartnerContents[];
  readonly clients: readonly ClientContents[] | null;
  readonly restaurants: readonly RestaurantContents[];
  readonly connections: readonly ConnectionContents[];
}
