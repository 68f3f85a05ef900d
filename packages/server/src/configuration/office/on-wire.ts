import type {
  ConfigurationChange,
  ConfigurationDraft,
  ConfigurationObject,
  DraftStatus,
  Publication,
  PublicationDetails,
} from '@servery/contract';
import { isoTimestamp } from '../../http/timestamps.ts';
import { actionOf, countActions, describeChange } from '../describe-changes.ts';
import type { ObjectContents } from '../document/contents.ts';
import type { DraftRow } from '../draft-store.ts';
import { type ObjectView, objectOf, stateOf } from '../edit-drafts.ts';
import { type DraftedConfiguration, draftState, isOutdated } from '../effective.ts';
import { documentOf, nameOfObject, placeKey, placeOf } from '../object-state.ts';
import type { ChangeRow, PublicationRow, RestaurantHead } from '../publication-store.ts';

export function objectOnWire(view: ObjectView): ConfigurationObject {
  const { draft } = view;
  const object = objectOf(view);
  // A tip withholding that was never set is shown as not published.
  const published = view.published?.modifiedAt ? view.published : null;
  return {
    ...placeOf(object),
    name: nameOfObject(object),
    state: stateOf(view),
    change: draft && actionOf(published, object),
    object: documentOnWire(object),
    published: published && documentOnWire(published),
    publishedAt: published?.modifiedAt ? isoTimestamp(published.modifiedAt) : null,
    draft: draft && statusOnWire(draft, published),
  };
}

function documentOnWire(object: ObjectContents): Readonly<Record<string, unknown>> {
  return { ...documentOf(object), archived: object.archived };
}

function statusOnWire(draft: DraftRow, published: ObjectContents | null): DraftStatus {
  const { revision, createdBy, createdAt, modifiedBy, modifiedByName, modifiedAt } = draft;
  return {
    revision,
    createdBy,
    createdAt: isoTimestamp(createdAt),
    modifiedBy,
    modifiedByName,
    modifiedAt: isoTimestamp(modifiedAt),
    isOutdated: isOutdated(draft, published),
  };
}

export function draftOnWire(
  { guid, publishNumber }: RestaurantHead,
  { published, drafts }: DraftedConfiguration,
): ConfigurationDraft {
  const results = drafts.toSorted(byMaking).map((draft) => {
    const before = published.get(placeKey(draft)) ?? null;
    return {
      ...placeOf(draft),
      name: nameOfObject(draft),
      change: actionOf(before, draft),
      draft: statusOnWire(draft, before),
    };
  });
  return {
    restaurantGuid: guid,
    publishNumber,
    state: draftState(publishNumber, drafts),
    counts: countActions(results.map(({ change }) => change)),
    results,
  };
}

/** Revisions are made in the order of time: they tell drafts of one instant apart. */
function byMaking(one: DraftRow, other: DraftRow): number {
  const difference = one.createdAt.getTime() - other.createdAt.getTime();
  return difference || (one.revision < other.revision ? -1 : 1);
}

export function publicationOnWire({
  added,
  changed,
  removed,
  publishedAt,
  ...row
}: PublicationRow): Publication {
  return { ...row, publishedAt: isoTimestamp(publishedAt), counts: { added, changed, removed } };
}

export function publicationDetails(
  row: PublicationRow,
  { changes, count }: { readonly changes: readonly ChangeRow[]; readonly count: number },
): PublicationDetails {
  return { ...publicationOnWire(row), changes: changes.map(changeOnWire), changeCount: count };
}

function changeOnWire({ collection, guid, before, after }: ChangeRow): ConfigurationChange {
  const identity = { collection, guid, modifiedAt: null };
  return describeChange({
    before: before && { ...identity, ...before },
    after: { ...identity, ...after },
  });
}
