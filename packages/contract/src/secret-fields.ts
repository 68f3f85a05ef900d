import { referencedNames, resourceSchema } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { type SchemaName, schemas } from './schemas.ts';

/**
 * Fields that hold a secret wherever they stand: whoever keeps a body leaves their values out. A
 * test holds this table together with the schemas.
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

/** Fields that hold a secret in one resource, and something else in another. */
export const secretFieldsOf: Readonly<Partial<Record<SchemaName, readonly string[]>>> = {
  BegunTotp: ['uri'],
  ConfirmTotp: ['code'],
  InvitationLink: ['url'],
};

/** Fields about a guest, who is to be forgotten some day, wherever they stand. */
export const guestFields: readonly string[] = [
  'appName',
  'appVersion',
  'billingAddress',
  'deliveryAddress',
  'guestEmail',
  'guestIdentifier',
  'originIPAddr',
  'partnerServiceInfo',
  'userAgent',
];

const base = '#/';

/** Every field whose value must not be kept of what an operation takes or answers. */
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

/**
 * The names of all fields of all resources; true for those that are a flag wherever they stand, so
 * that any text in them went astray.
 */
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
