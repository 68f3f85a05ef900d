import type { CollectionName } from '@servery/contract';

export interface Identified {
  readonly guid?: string;
  readonly key?: string;
}

export interface DocumentObject extends Identified {
  readonly [field: string]: unknown;
  readonly name?: string;
  readonly externalId?: string | null;
  readonly multiLocationId?: string;
  readonly archived?: boolean;
  readonly modifiedDate?: string;
}

export type DocumentConfiguration = {
  readonly [Name in CollectionName]?: readonly DocumentObject[];
} & { readonly tipWithholding?: DocumentObject | null };
