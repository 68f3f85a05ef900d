/**
 * Runs when the console is built: makes a small description of every form from the contract, so
 * that the browser gets names, kinds, limits and hints, and no schemas.
 */
import {
  type CollectionName,
  collectionReferences,
  collections,
  officeFieldsOf,
  REFERENCE_TEXT,
} from '@servery/contract';
import type { CollectionForm, FieldKind, FormField } from './form.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly default?: unknown;
  readonly deprecated?: boolean;
}

const IDENTITY = ['guid', 'entityType'];
/** From this length on, a text has several lines. */
const WORDS = 1_000;

export function formFields(): Readonly<Record<string, CollectionForm>> {
  return Object.fromEntries(collections.map((each) => [each.name, formOf(each)]));
}

function formOf({ name, schema }: (typeof collections)[number]): CollectionForm {
  const office = officeFieldsOf(name) as Readonly<Record<string, Schema>>;
  const { properties = {} } = schema as unknown as Schema;
  const fields = Object.entries({ ...properties, ...office })
    .filter(([field, own]) => !IDENTITY.includes(field) && !own.deprecated)
    .map(([field, own]) => fieldOf(name, field, field, own));
  return { fields };
}

function fieldOf(
  collection: CollectionName,
  path: string,
  name: string,
  schema: Schema,
): FormField {
  const { isNullable, open } = opened(schema);
  const description = (schema.description ?? open.description ?? '').replace(REFERENCE_TEXT, '');
  const kind = kindOf(collection, path, open, description);
  const values = open.enum?.filter((value) => value !== null);
  const inner = open.items && opened(open.items).open;
  const choices = values ?? (kind === 'choices' ? inner?.enum : undefined);
  const words = choices && wordsOf(choices as readonly string[], description);
  const target = targetOf(collection, path)?.target;
  const isRequired = !isNullable && open.default === undefined && kind !== 'list';
  const field: FormField = { name, kind };
  const hint = humane(words?.rest ?? description, choices as readonly string[] | undefined);
  const isTelling = hint !== '' && name !== 'name' && !/^(A|An|The) [a-z -]+\.$/.test(hint);
  return {
    ...field,
    ...(isTelling && { hint }),
    ...(isNullable && { isNullable }),
    ...(isRequired && { isRequired }),
    ...(open.maxLength !== undefined && kind === 'text' && { maxLength: open.maxLength }),
    ...(choices && { choices: choices as readonly string[] }),
    ...(words && Object.keys(words.of).length > 0 && { words: words.of }),
    ...(target && { target }),
    ...(kind === 'object' && { fields: fieldsOf(collection, path, open) }),
    ...(kind === 'list' && inner && { of: elementOf(collection, `${path}[]`, inner) }),
    ...(open.default !== undefined && !isEmpty(open.default) && { initial: open.default }),
  };
}

function elementOf(collection: CollectionName, path: string, schema: Schema): FormField {
  return fieldOf(collection, path, '', schema);
}

function fieldsOf(collection: CollectionName, path: string, { properties = {} }: Schema) {
  return Object.entries(properties)
    .filter(([name, { deprecated }]) => name !== 'entityType' && name !== 'guid' && !deprecated)
    .map(([name, schema]) => fieldOf(collection, `${path}.${name}`, name, schema));
}

function opened(schema: Schema): { readonly isNullable: boolean; readonly open: Schema } {
  const [first] = schema.anyOf ?? [];
  if (first) {
    const { default: initial = first.default } = schema;
    return {
      isNullable: true,
      open: { ...first, ...(initial !== undefined && { default: initial }) },
    };
  }
  if (!Array.isArray(schema.type)) return { isNullable: false, open: schema };
  const [type] = schema.type as readonly string[];
  return { isNullable: true, open: { ...schema, ...(type !== undefined && { type }) } };
}

const targetOf = (collection: CollectionName, path: string) =>
  collectionReferences[collection].find(({ field }) => field === path);

function kindOf(
  collection: CollectionName,
  path: string,
  { type, enum: values, items, pattern = '', maxLength = 0 }: Schema,
  description: string,
): FieldKind {
  const reference = targetOf(collection, path);
  if (reference) return reference.many ? 'references' : 'reference';
  if (values) return 'choice';
  if (type === 'boolean') return 'flag';
  if (type === 'integer') return 'whole';
  if (type === 'number') return numberKind(description);
  if (type === 'object') return 'object';
  if (type === 'array') return items?.enum ? 'choices' : 'list';
  if (pattern.includes(':[0-5]')) return 'time';
  return maxLength >= WORDS && maxLength < 2_048 + 1 && !path.endsWith('url') ? 'words' : 'text';
}

function numberKind(description: string): FieldKind {
  if (/a fraction/.test(description)) return 'share';
  if (/a percentage, or/.test(description)) return 'decimal';
  return /currency units|^The charge in|^Price of/.test(description) ? 'money' : 'decimal';
}

/** What the description says of each value (`FIXED: a fixed amount.`), and the rest of it. */
function wordsOf(choices: readonly string[], description: string) {
  const of: Record<string, string> = {};
  let rest = description;
  for (const choice of choices) {
    const said = new RegExp(`(?:^|\\s)${choice}: ([^.]*(?:\\.\\d[^.]*)*)\\.`).exec(rest);
    if (!said?.[1]) continue;
    of[choice] = humane(said[1], choices);
    rest = rest.replace(said[0], '');
  }
  return { of, rest };
}

/** As people read it, who see an empty field and not null. Names are in braces, for their labels. */
function humane(description: string, choices: readonly string[] = []): string {
  return description
    .replace(/, in currency units/g, '')
    .replace(/(;| \()\s*(null|empty|otherwise null|otherwise empty)\b[^.;)]*\)?/g, '')
    .replace(/\s*\b(Null if|PERCENT:|FIXED:|Otherwise null)[^.]*(\.\d[^.]*)*\./g, '')
    .replace(/If null/g, 'If it is not set')
    .replace(/if (\w+) is null/g, 'if $1 is not set')
    .replace(/Null means/g, 'Not set means')
    .replace(/null means/g, 'not set means')
    .replace(/\b[a-z]+[A-Z][a-zA-Z]*\b/g, '{$&}')
    .replace(/\b[A-Z]+(_[A-Z]+)+\b/g, '{$&}')
    .replace(/\b[A-Z]{3,}\b/g, (word) => (choices.includes(word) ? `{${word}}` : word))
    .replace(/ Written HH:mm\./, '')
    .trim();
}

function isEmpty(value: unknown): boolean {
  return value === '' || value === false || (Array.isArray(value) && value.length === 0);
}
