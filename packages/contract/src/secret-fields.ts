import { referencedNames, resourceSchema } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { type SchemaName, schemas } from './schemas.ts';

/**
 * Anything that keeps a body must leave these values out. A test compares this table with the
 * schemas.
 */
export const secretFields: readonly string[] = [
  'accessToken',
  'access_token',
  'assertion',
  'clientSecret',
  'client_assertion',
  'client_secret',
  'csrfToken',
  'currentPassword',
  'encryptedCardData',
  'idToken',
  'id_token',
  'newPassword',
  'password',
  'recoveryCode',
  'recoveryCodes',
  'refreshToken',
  'refresh_token',
  'secret',
  'token',
  'totpCode',
];

/** Secret in one resource, something else in another. */
export const secretFieldsOf: Readonly<Partial<Record<SchemaName, readonly string[]>>> = {
  BegunTotp: ['uri'],
  ConfirmTotp: ['code'],
  InvitationLink: ['url'],
  // Texts of guests and couriers (ORD-67), also where they don't belong. A special request is in
  // displayName.
  CustomerRequest: ['firstName', 'lastName', 'phone', 'phoneCountryCode', 'email'],
  CurbsidePickupRequest: ['transportDescription', 'transportColor', 'notes'],
  DeliveryInfoRequest: [
    ...['address1', 'address2', 'city', 'state', 'administrativeArea', 'zipCode', 'country'],
    ...['latitude', 'longitude', 'notes'],
  ],
  DeliveryInfoUpdate: ['notes', 'deliveryEmployee'],
  MenuItemSelection: ['displayName'],
  SelectionRequest: ['displayName'],
};

/** Guest data, which may have to be forgotten. */
export const guestFields: readonly string[] = [
  'appName',
  'appVersion',
  'billingAddress',
  'curbsidePickupInfo',
  'customer',
  'deliveryAddress',
  'deliveryInfo',
  'guestEmail',
  'guestIdentifier',
  'originIPAddr',
  'partnerServiceInfo',
  'tabName',
  'userAgent',
];

const base = '#/';

export function withheldFields({
  requestBody,
  response,
}: Pick<Operation, 'requestBody' | 'response'>): ReadonlySet<string> {
  const own = schemasFrom(requestBody?.schema, response?.schema).flatMap(
    (name) => secretFieldsOf[name] ?? [],
  );
  return new Set([...secretFields, ...guestFields, ...own]);
}

/**
 * The fields that a request may have; all there are if it takes objects of any kind. True for those
 * that are always a flag, so any text in them is misplaced.
 */
export function knownFields({
  requestBody,
}: Pick<Operation, 'requestBody'>): ReadonlyMap<string, boolean> {
  const own = schemasFrom(requestBody?.schema).map((name) => resourceSchema(name, base));
  const known = new Map<string, boolean>();
  collect(own.some(isOpen) ? schemas : own, known);
  return known;
}

/** These schemas and all that they refer to. */
function schemasFrom(...names: readonly (SchemaName | undefined)[]): SchemaName[] {
  const found = new Set<SchemaName>();
  const open = names.filter((name) => name !== undefined);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...referencedNames(resourceSchema(name, base), base));
  }
  return [...found];
}

/** Whether an object in it has no fields of its own. */
function isOpen(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  if ('type' in schema && schema.type === 'object' && !('properties' in schema)) return true;
  return Object.values(schema).some(isOpen);
}

function collect(value: unknown, known: Map<string, boolean>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword === 'properties') {
      for (const [name, field] of Object.entries(inner)) {
        const isFlag = (field as { type?: unknown }).type === 'boolean';
        known.set(name, isFlag && known.get(name) !== false);
      }
    }
    collect(inner, known);
  }
}
