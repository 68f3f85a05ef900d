import type { CollectionName } from '@servery/contract';

/** A collection, or the one object beside them. */
export type ObjectKind = CollectionName | 'tipWithholding';

/** One configuration object as it is stored: references are GUIDs, every field is there. */
export interface ObjectContents {
  readonly kind: ObjectKind;
  readonly guid: string;
  /** Set for menu items, else null. */
  readonly multiLocationId: string | null;
  readonly externalId: string | null;
  /** The object's own fields in the contract's order. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly archived: boolean;
  /** Epoch milliseconds; null when the document leaves it to the import. */
  readonly modifiedMs: number | null;
}
