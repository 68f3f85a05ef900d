import {
  type Collection,
  collectionReferences,
  collections,
  isCollectionName,
  partnerScopes,
  type ReferenceField,
  schemas,
} from '@servery/contract';
import { DOCUMENT_FORMAT } from './document.ts';
import { type JsonSchema, objectSchema } from './field-schema.ts';

// Fields of a resource that a document has elsewhere: in `guid`, nowhere, or in front of the rest.
const IDENTITY_FIELDS = new Set(['guid', 'entityType', 'externalId']);
// What every object may leave out: the import derives it, or it is the time of the import.
const DERIVED_FIELDS = ['guid', 'key', 'multiLocationId', 'modifiedDate'];
const REFERENCE_TEXT = "The other's GUID, its key, or its name when only one has that name.";

/** The fields of a resource that are its own, without what every reference has. */
export function ownFields(resource: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(resource.properties ?? {}).filter(([name]) => !IDENTITY_FIELDS.has(name)),
  );
}

/** The sections of RestaurantInfo, and in `general` not the group, which the document is about. */
export function infoSections(): Readonly<Record<string, JsonSchema>> {
  const info = schemas.RestaurantInfo as unknown as JsonSchema;
  const { guid: _guid, general, ...sections } = info.properties as Record<string, JsonSchema>;
  const { managementGroupGuid: _group, ...generalFields } = general?.properties ?? {};
  return { general: { ...general, properties: generalFields }, ...sections };
}

/**
 * JSON Schema 2020-12 of a group document. The fields of RestaurantInfo and of the collections
 * come from the contract, so that a field added there is a field here; a reference is a string.
 */
export function groupDocumentSchema(): JsonSchema {
  const definitions: Record<string, JsonSchema> = {
    ManagementGroup: objectSchema(
      { description: 'The group of restaurants that the document is about.' },
      { guid: guid('derived from the name'), name: text('Name of the group.') },
      ['guid'],
    ),
    Partner: partner,
    Client: client,
    Restaurant: restaurant,
    Configuration: configuration,
    Stock: stock,
    Connection: connection,
  };
  for (const collection of collections) definitions[collection.object] = objectOf(collection);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A Servery management group',
    ...objectSchema(
      { description: 'A management group with its restaurants, for servery import and export.' },
      {
        $schema: text('Where an editor finds this schema; ignored.'),
        format: { const: DOCUMENT_FORMAT, description: 'Name and version of this format.' },
        managementGroup: { $ref: '#/$defs/ManagementGroup' },
        partners: listOf('Partner', 'Partner services, connected or not.'),
        clients: listOf(
          'Client',
          'API accounts. When the list is absent, an import leaves the accounts as they are.',
        ),
        restaurants: listOf('Restaurant', 'The restaurants of the group.'),
        connections: listOf('Connection', 'Which partner may reach which restaurant.'),
      },
      ['$schema'],
    ),
    $defs: definitions,
  };
}

const text = (description: string): JsonSchema => ({ type: 'string', minLength: 1, description });
const reference = (description: string): JsonSchema => text(`${description} ${REFERENCE_TEXT}`);
const nullableText = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  description,
});
const guid = (otherwise: string): JsonSchema => ({
  type: 'string',
  format: 'uuid',
  description: `A UUID; when absent, ${otherwise}.`,
});
const key = text('What references in this document call it; when absent, its name.');
const instant = (description: string): JsonSchema => ({
  type: 'string',
  format: 'date-time',
  description,
});
const listOf = (definition: string, description: string): JsonSchema => ({
  type: 'array',
  description,
  items: { $ref: `#/$defs/${definition}` },
});
const derived = (what: string) => `derived from the ${what} and the key`;

const partner = objectSchema(
  { description: 'An integrated partner service.' },
  { guid: guid('derived from the key'), key, name: text('Name of the service.') },
  DERIVED_FIELDS,
);

const client = objectSchema(
  { description: 'An API account. An import makes its secret and shows it once.' },
  {
    clientId: {
      type: 'string',
      pattern: '^[A-Za-z0-9._~-]{1,128}$',
      description: `The id to log in with; when absent, ${derived("owner's GUID")}.`,
    },
    key,
    name: text('Name of the account.'),
    userAccessType: {
      enum: ['PARTNER', 'CUSTOMER'],
      description: 'PARTNER: reaches what is connected to its partner. CUSTOMER: this group.',
    },
    partner: {
      ...nullableText(`The partner of a PARTNER account, else absent. ${REFERENCE_TEXT}`),
      minLength: 1,
    },
    scopes: {
      type: 'array',
      description: 'What the account may do.',
      uniqueItems: true,
      items: { enum: [...partnerScopes] },
    },
    holdsLegacyCardKey: {
      type: 'boolean',
      default: false,
      description: 'Whether its card requests may lack a keyId.',
    },
  },
  ['clientId', 'key'],
);

const restaurant = objectSchema(
  { description: 'A restaurant with its configuration and stock.' },
  {
    guid: guid(derived("group's GUID")),
    key,
    info: objectSchema({ description: 'What the restaurants interface tells.' }, infoSections()),
    configuration: { $ref: '#/$defs/Configuration', default: {} },
    stock: listOf('Stock', 'The menu items that are not simply in stock.'),
  },
  DERIVED_FIELDS,
);

const configuration = objectSchema(
  { description: 'The collections of the configuration interface.' },
  {
    ...Object.fromEntries(
      collections.map(({ name, object, tag }) => [name, listOf(object, `${tag}.`)]),
    ),
    tipWithholding: { ...tipWithholding(), type: ['object', 'null'] },
  },
);

const stock = objectSchema(
  { description: 'The stock of a menu item. An item without an entry is in stock.' },
  {
    item: reference('The menu item.'),
    status: {
      enum: ['QUANTITY', 'OUT_OF_STOCK'],
      description: 'QUANTITY: so many are left. OUT_OF_STOCK: it cannot be ordered.',
    },
    quantity: {
      type: ['number', 'null'],
      exclusiveMinimum: 0,
      description: 'What is left when the status is QUANTITY, else absent.',
    },
  },
);

const connection = objectSchema(
  { description: "A restaurant's consent to a partner's integration." },
  {
    partner: reference('The partner.'),
    restaurant: reference('The restaurant.'),
    externalGroupRef: nullableText('What the partner calls the group.'),
    externalRestaurantRef: nullableText('What the partner calls the restaurant.'),
    createdBy: objectSchema(
      { description: 'The employee who made or edited the connection.' },
      {
        firstName: nullableText('First name.'),
        lastName: nullableText('Last name.'),
        email: nullableText('E-mail address.'),
        phone: nullableText('Telephone number.'),
      },
    ),
    createdDate: instant('When the connection was made; when absent, the time of the import.'),
    modifiedDate: instant('When it was last edited; when absent, the time of the import.'),
  },
  ['createdDate', 'modifiedDate'],
);

function tipWithholding(): JsonSchema {
  const resource = schemas.TipWithholding as unknown as JsonSchema;
  const fields = {
    guid: guid("derived from the restaurant's GUID"),
    modifiedDate: modifiedDate(),
    ...ownFields(resource),
  };
  return objectSchema(resource, fields, DERIVED_FIELDS);
}

function objectOf(collection: Collection): JsonSchema {
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
const multiLocationId = {
  ...text('What the item is called in all locations that share it; when absent, its GUID.'),
  maxLength: 255,
};

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
  const one = { type: 'string', minLength: 1 };
  const what = `${description} ${REFERENCE_TEXT}`;
  return field.many
    ? { type: 'array', description: what, default: [], items: one }
    : { ...one, type: ['string', 'null'], description: what };
}

/** A list of things with GUIDs of their own inside an object, such as promotion codes (K6). */
function nestedEntities(field: JsonSchema): JsonSchema {
  const resource = field.items ?? {};
  const fields = { guid: guid(derived("restaurant's GUID")), key, ...ownFields(resource) };
  return { ...field, items: objectSchema(resource, fields, DERIVED_FIELDS) };
}
