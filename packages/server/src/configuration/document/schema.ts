import {
  type Collection,
  collectionReferences,
  collections,
  isCollectionName,
  limits,
  type ReferenceField,
  schemas,
} from '@servery/contract';
import { type JsonSchema, objectSchema } from '../../document/field-schema.ts';

// Fields of a resource that a document has elsewhere: in `guid`, nowhere, or in front of the rest.
const IDENTITY_FIELDS = new Set(['guid', 'entityType', 'externalId']);
/** What every object may leave out: it is derived, or it is the time of the change. */
export const DERIVED_FIELDS = ['guid', 'key', 'multiLocationId', 'modifiedDate'];
/** What a reference can be. */
export const REFERENCE_TEXT = "The other's GUID, its key, or its name when only one has that name.";

/** A name or an identifier that is not empty. */
export const text = (description: string): JsonSchema => ({
  type: 'string',
  minLength: 1,
  ...limits.line,
  description,
});
/** A text that names another thing of the document. */
export const reference = (description: string): JsonSchema =>
  text(`${description} ${REFERENCE_TEXT}`);
/** The same or null. */
export const nullableText = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  ...limits.line,
  description,
});
/** A GUID that may be left out. */
export const guid = (otherwise: string): JsonSchema => ({
  type: 'string',
  format: 'uuid',
  ...limits.line,
  description: `A UUID; when absent, ${otherwise}.`,
});
/** The key of a thing. */
export const key = text('What references in this document call it; when absent, its name.');
/** An instant. */
export const instant = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  ...limits.instant,
  description,
});
/** A list of what a definition describes. */
export const listOf = (definition: string, description: string): JsonSchema => ({
  type: 'array',
  description,
  items: { $ref: `#/$defs/${definition}` },
});
/** How a GUID is made that is not given. */
export const derived = (what: string) => `derived from the ${what} and the key`;

/** The fields of a resource that are its own, without what every reference has. */
export function ownFields(resource: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(resource.properties ?? {}).filter(([name]) => !IDENTITY_FIELDS.has(name)),
  );
}

/** The schema of the configuration of one restaurant. */
export const configurationSchema = objectSchema(
  { description: 'The collections of the configuration interface.' },
  {
    ...Object.fromEntries(
      collections.map(({ name, object, tag }) => [name, listOf(object, `${tag}.`)]),
    ),
    tipWithholding: { ...tipWithholding(), type: ['object', 'null'] },
  },
);

/** The schema of the tip withholding. */
function tipWithholding(): JsonSchema {
  const resource = schemas.TipWithholding as unknown as JsonSchema;
  const fields = {
    guid: guid("derived from the restaurant's GUID"),
    modifiedDate: modifiedDate(),
    ...ownFields(resource),
  };
  return objectSchema(resource, fields, DERIVED_FIELDS);
}

/** The schema of an object of a collection. */
export function objectOf(collection: Collection): JsonSchema {
  const resource = collection.schema as unknown as JsonSchema;
  const { externalId } = resource.properties ?? {};
  const fields = {
    guid: guid(derived("restaurant's GUID")),
    key,
    ...(externalId ? { externalId } : {}),
    ...(collection.name === 'menuItems' ? { multiLocationId } : {}),
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

// It is in an index of the database, which takes texts up to a size.
const multiLocationId = text(
  'Identifier shared by all versions of the item at the locations that share it. When absent, ' +
    '18 digits that follow from its GUID.',
);

function modifiedDate(): JsonSchema {
  return instant('When it was created or last changed; when absent, the time of the import.');
}

function documentFields(collection: Collection): Readonly<Record<string, JsonSchema>> {
  const resource = collection.schema as unknown as JsonSchema;
  const fields: Record<string, JsonSchema> = { ...ownFields(resource) };
  if (!isCollectionName(collection.name)) return fields;
  for (const field of collectionReferences[collection.name]) {
    const { description } = fields[field.field] ?? {};
    fields[field.field] = referenceSchema(field, String(description));
  }
  for (const [name, field] of Object.entries(fields)) {
    if (field.items?.properties?.entityType) fields[name] = nestedEntities(field);
  }
  return fields;
}

function referenceSchema(field: ReferenceField, description: string): JsonSchema {
  const one = { type: 'string', minLength: 1, ...limits.line };
  const what = `${description} ${REFERENCE_TEXT}`;
  return field.many
    ? { type: 'array', description: what, default: [], ...limits.references, items: one }
    : { ...one, type: ['string', 'null'], description: what };
}

/** A list of things with GUIDs of their own inside an object, such as promotion codes (CFG-6). */
function nestedEntities(field: JsonSchema): JsonSchema {
  const resource = field.items ?? {};
  const fields = { guid: guid(derived("restaurant's GUID")), key, ...ownFields(resource) };
  return { ...field, items: objectSchema(resource, fields, DERIVED_FIELDS) };
}
