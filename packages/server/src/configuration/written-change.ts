import type { ChangeCounts } from '@servery/contract';
import {
  type ObjectChange,
  type ObjectPlace,
  type ObjectState,
  placeOf,
  stateOf,
} from './object-state.ts';
import type { PublishedObject } from './write-store.ts';

export interface ChangeSummary {
  readonly count: number;
  readonly counts: ChangeCounts;
  readonly digest: string;
  /** True when a multiLocationId may have belonged to another item until now. */
  readonly hasMovedItems: boolean;
  /** Seen differently through a reference to a changed object (CFG-12). */
  readonly references: readonly ObjectPlace[];
}

export interface WrittenChanges extends ChangeSummary {
  read(from: number, to: number): Promise<string>;
}

interface WrittenChange extends PublishedObject {
  readonly before: ObjectState | null;
  readonly after: ObjectState;
}

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

export function isMovedItem({ before, after }: ObjectChange): boolean {
  return after.kind === 'menuItems' && before?.multiLocationId !== after.multiLocationId;
}
