import type { CollectionName, StoredFields } from '@servery/contract';
import type { Place } from '../../../document/faults.ts';

export interface Placed<Fields> {
  readonly fields: Fields;
  readonly place: Place;
}

/** What is not archived, by GUID. */
export type LiveObjects = {
  readonly [Name in CollectionName]: ReadonlyMap<string, Placed<StoredFields<Name>>>;
};
