import type {
  ChangeCounts,
  ConfigurationChange,
  DraftCounts,
  FieldChange,
  PlannedAction,
} from '@servery/contract';
import { documentOf, nameOfObject, type ObjectChange, type ObjectState } from './object-state.ts';

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

export function countChanges(kinds: Iterable<ConfigurationChange['kind']>): ChangeCounts {
  const counts = { added: 0, changed: 0, removed: 0 };
  for (const kind of kinds) {
    if (kind === 'ADDED') counts.added += 1;
    if (kind === 'CHANGED') counts.changed += 1;
    if (kind === 'REMOVED') counts.removed += 1;
  }
  return counts;
}

export function countActions(actions: Iterable<PlannedAction['action']>): DraftCounts {
  const counts = { create: 0, change: 0, archive: 0, restore: 0 };
  for (const action of actions) {
    if (action === 'CREATE') counts.create += 1;
    if (action === 'CHANGE') counts.change += 1;
    if (action === 'ARCHIVE') counts.archive += 1;
    if (action === 'RESTORE') counts.restore += 1;
  }
  return counts;
}

export function describeChange({ before, after }: ObjectChange): ConfigurationChange {
  const kind = changeKind(before, after);
  return {
    collection: after.kind,
    guid: after.guid,
    name: nameOfObject(after),
    kind,
    fields: kind === 'REMOVED' ? [] : fieldsBetween(before, after),
  };
}

export function describeAction({ before, after }: ObjectChange): PlannedAction {
  const action = actionOf(before, after);
  return {
    action,
    collection: after.kind,
    guid: after.guid,
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
