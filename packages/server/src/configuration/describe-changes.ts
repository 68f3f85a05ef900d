import type {
  ChangeCounts,
  ConfigurationChange,
  DraftCounts,
  FieldChange,
  PlannedAction,
} from '@servery/contract';
import type { ObjectChange, ObjectState } from './document/contents.ts';
import { documentOf, nameOfObject, placeOf } from './object-state.ts';

export const SHOWN_CHANGES = 1_000;

type Fields = Readonly<Record<string, unknown>>;

export function changeKind(
  before: Pick<ObjectState, 'archived'> | null,
  after: Pick<ObjectState, 'archived'>,
): ConfigurationChange['kind'] {
  const wasLive = before !== null && !before.archived;
  if (wasLive) return after.archived ? 'REMOVED' : 'CHANGED';
  return after.archived ? 'HIDDEN' : 'ADDED';
}

export function actionOf(
  before: Pick<ObjectState, 'archived'> | null,
  after: Pick<ObjectState, 'archived'>,
): PlannedAction['action'] {
  if (before === null) return 'CREATE';
  if (before.archived === after.archived) return 'CHANGE';
  return after.archived ? 'ARCHIVE' : 'RESTORE';
}

export function fieldChanges(before: Fields, after: Fields): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((field) => {
    const sides = { before: before[field] ?? null, after: after[field] ?? null };
    return JSON.stringify(sides.before) === JSON.stringify(sides.after)
      ? []
      : [{ field, ...sides }];
  });
}

export function countChanges(kinds: readonly ConfigurationChange['kind'][]): ChangeCounts {
  const count = countsOf(kinds);
  return { added: count('ADDED'), changed: count('CHANGED'), removed: count('REMOVED') };
}

export function countActions(actions: readonly PlannedAction['action'][]): DraftCounts {
  const count = countsOf(actions);
  return {
    create: count('CREATE'),
    change: count('CHANGE'),
    archive: count('ARCHIVE'),
    restore: count('RESTORE'),
  };
}

function countsOf<Kind>(kinds: readonly Kind[]): (kind: Kind) => number {
  const byKind = Map.groupBy(kinds, (kind) => kind);
  return (kind) => byKind.get(kind)?.length ?? 0;
}

export function describeChange({ before, after }: ObjectChange): ConfigurationChange {
  const kind = changeKind(before, after);
  return {
    ...placeOf(after),
    name: nameOfObject(after),
    kind,
    fields: kind === 'REMOVED' ? [] : fieldsBetween(before, after),
  };
}

export function describeAction({ before, after }: ObjectChange): PlannedAction {
  const action = actionOf(before, after);
  return {
    action,
    ...placeOf(after),
    name: nameOfObject(after),
    fields: action === 'ARCHIVE' ? [] : fieldsBetween(before, after),
  };
}

function fieldsBetween(before: ObjectChange['before'], after: ObjectChange['after']) {
  return fieldChanges(before ? identified(before) : {}, identified(after));
}

function identified(object: ObjectChange['after']): Fields {
  const { guid: _guid, archived: _archived, ...fields } = documentOf(object);
  return fields;
}
