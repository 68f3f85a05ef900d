import type { CollectionName } from '@servery/contract';

export type ObjectKind = CollectionName | 'tipWithholding';

export interface ObjectPlace {
  readonly collection: ObjectKind;
  readonly guid: string;
}

export interface ObjectState {
  readonly multiLocationId: string | null;
  readonly externalId: string | null;
  readonly archived: boolean;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ObjectContents extends ObjectPlace, ObjectState {
  /** Null when the import sets it. */
  readonly modifiedAt: Date | null;
}

export interface ObjectChange {
  readonly before: ObjectContents | null;
  readonly after: ObjectContents;
}
