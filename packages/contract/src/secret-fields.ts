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
  // Texts of guests and couriers (ORD-67). A special request is in displayName.
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
  const found = new Set<SchemaName>();
  const open = [requestBody?.schema, response?.schema].filter((name) => name !== undefined);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...referencedNames(resourceSchema(name, base), base));
  }
  const own = [...found].flatMap((name) => secretFieldsOf[name] ?? []);
  return new Set([...secretFields, ...guestFields, ...own]);
}

/** True for fields that are always a flag, so any text in them is misplaced. */
export function knownFields(): ReadonlyMap<string, boolean> {
  const known = new Map<string, boolean>();
  collect(schemas, known);
  return known;
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
