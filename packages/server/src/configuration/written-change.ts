import type { ChangeCounts, PublishedChange } from '@servery/contract';
import { changedReferences } from './changed-references.ts';
import { changeKind, countChanges } from './describe-changes.ts';
import type { ObjectChange, ObjectPlace, ObjectState } from './document/contents.ts';
import type { ObjectsByPlace } from './effective.ts';
import { digestOf, placeOf, stateOf, stateText } from './object-state.ts';
import { isSeenByPartners } from './partner-view.ts';

export interface ChangeSummary {
  readonly count: number;
  readonly counts: ChangeCounts;
  readonly digest: string;
  /** True when a multiLocationId may have belonged to another object until now. */
  readonly hasMovedIds: boolean;
  /** Seen differently through a reference to a changed object (CFG-12). */
  readonly references: readonly ObjectPlace[];
}

export function summaryOf(
  published: ObjectsByPlace,
  changes: readonly ObjectChange[],
): ChangeSummary {
  const states = changes.map(({ before, after }) => [
    placeOf(after),
    before && stateText(before),
    stateText(after),
  ]);
  return {
    count: changes.length,
    counts: countsOf(changes),
    digest: digestOf(JSON.stringify(states)),
    hasMovedIds: changes.some(
      ({ before, after }) =>
        after.multiLocationId !== null && before?.multiLocationId !== after.multiLocationId,
    ),
    references: changedReferences(published.values(), changes),
  };
}

export function countsOf(changes: readonly ObjectChange[]): ChangeCounts {
  return countChanges(changes.map(({ before, after }) => changeKind(before, after)));
}

/** As rows of the history, as objects to write, and as what partners see. */
export function changesText(changes: readonly ObjectChange[]): string {
  return JSON.stringify(
    changes.map(({ before, after }) => ({
      ...placeOf(after),
      ...stateOf(after),
      before: before && stateOf(before),
      after: stateOf(after),
      kind: publishedKind(before, after),
    })),
  );
}

/** What `changesText` wrote. */
export function readChanges(text: string): readonly ObjectChange[] {
  const written: readonly (ObjectPlace & {
    readonly before: ObjectState | null;
    readonly after: ObjectState;
  })[] = JSON.parse(text);
  return written.map(({ collection, guid, before, after }) => {
    const place = { collection, guid, modifiedAt: null };
    return { before: before && { ...place, ...before }, after: { ...place, ...after } };
  });
}

/** Null for what partners don't see: an archived object that stays so, and other collections. */
function publishedKind(
  before: ObjectChange['before'],
  after: ObjectChange['after'],
): PublishedChange['kind'] | null {
  const kind = changeKind(before, after);
  if (kind === 'HIDDEN' || !isSeenByPartners(after.collection)) return null;
  // Partners always see one (CFG-11).
  if (after.collection === 'tipWithholding') return 'CHANGED';
  return kind === 'ADDED' ? 'CREATED' : kind;
}
