import type { Sql } from '../database/database.ts';
import type { Fault } from '../http/errors.ts';
import type { ObjectChange, ObjectContents, ObjectState } from './document/contents.ts';
import { allFields } from './document/stored-object.ts';
import { type DraftRow, listDrafts } from './draft-store.ts';
import type { Edit } from './edit-drafts.ts';
import { byPlaceKey, nameOfObject, placeKey } from './object-state.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * The edits that draft the changes, on top of the drafts that are there. `faults` are the fields for
 * which a draft has another value, which is kept or replaced.
 */
export async function rebaseChanges(
  sql: Sql,
  restaurantGuid: string,
  changes: readonly ObjectChange[],
  isKept: boolean,
): Promise<{ readonly edits: readonly Edit[]; readonly faults: readonly Fault[] }> {
  const selection = {
    collections: [...new Set(changes.map(({ after }) => after.collection))],
    guids: changes.map(({ after }) => after.guid),
  };
  const drafts = byPlaceKey(await listDrafts(sql, restaurantGuid, selection));
  const faults: Fault[] = [];
  const edits = changes.map((change): Edit => {
    const draft = drafts.get(placeKey(change.after)) ?? null;
    const view = { published: change.before, draft };
    if (!draft) return { view, object: change.after };
    const { object, contested } = rebased(change, draft, isKept);
    const name = JSON.stringify(nameOfObject(draft));
    const message = `has another value in the draft of ${draft.modifiedByName ?? 'somebody'}`;
    for (const field of contested) {
      faults.push({ where: `${placeKey(draft)} ${name} ${field}`, message });
    }
    return { view, object };
  });
  return { edits, faults };
}

/** The draft with the change. `contested` are the fields that both have changed differently. */
function rebased({ before, after }: ObjectChange, draft: DraftRow, isKept: boolean) {
  const [old, young, drafted] = [
    valuesOf(before ?? unset(after)),
    valuesOf(after),
    valuesOf(draft),
  ];
  const changed = Object.keys(young).filter((name) => !isSame(old[name], young[name]));
  const contested = changed.filter(
    (name) => !isSame(drafted[name], old[name]) && !isSame(drafted[name], young[name]),
  );
  const taken = changed.filter((name) => !(isKept && contested.includes(name)));
  const { multiLocationId, externalId, archived, ...fields } = {
    ...drafted,
    ...Object.fromEntries(taken.map((name) => [name, young[name]])),
  } as Values & ObjectState;
  const object: ObjectContents = { ...after, multiLocationId, externalId, archived, fields };
  return { object, contested };
}

function unset({ collection }: ObjectContents): ObjectState {
  const fields = allFields(collection, {});
  return { multiLocationId: null, externalId: null, archived: false, fields };
}

function valuesOf({ multiLocationId, externalId, archived, fields }: ObjectState): Values {
  return { ...fields, multiLocationId, externalId, archived };
}

/** The order of keys is fixed. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
