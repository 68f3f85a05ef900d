import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operationById, operations } from './operations.ts';
import { schemas } from './schemas.ts';
import {
  guestFields,
  knownFields,
  secretFields,
  secretFieldsOf,
  withheldFields,
} from './secret-fields.ts';

/** Names that sound like a secret and hold none. */
const open = new Set([
  'currentPageToken',
  'nextPageToken',
  'tokenType',
  'token_type',
  'token_type_hint',
  'token_endpoint',
  'token_endpoint_auth_methods_supported',
  'passwordChangedAt',
  'hasTotp',
  'needsTotp',
  // The list of secrets of an account, without what they are, and the name of one.
  'secrets',
  'secretGuid',
]);
const SUSPICIOUS = /secret|passw|token|totp|otp|csrf|cookie|credential|recovery|assertion|pin$/i;

/** Every field of every resource, with the resource. */
function* fieldsOf(
  value: unknown,
  schema: string,
): Generator<[schema: string, name: string, field: unknown]> {
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as { properties?: Record<string, unknown> };
  for (const [name, field] of Object.entries(properties ?? {})) yield [schema, name, field];
  for (const inner of Object.values(value)) yield* fieldsOf(inner, schema);
}

const fields = Object.entries(schemas).flatMap(([name, schema]) => [...fieldsOf(schema, name)]);

test('contract: whatever sounds like a secret is in the table, or known to be none', () => {
  const unknown = fields.filter(([schema, name, field]) => {
    const isPassword = (field as { format?: string }).format === 'password';
    const isListed =
      secretFields.includes(name) ||
      (secretFieldsOf[schema as keyof typeof secretFieldsOf] ?? []).includes(name);
    return (isPassword || SUSPICIOUS.test(name)) && !isListed && !open.has(name);
  });
  assert.deepEqual(
    unknown.map(([schema, name]) => `${schema}.${name}`),
    [],
  );
});

test('contract: the tables of secrets name fields that there are', () => {
  const outside = ['assertion', 'client_assertion', 'refresh_token', 'id_token', 'recoveryCode'];
  const known = new Set(operations.flatMap((one) => [...knownFields(one).keys()]));
  for (const name of [...secretFields, ...guestFields]) {
    assert.ok(known.has(name) || outside.includes(name), name);
  }
  for (const [schema, names] of Object.entries(secretFieldsOf)) {
    for (const name of names) {
      assert.ok(
        fields.some(([owner, field]) => owner === schema && field === name),
        `${schema}.${name}`,
      );
    }
  }
});

test('contract: what is secret in one resource is withheld of every operation that has it', () => {
  assert.ok(withheldFields(operationById('backOffice.me.totp.confirm')).has('code'));
  assert.ok(withheldFields(operationById('backOffice.people.invite')).has('url'));
  const login = withheldFields(operationById('auth.login'));
  assert.deepEqual([login.has('clientSecret'), login.has('code')], [true, false]);
});
