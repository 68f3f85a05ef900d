import type { Scope } from '@servery/contract';
import type { DocumentConfiguration, Identified } from '../configuration/document/document.ts';
import type { WantedConnection } from '../partners/write-store.ts';

export const DOCUMENT_FORMAT = 'servery.group/1';

export interface DocumentInfo {
  readonly [section: string]: unknown;
  readonly general: Readonly<Record<string, unknown>> & { readonly name: string };
}

export interface DocumentRestaurant extends Identified {
  readonly info: DocumentInfo;
  readonly configuration?: DocumentConfiguration;
  readonly stock?: readonly DocumentStock[];
}

export interface DocumentStock {
  readonly item: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity?: number | null;
}

export interface DocumentPartner extends Identified {
  readonly name: string;
}

/** Never holds the secret. */
export interface DocumentClient {
  readonly clientId?: string;
  readonly key?: string;
  readonly name: string;
  readonly userAccessType: 'PARTNER' | 'CUSTOMER';
  readonly partner?: string | null;
  readonly scopes: readonly Scope[];
  readonly holdsLegacyCardKey?: boolean;
}

export interface DocumentConnection {
  readonly partner: string;
  readonly restaurant: string;
  readonly externalGroupRef?: string | null;
  readonly externalRestaurantRef?: string | null;
  readonly createdBy?: Partial<WantedConnection['createdBy']>;
  readonly createdDate?: string;
  readonly modifiedDate?: string;
}

export interface GroupDocument {
  readonly format: typeof DOCUMENT_FORMAT;
  readonly managementGroup: { readonly guid?: string; readonly name: string };
  readonly partners?: readonly DocumentPartner[];
  /** When absent, an import leaves the group's accounts unchanged. */
  readonly clients?: readonly DocumentClient[];
  readonly restaurants?: readonly DocumentRestaurant[];
  readonly connections?: readonly DocumentConnection[];
}
