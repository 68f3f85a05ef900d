import contractPackage from '../package.json' with { type: 'json' };
import {
  brandedChannel,
  brandedDestination,
  brandedHeaders,
  defaultBrand,
  machineClientAccessType,
} from './brand.ts';
import { partnerCollections } from './collections.ts';
import { type InterfaceId, interfaces, sharedTags } from './interfaces.ts';
import { type JsonSchema, referencedNames, resourceSchema } from './json-schema.ts';
import { headerComponents } from './openapi/headers.ts';
import {
  operationObject,
  parameterComponents,
  securitySchemes,
} from './openapi/operation-object.ts';
import { responseComponents, schemaBase } from './openapi/responses.ts';
import { webhookSecurityName, webhookSecurityScheme, webhooksObject } from './openapi/webhooks.ts';
import { type Operation, operations } from './operations.ts';
import type { SchemaName } from './schemas.ts';

export type OpenApiSubject = InterfaceId | 'all';

export const openApiFiles: Readonly<Record<string, OpenApiSubject>> = {
  'credit-cards.json': 'creditCards',
  'stock.json': 'stock',
  'menus.json': 'menus',
  'configuration.json': 'configuration',
  'partners.json': 'partners',
  'restaurants.json': 'restaurants',
  'orders.json': 'orders',
  'back-office.json': 'backOffice',
  'platform.json': 'platform',
  'authentication.json': 'authentication',
  'servery.json': 'all',
};

export interface OpenApiOptions {
  readonly brand?: string;
  readonly baseUrl?: string;
}

export function openApiDocument(subject: OpenApiSubject, options: OpenApiOptions = {}): JsonSchema {
  const { brand = defaultBrand, baseUrl } = options;
  const included = operations.filter(
    (operation) => subject === 'all' || operation.interface === subject,
  );
  // Webhooks belong to the interface that also answers events on request.
  const hasWebhooks = subject === 'all' || subject === 'platform';
  const body = {
    paths: pathsOf(included, brand),
    ...(hasWebhooks && { webhooks: webhooksObject(brand) }),
    components: {
      securitySchemes: {
        ...securitySchemes(included, brand, baseUrl),
        ...(hasWebhooks && { [webhookSecurityName]: webhookSecurityScheme }),
      },
      parameters: parameterComponents(included, brand),
      responses: responseComponents(included, brand),
    },
  };
  return {
    openapi: '3.1.0',
    info: infoOf(subject, brand),
    servers: [baseUrl === undefined ? server : servedBy(baseUrl)],
    tags: tagsOf(included),
    paths: body.paths,
    ...(body.webhooks && { webhooks: body.webhooks }),
    components: {
      ...body.components,
      headers: usedHeaders(body),
      schemas: usedSchemas(body, brand),
    },
  };
}

const server = {
  url: '{baseUrl}',
  description: 'The platform, by default a local sandbox',
  'x-internal': false,
  // A description of the variable is valid OpenAPI, but one parser rejects it.
  variables: { baseUrl: { default: 'http://127.0.0.1:4400' } },
};

const servedBy = (url: string) => ({
  url,
  description: 'The platform that serves this document, local or in production',
  'x-internal': false,
});

function infoOf(subject: OpenApiSubject, brand: string): JsonSchema {
  const about =
    subject === 'all'
      ? {
          title: 'all interfaces',
          version: contractPackage.version,
          description: 'Every interface of the platform in one document.',
        }
      : interfaces[subject];
  const product = brand === defaultBrand ? 'Servery' : brand;
  return {
    title: `${product}: ${about.title}`,
    version: about.version,
    description: `${about.description}\n\n${commonRules(brand)}`,
    contact: { name: product },
    license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
  };
}

function commonRules(brand: string): string {
  const { requestId, rateLimitRemaining } = brandedHeaders(brand);
  return [
    'Bodies are JSON. A field without a value is written as null. Unknown properties and ' +
      'query parameters are ignored.',
    `Log in with the access type ${machineClientAccessType(brand)}, or by OAuth 2.0 ` +
      'client credentials. Send the token as a bearer token.',
    `Every response has the header ${requestId}, and ${rateLimitRemaining} with its ` +
      'related headers. If you send a method that a path does not support, the response is a ' +
      '405 with an Allow header.',
  ].join('\n\n');
}

function pathsOf(included: readonly Operation[], brand: string): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const operation of included) {
    paths[operation.path] ??= {};
    Object.assign(paths[operation.path] ?? {}, {
      [operation.method.toLowerCase()]: operationObject(operation, brand),
    });
  }
  return paths;
}

function tagsOf(included: readonly Operation[]): JsonSchema[] {
  const tags = new Map<string, Set<string>>();
  for (const { tag, interface: owner } of included) {
    tags.set(tag, (tags.get(tag) ?? new Set()).add(tagText(owner, tag)));
  }
  return [...tags].map(([name, [text, ...others]]) => {
    if (others.length === 0) return { name, description: text };
    const description = sharedTags[name];
    if (description === undefined) throw new Error(`sharedTags has no text for ${name}`);
    return { name, description };
  });
}

function tagText(owner: InterfaceId, tag: string): string {
  const { tags, description } = interfaces[owner];
  const collection = partnerCollections.find((each) => each.tag === tag);
  if (owner !== 'configuration' || !collection) return tags?.[tag] ?? description;
  return String(resourceSchema(collection.object, schemaBase).description);
}

function usedHeaders(body: unknown): JsonSchema {
  const text = JSON.stringify(body);
  const used = Object.entries(headerComponents()).filter(([role]) =>
    text.includes(`"#/components/headers/${role}"`),
  );
  return Object.fromEntries(used);
}

function usedSchemas(body: unknown, brand: string): JsonSchema {
  const used = new Map<SchemaName, JsonSchema>();
  const open = referencedNames(body, schemaBase);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (used.has(name)) continue;
    const schema = brandedSchema(name, brand);
    used.set(name, schema);
    open.push(...referencedNames(schema, schemaBase));
  }
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** These have the brand in their values (CFG-4, MENU-18). */
const BRANDED: readonly SchemaName[] = [
  'ServiceCharge',
  'ResolvedMenu',
  'ResolvedMenuGroup',
  'ResolvedMenuItem',
  'ModifierGroup',
  'ModifierOption',
];

function brandedSchema(name: SchemaName, brand: string): JsonSchema {
  const schema = resourceSchema(name, schemaBase);
  if (!BRANDED.includes(name)) return schema;
  const branded = (choice: string) => String(brandedDestination(choice, brand));
  return JSON.parse(JSON.stringify(schema), (keyword, value) => {
    if (keyword !== 'enum') return value;
    return (value as unknown[]).map((choice) =>
      typeof choice === 'string' ? brandedChannel(branded(choice), brand) : choice,
    );
  });
}
