import { collections } from '@servery/contract';
import type { JsonSchema } from '../../document/field-schema.ts';
import { type Form, storedForm } from '../../http/pipeline/arrange.ts';
import type { ObjectContents, ObjectKind, ObjectState } from './contents.ts';
import { referencesOf, storedFields } from './schema.ts';

const forms = new Map<string, Form>(
  [...collections.map(({ name }) => name), 'tipWithholding' as const].map((kind) => [
    kind,
    storedForm({ properties: storedProperties(kind) }),
  ]),
);

/** References are stored as GUIDs. */
function storedProperties(kind: ObjectKind): Readonly<Record<string, JsonSchema>> {
  const references = referencesOf(kind)
    .filter((reference) => reference.kind !== null)
    .map(({ field, many }): [string, JsonSchema] => [field, many ? { items: {} } : {}]);
  return { ...storedFields(kind), ...Object.fromEntries(references) };
}

/**
 * Stored rows have the fields of the time when they were written. Everything that loads objects,
 * drafts or states of the history passes them through here, so that a field that is newer than the
 * row has its default, and equal objects have equal text.
 */
export function withAllFields<Stored extends Pick<ObjectContents, 'collection' | 'fields'>>(
  stored: Stored,
): Stored {
  const fields = allFields(stored.collection, stored.fields);
  return fields === stored.fields ? stored : { ...stored, fields };
}

/** As `withAllFields`, for a state that doesn't say what it is of. */
export function stateWithAllFields<State extends ObjectState | null>(
  kind: ObjectKind,
  state: State,
): State {
  return state && { ...state, fields: allFields(kind, state.fields) };
}

/** Gives the same object when it has them, which is cheap to see. */
export function allFields(
  kind: ObjectKind,
  fields: ObjectContents['fields'],
): ObjectContents['fields'] {
  const form = forms.get(kind);
  if (!form || form.isArranged(fields)) return fields;
  return form.arrange(fields) as ObjectContents['fields'];
}

/** Doesn't change when the contract gets another optional field. */
export function fieldsWithoutDefaults({
  collection,
  fields,
}: Pick<ObjectContents, 'collection' | 'fields'>): ObjectContents['fields'] {
  const left = forms.get(collection)?.withoutDefaults(fields) ?? {};
  return left as ObjectContents['fields'];
}
