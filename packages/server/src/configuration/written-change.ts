import type { ChangeCounts } from '@servery/contract';
import {
  type ObjectChange,
  type ObjectPlace,
  type ObjectState,
  placeOf,
  stateOf,
} from './object-state.ts';
import type { PublishedObject } from './write-store.ts';

/** What the changes of a publication are together. */
export interface ChangeSummary {
  readonly count: number;
  readonly counts: ChangeCounts;
  /** Another one where any object before or after is another. */
  readonly digest: string;
  /** Whether a multiLocationId may have been another item's until now. */
  readonly hasMovedItems: boolean;
  /** Objects that partners see differently through a reference to a changed one (CFG-12). */
  readonly references: readonly ObjectPlace[];
}

/** The changes of a publication, which are read a part at a time. */
export interface WrittenChanges extends ChangeSummary {
  /** Those from the first of these places to before the second, as `changesText`. */
  read(from: number, to: number): Promise<string>;
}

/** A change as it is stored: the object, and its states for the history. */
interface WrittenChange extends PublishedObject {
  readonly before: ObjectState | null;
  readonly after: ObjectState;
}

/**
 * Changes as the statements that store them take them: as `objectsText`, with the states before and
 * after.
 */
export function changesText(changes: readonly ObjectChange[]): string {
  return JSON.stringify(changes.map(writtenChange));
}

function writtenChange({ before, after }: ObjectChange): WrittenChange {
  return {
    ...placeOf(after),
    ...stateOf(after),
    modifiedAt: null,
    before: before && stateOf(before),
    after: stateOf(after),
  };
}

/** Whether an item gets a multiLocationId that another one may have had until now. */
export function isMovedItem({ before, after }: ObjectChange): boolean {
  return after.kind === 'menuItems' && before?.multiLocationId !== after.multiLocationId;
}
