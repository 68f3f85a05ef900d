import { partnerScopes, REFERENCE_TEXT } from '@servery/contract';
import {
  configurationSchema,
  DERIVED_FIELDS,
  derived,
  guid,
  identifier,
  instant,
  key,
  listOf,
  nullableIdentifier,
  nullableText,
  objectDefinitions,
  reference,
  text,
} from '../configuration/document/schema.ts';
import { type JsonSchema, objectSchema } from '../document/field-schema.ts';
import { infoSections, SETTINGS_DESCRIPTION } from '../restaurants/document/info-schema.ts';
import { DOCUMENT_FORMAT } from './document.ts';

/** Takes fields from the contract, so that new ones appear here too. References are strings. */
export function groupDocumentSchema(): JsonSchema {
  const definitions = {
    ManagementGroup: objectSchema(
      { description: 'The group of restaurants that the document is about.' },
      {
        guid: guid('derived from the name'),
        name: text('Name of the group.'),
      },
      ['guid'],
    ),
    Partner: partner,
    Client: client,
    Restaurant: restaurant,
    Configuration: configurationSchema,
    Stock: stock,
    Connection: connection,
    ...objectDefinitions(),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A Servery management group',
    ...objectSchema(
      { description: 'A management group with its restaurants, for servery import and export.' },
      {
        $schema: identifier('Where an editor finds this schema; ignored.'),
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
      description:
        'PARTNER: for the restaurants connected to its partner. CUSTOMER: for this group.',
    },
    partner: {
      ...nullableIdentifier(`The partner of a PARTNER account, else absent. ${REFERENCE_TEXT}`),
      minLength: 1,
    },
    scopes: {
      type: 'array',
      description: 'What the account may do.',
      uniqueItems: true,
      maxItems: partnerScopes.length,
      items: { enum: [...partnerScopes] },
    },
    holdsLegacyCardKey: {
      type: 'boolean',
      default: false,
      description: 'Whether its authorizations may leave keyId out.',
    },
  },
  ['clientId', 'key'],
);

const restaurant = objectSchema(
  { description: 'A restaurant with its configuration and stock.' },
  {
    guid: guid(derived("group's GUID")),
    key,
    info: objectSchema({ description: SETTINGS_DESCRIPTION }, infoSections()),
    configuration: { $ref: '#/$defs/Configuration', default: {} },
    stock: listOf('Stock', 'The menu items that are not simply in stock.'),
  },
  DERIVED_FIELDS,
);

const stock = objectSchema(
  { description: 'The stock of a menu item. An item without an entry is in stock.' },
  {
    item: reference('The menu item.'),
    status: {
      enum: ['QUANTITY', 'OUT_OF_STOCK'],
      description: 'QUANTITY: the number left is in quantity. OUT_OF_STOCK: it cannot be ordered.',
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
    externalGroupRef: nullableIdentifier('What the partner calls the group.'),
    externalRestaurantRef: nullableIdentifier('What the partner calls the restaurant.'),
    createdBy: objectSchema(
      { description: 'The employee who made or edited the connection.' },
      {
        firstName: nullableText('First name.'),
        lastName: nullableText('Last name.'),
        email: nullableIdentifier('Email address.'),
        phone: nullableIdentifier('Phone number.'),
      },
    ),
    createdDate: instant('When the connection was made; when absent, the time of the import.'),
    modifiedDate: instant('When it was last edited; when absent, the time of the import.'),
  },
  ['createdDate', 'modifiedDate'],
);
