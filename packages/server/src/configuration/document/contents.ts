import type { CollectionName } from '@servery/contract';

export type ObjectKind = CollectionName | 'tipWithholding';

export interface ObjectContents {
  readonly kind: ObjectKind;
  readonly guid: string;
  readonly multiLocationId: string | null;
  readonly externalId: string | null;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly archived: boolean;
  /** Null when the import sets it. */
  readonly modifiedMs: number | null;
}
