import type { FieldChange } from '@servery/contract';
import { useEffect } from 'preact/hooks';
import { menus as texts } from '../../messages.ts';
import type { Catalog } from './catalog.ts';
import { type FormField, forms } from './form.ts';
import { nameOf } from './picker.tsx';
import { type Fields, initialOf, isEqual, isFields } from './values.ts';
import { labelOf, plainText } from './words.tsx';

const NAMES_AT_MOST = 12;
/** They mean nothing to people. */
const IDENTITY = ['guid', 'entityType', 'multiLocationId', 'modifiedDate'];

interface Line {
  readonly label: string;
  /** Null if `after` says all. */
  readonly before: string | null;
  readonly after: string;
}

interface Shared {
  readonly catalog: Catalog;
  readonly collection: string;
  readonly currency: string;
}

/** What differs between two forms of an object. */
export function FieldDifferences({
  before,
  after,
  isNew = false,
  ...shared
}: Shared & { readonly before: Fields; readonly after: Fields; readonly isNew?: boolean }) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names
    .map((field) => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((change) => !isEqual(change.before, change.after));
  return <Differences {...shared} {...{ isNew, changes }} />;
}

/** Field by field, in words: a table of two columns that people can compare. */
export function Differences({
  changes,
  isNew = false,
  ...shared
}: Shared & { readonly changes: readonly FieldChange[]; readonly isNew?: boolean }) {
  const { catalog, collection } = shared;
  const version = catalog.version.value;
  const told = changes.filter(
    ({ field, after }) =>
      !IDENTITY.includes(field) && !(isNew && isAsAtFirst(collection, field, after)),
  );
  const lines = told.flatMap(({ field, before, after }) => {
    const described = forms[collection]?.fields.find(({ name }) => name === field);
    return linesOf(shared, described, labelOf(field), before, after, {});
  });
  useEffect(() => {
    for (const { field, before, after } of changes) {
      const target = forms[collection]?.fields.find(({ name }) => name === field)?.target;
      if (!target) continue;
      const guids = changedGuids(before, after).slice(0, NAMES_AT_MOST * 2);
      catalog.want(guids.map((guid) => ({ collection: target, guid })));
    }
  }, [changes, version]);
  return (
    <dl class="differences">
      {lines.map(({ label, before, after }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {!isNew && before !== null && (
              <del>
                <span class="visually-hidden">{texts.before} </span>
                {before}
              </del>
            )}
            <ins>
              {before !== null && <span class="visually-hidden">{texts.after} </span>}
              {after}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function linesOf(
  shared: Shared,
  field: FormField | undefined,
  label: string,
  before: unknown,
  after: unknown,
  beside: Fields,
): readonly Line[] {
  if (isEqual(before, after)) return [];
  if (field?.target) return [referenceLine(shared.catalog, field.target, label, before, after)];
  if (field?.kind === 'object' && (isFields(before) || isFields(after))) {
    const [old, young] = [isFields(before) ? before : {}, isFields(after) ? after : {}];
    return (field.fields ?? []).flatMap((inner) =>
      linesOf(
        shared,
        inner,
        labelOf(inner.name) === label ? label : `${label} › ${labelOf(inner.name)}`,
        old[inner.name] ?? null,
        young[inner.name] ?? null,
        { ...old, ...young },
      ).filter((line) => line.before !== line.after),
    );
  }
  const text = (value: unknown) => valueText(shared, field, value, beside);
  return [{ label, before: text(before), after: text(after) }];
}

/** Whether a new object says nothing with it. */
function isAsAtFirst(collection: string, name: string, value: unknown): boolean {
  const field = forms[collection]?.fields.find((each) => each.name === name);
  // The fields that forms don't have are older ones, which follow the others.
  return !field || !isTelling(value) || isEqual(value, initialOf(field));
}

/** One value in a line. */
export function valueText(
  shared: Shared,
  field: FormField | undefined,
  value: unknown,
  beside: Fields = {},
): string {
  if (field?.target) return namesOf(shared.catalog, field.target, guidsOf(value));
  if (field?.kind === 'object' && isFields(value)) {
    return (field.fields ?? [])
      .filter(({ name }) => isTelling(value[name]))
      .map(
        (inner) => `${labelOf(inner.name)}: ${valueText(shared, inner, value[inner.name], value)}`,
      )
      .join(', ');
  }
  if (field?.kind === 'list' && Array.isArray(value)) {
    if (value.length === 0) return texts.nothing;
    return value.map((each) => valueText(shared, field.of, each)).join('; ');
  }
  return plainText(field, value, beside, shared.currency) || texts.nothing;
}

function isTelling(value: unknown): boolean {
  return value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Only what is in or out, because a group can have thousands. */
function referenceLine(
  catalog: Catalog,
  target: string,
  label: string,
  before: unknown,
  after: unknown,
): Line {
  const [old, young] = [guidsOf(before), guidsOf(after)];
  const gone = [...new Set(old).difference(new Set(young))];
  const added = [...new Set(young).difference(new Set(old))];
  if (gone.length + added.length === 0) {
    if (before === null || after === null) {
      const text = (value: unknown) => (value === null ? texts.notSet : texts.nothing);
      return { label, before: text(before), after: text(after) };
    }
    return { label, before: texts.order, after: texts.otherOrder };
  }
  const [lost, gained] = [namesOf(catalog, target, gone), namesOf(catalog, target, added)];
  if (Array.isArray(before) && Array.isArray(after)) {
    if (gone.length === 0) return { label, before: null, after: texts.added(added.length, gained) };
    if (added.length === 0) return { label, before: null, after: texts.taken(gone.length, lost) };
  }
  return { label, before: lost, after: gained };
}

function namesOf(catalog: Catalog, collection: string, guids: readonly string[]): string {
  if (guids.length === 0) return texts.nothing;
  const names = guids.slice(0, NAMES_AT_MOST).map((guid) => nameOf(catalog, { collection, guid }));
  const left = guids.length - names.length;
  return left > 0 ? texts.andMore(names.join(', '), left) : names.join(', ');
}

/** Partners see references as objects; everybody else as GUIDs. */
export function guidsOf(value: unknown): readonly string[] {
  const all = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value];
  return all.map((each) => String(isFields(each) ? each.guid : each));
}

function changedGuids(before: unknown, after: unknown): readonly string[] {
  const [old, young] = [new Set(guidsOf(before)), new Set(guidsOf(after))];
  return [...old.symmetricDifference(young)];
}
