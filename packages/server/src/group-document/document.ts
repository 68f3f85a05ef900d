import type { Scope } from '@servery/contract';
import type { DocumentConfiguration, Identified } from '../configuration/document/document.ts';

/** The name and version that every document starts with. */
export const DOCUMENT_FORMAT = 'servery.group/1';

/** RestaurantInfo by its sections; each section's fields are those of the contract. */
export interface DocumentInfo {
  readonly [section: string]: unknown;
  readonly general: Readonly<Record<string, unknown>> & { readonly name: string };
}

/** A restaurant with everything that belongs to it. */
export interface DocumentRestaurant extends Identified {
  readonly info: DocumentInfo;
  readonly configuration?: DocumentConfiguration;
  readonly stock?: readonly DocumentStock[];
}

/** The stock of a menu item that is not simply in stock. */
export interface DocumentStock {
  readonly item: string;
  readonly status: 'QUANTITY' | 'OUT_OF_STOCK';
  readonly quantity?: number | null;
}

/** An integrated partner service. */
export interface DocumentPartner extends Identified {
  readonly name: string;
}

/** An API account. Its secret is never in a document. */
export interface DocumentClient {
  readonly clientId?: string;
  readonly key?: string;
  readonly name: string;
  readonly userAccessType: 'PARTNER' | 'CUSTOMER';
  /** The partner of a PARTNER account; absent or null for a CUSTOMER account. */
  readonly partner?: string | null;
  readonly scopes: readonly Scope[];
  readonly holdsLegacyCardKey?: boolean;
}

/** A restaurant's consent to a partner's integration. */
export interface DocumentConnection {
  readonly partner: string;
  readonly restaurant: string;
  readonly externalGroupRef?: string | null;
  readonly externalRestaurantRef?: string | null;
  readonly createdBy?: DocumentEmployee;
  readonly createdDate?: string;
  readonly modifiedDate?: string;
}

/** The employee who made or edited a connection. */
interface DocumentEmployee {
  readonly firstName?: string | null;
  readonly lastName?: string | null;
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** A management group as one document, as people write it. */
export interface GroupDocument {
  readonly format: typeof DOCUMENT_FORMAT;
  readonly managementGroup: { readonly guid?: string; readonly name: string };
  readonly partners?: readonly DocumentPartner[];
  /** When absent, an import leaves the accounts of the group as they are. */
  readonly clients?: readonly DocumentClient[];
  readonly restaurants?: readonly DocumentRestaurant[];
  readonly connections?: readonly DocumentConnection[];
}
