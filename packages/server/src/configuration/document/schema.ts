import {
  type CollectionName,
  collectionByName,
  collectionReferences,
  collections,
  limits,
  officeFieldsOf,
  partnerReferences,
  REFERENCE_TEXT,
  type ReferenceField,
  schemas,
} from '@servery/contract';
import { type JsonSchema, objectSchema } from '../../document/field-schema.ts';
import type { ObjectKind } from './contents.ts';
import { hasMultiLocationId } from './identity.ts';

const IDENTITY_FIELDS = new Set(['guid', 'entityType', 'externalId']);
export const DERIVED_FIELDS = ['guid', 'key', 'multiLocationId', 'modifiedDate'];

export const text = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  ...limits.line,
  description,
});
/** May look like a card number by chance. */
export const identifier = (description: string): JsonSchema => ({
  ...text(description),
  '~identifier': true,
});
export const reference = (description: string): JsonSchema =>
  identifier(`${description} ${REFERENCE_TEXT}`);
export const nullableText = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  ...limits.line,
  description,
});
export const nullableIdentifier = (description: string): JsonSchema => ({
  ...nullableText(description),
  '~identifier': true,
});
export const guid = (otherwise: string): JsonSchema => ({
  type: 'string',
  format: 'uuid',
  ...limits.line,
  description: `A UUID; when absent, ${otherwise}.`,
});
export const key = identifier('What references in this document call it; when absent, its name.');
export const instant = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  ...limits.instant,
  description,
});
export const listOf = (definition: string, description: string): JsonSchema => ({
  type: 'array',
  description,
  items: { $ref: `#/$defs/${definition}` },
});
export const derived = (what: string) => `derived from the ${what} and the key`;

function resourceOf(collection: ObjectKind): JsonSchema {
  const { schema } =
    collection === 'tipWithholding'
      ? { schema: schemas.TipWithholding }
      : collectionByName(collection);
  return schema as unknown as JsonSchema;
}

export function referencesOf(collection: ObjectKind): readonly ReferenceField[] {
  return collection === 'tipWithholding' ? [] : collectionReferences[collection];
}

/**
 * What is stored of an object beside its identity. Drafts, documents, the history, the export and
 * the checks have each of these fields, so a new one needs nothing but the contract's schema.
 */
export function storedFields(collection: ObjectKind): Readonly<Record<string, JsonSchema>> {
  const office = collection === 'tipWithholding' ? {} : officeFieldsOf(collection);
  return { ...ownFields(resourceOf(collection)), ...(office as Record<string, JsonSchema>) };
}

function ownFields({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !IDENTITY_FIELDS.has(name)),
  );
}

export const configurationSchema = objectSchema(
  { description: 'The collections of the configuration interface.' },
  {
    ...Object.fromEntries(
      collections.map(({ name, object, tag }) => [name, listOf(object, `${tag}.`)]),
    ),
    tipWithholding: { ...tipWithholding(), type: ['object', 'null'] },
  },
);

function tipWithholding(): JsonSchema {
  const fields = {
    guid: guid("derived from the restaurant's GUID"),
    modifiedDate: modifiedDate(),
    ...storedFields('tipWithholding'),
  };
  return objectSchema(resourceOf('tipWithholding'), fields, DERIVED_FIELDS);
}

/** The schemas of the objects in documents, by the names that `configurationSchema` refers to. */
export function objectDefinitions(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(collections.map(({ name, object }) => [object, objectOf(name)]));
}

export function objectOf(collection: CollectionName): JsonSchema {
  const resource = resourceOf(collection);
  const { externalId } = resource.properties ?? {};
  const fields = {
    guid: guid(derived("restaurant's GUID")),
    key,
    ...(externalId && { externalId }),
    ...(hasMultiLocationId(collection) && { multiLocationId }),
    archived: {
      type: 'boolean',
      default: false,
      description: 'True when it was removed: it is kept, but no interface shows it.',
    },
    modifiedDate: modifiedDate(),
    ...documentFields(collection),
  };
  return objectSchema(resource, fields, DERIVED_FIELDS);
}

// A database index limits its size.
const multiLocationId = identifier(
  'Identifier shared by all versions of the object at the locations that share it. When absent, ' +
    '18 digits that follow from its GUID.',
);

function modifiedDate(): JsonSchema {
  return instant('When it was created or last changed; when absent, the time of the import.');
}

function documentFields(collection: CollectionName): Readonly<Record<string, JsonSchema>> {
  const references = Map.groupBy(partnerReferences(collection), ({ field }) => field);
  const entries = Object.entries(storedFields(collection)).map(([name, field]) => {
    const [reference] = references.get(name) ?? [];
    if (reference) return [name, referenceSchema(reference, String(field.description))];
    return [name, field.items?.properties?.entityType ? nestedEntities(field) : field];
  });
  return Object.fromEntries(entries);
}

function referenceSchema(field: ReferenceField, description: string): JsonSchema {
  const one = { type: 'string', minLength: 1, ...limits.line, '~identifier': true };
  const what = `${description} ${REFERENCE_TEXT}`;
  return field.many
    ? { type: 'array', description: what, default: [], ...limits.references, items: one }
    : { ...one, type: ['string', 'null'], description: what };
}

/** Things with GUIDs of their own inside an object, such as promotion codes (CFG-6). */
function nestedEntities(field: JsonSchema): JsonSchema {
  const resource = field.items ?? {};
  const fields = { guid: guid(derived("restaurant's GUID")), key, ...ownFields(resource) };
  return { ...field, items: objectSchema(resource, fields, DERIVED_FIELDS) };
}
