import type { CollectionName } from '@servery/contract';

/** What all things in a document can say about who they are. */
export interface Identified {
  /** Derived from the owner's GUID and the key when absent. */
  readonly guid?: string;
  /** What references in the same document call it; the name when absent. */
  readonly key?: string;
}

/** An object of one of the 23 collections, or the tip withholding, as a document writes it. */
export interface DocumentObject extends Identified {
  readonly [field: string]: unknown;
  readonly name?: string;
  readonly externalId?: string | null;
  /** Menu items only; the GUID when absent. */
  readonly multiLocationId?: string;
  readonly archived?: boolean;
  /** When the object was created or last changed, ISO 8601 with an offset. */
  readonly modifiedDate?: string;
}

/** The collections of a restaurant; one that is absent is empty. */
export type DocumentConfiguration = {
  readonly [Name in CollectionName]?: readonly DocumentObject[];
} & { readonly tipWithholding?: DocumentObject | null };
