import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import { operationById } from '@servery/contract';
import { FixedClock } from '@servery/support/clock.ts';
import { createVault, type Vault } from '@servery/support/secret.ts';
import {
  type ClientCredentials,
  createClient,
  type NewClientInput,
} from '../../src/clients/clients.ts';
import type { Database } from '../../src/database/database.ts';
import { renderError } from '../../src/http/edge/render-error.ts';
import { ApiError } from '../../src/http/errors.ts';
import type { Answer } from '../../src/http/operation.ts';
import { readRequest } from '../../src/http/pipeline/read-request.ts';
import { type Auth, type AuthParts, createAuth } from '../../src/tokens/auth.ts';
import {
  insertSigningKey,
  listSigningKeys,
  type SigningKeyRecord,
} from '../../src/tokens/signing-key-store.ts';
import { createTestDatabase, type TestDatabase } from '../database.ts';
import { idleCaches } from '../freshness/caches.ts';
import { deleteRows, insertOwners } from './fixture-store.ts';

/** 12 May 2025, 09:30:00 UTC. */
export const START_MS = Date.UTC(2025, 4, 12, 9, 30);
/** A day in milliseconds. */
export const DAY_MS = 86_400_000;
/** The base address that the tests' token service issues for. */
export const BASE_URL = 'https://platform.test';
/** The partner that PARTNER accounts of the tests belong to. */
export const PARTNER_GUID = '6f1c9f5e-3a55-4be1-9d1f-0a4a2f8f7c01';
/** The management group that the tests' accounts without a partner belong to. */
export const GROUP_GUID = '0c4b9a7e-55de-4a0c-8f0a-7d5f3c1b2a02';
/** Every scope of a partner client, in the order of a token. */
export const ALL_SCOPES = [
  'config:read',
  'credit_cards.authorization:write',
  'menus:read',
  'restaurants:read',
  'stock:read',
  'stock:write',
] as const;

/** A token service on an empty database, with a clock that stands still. */
export interface AuthFixture {
  readonly auth: Auth;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly clock: FixedClock;
  readonly vault: Vault;
  readonly parts: AuthParts;
}

/** What the fixture may have otherwise. */
export interface FixtureOptions extends Partial<Pick<AuthParts, 'signingKeyPolicy'>> {
  readonly tokenLifetimeSeconds?: number;
  readonly brand?: string;
}

/** What the first service of this process signs with; the others get it too. RSA takes its time. */
let firstKeys: readonly SigningKeyRecord[] = [];

let own: TestDatabase | undefined;

/** Makes the database of a file, which each of its tests finds empty. Call it at its top level. */
export function useAuthDatabase(): void {
  before(async () => {
    own = await createTestDatabase();
  });
  after(() => own?.drop());
}

/** Makes a token service for one test; its rows are deleted when the test ends, so nothing may write then. */
export async function startAuth(
  t: TestContext,
  options: FixtureOptions = {},
): Promise<AuthFixture> {
  assert.ok(own, 'useAuthDatabase has made one');
  const { url, database } = own;
  t.after(() => deleteRows(database.sql));
  await insertOwners(database.sql, { partnerGuid: PARTNER_GUID, managementGroupGuid: GROUP_GUID });
  const clock = new FixedClock(START_MS);
  const vault = createVault(Buffer.alloc(32, 7));
  const parts: AuthParts = {
    ...idleCaches(database),
    database,
    vault,
    issuer: {
      baseUrl: () => BASE_URL,
      brand: options.brand ?? 'Platform',
      tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 86_400,
    },
    ...(options.signingKeyPolicy ? { signingKeyPolicy: options.signingKeyPolicy } : {}),
  };
  const auth = createAuth(parts);
  for (const key of firstKeys) await insertSigningKey(database.sql, key);
  await auth.signingKeys.ensure(clock.nowMs());
  firstKeys = await listSigningKeys(database.sql);
  return { auth, database, databaseUrl: url, clock, vault, parts };
}

/** Creates a PARTNER account with all scopes, or what `input` says. */
export function addClient(
  { database, vault, clock }: AuthFixture,
  input: Partial<NewClientInput> = {},
): Promise<ClientCredentials & { readonly secretGuid: string }> {
  const client = { name: 'Larder Counts, live', type: 'PARTNER', scopes: ALL_SCOPES, ...input };
  const owner =
    client.type === 'PARTNER' ? { partnerGuid: PARTNER_GUID } : { managementGroupGuid: GROUP_GUID };
  return createClient(
    { sql: database.sql, vault },
    { ...owner, ...client } as NewClientInput,
    clock.nowMs(),
  );
}

/** An operation of the token service. */
type TokenOperationId = keyof Auth['handlers'];

/** Calls one operation as the request pipeline does; the OAuth endpoints answer their errors. */
export async function call(
  fixture: Pick<AuthFixture, 'auth' | 'clock'>,
  id: TokenOperationId,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const operation = operationById(id);
  const handler = fixture.auth.handlers[id] as (request: unknown) => Promise<Answer>;
  const requestId = '00000000-0000-4000-8000-000000000000';
  const nowMs = fixture.clock.nowMs();
  try {
    const sent = { params: {}, query: {}, body: structuredClone(body) };
    const read = await readRequest(operation, sent, handler);
    return await handler({ ...read, operation, requestId, nowMs, baseUrl: BASE_URL, headers });
  } catch (error) {
    if (id === 'auth.login' || !(error instanceof ApiError)) throw error;
    const { path } = operation;
    return renderError(error, { operation, path, requestId, baseUrl: BASE_URL, isSandbox: false });
  }
}

/** The token and the remaining seconds of a login. */
export async function logIn(
  fixture: Pick<AuthFixture, 'auth' | 'clock'>,
  credentials: ClientCredentials,
  brand = 'PLATFORM',
): Promise<{ accessToken: string; expiresIn: number }> {
  const answer = await call(fixture, 'auth.login', {
    body: { ...credentials, userAccessType: `${brand}_MACHINE_CLIENT` },
  });
  const { token } = answer.json as { token: { accessToken: string; expiresIn: number } };
  return token;
}

/** An `Authorization` header of HTTP Basic. */
export function basic({ clientId, clientSecret }: ClientCredentials): Record<string, string> {
  const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The ApiError that a promise ends in. */
export async function refusal(promise: Promise<unknown>): Promise<ApiError> {
  try {
    await promise;
  } catch (error) {
    assert(error instanceof ApiError, `not an ApiError: ${error}`);
    return error;
  }
  throw new Error('it was accepted');
}

/** One part of a JWT, decoded: 0 the header, 1 the claims. */
export function jwtPart(token: string, part: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString());
}
