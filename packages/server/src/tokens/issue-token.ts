import { CommitUnknownError } from '@servery/postgres/database.ts';
import { newRandomId } from '@servery/support/ids.ts';
import type { ApiClient } from '../clients/client-store.ts';
import {
  findGrant,
  type Grant,
  type GrantKey,
  type GrantState,
  insertGrant,
  type LoginSecret,
} from '../clients/grant-store.ts';
import type { Database } from '../database/database.ts';
import { ApiError } from '../http/errors.ts';
import type { AccessTokens } from './access-tokens.ts';
import { type Issuer, tokenFacts } from './issuer.ts';
import type { SigningKeys } from './signing-keys.ts';

/** Tokens with less time left are not issued again (AUTH-3). */
const LAST_SECONDS = 60;
/** Clocks of two processes can differ by this much; ignore grants from further ahead. */
const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_ATTEMPTS = 5;

export interface IssueTokenDeps {
  readonly database: Database;
  readonly signingKeys: SigningKeys;
  readonly accessTokens: AccessTokens;
  readonly issuer: Issuer;
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly jti: string;
}

export interface TokenRequest {
  readonly client: ApiClient;
  readonly secretGuid: string;
  readonly narrowedTo: string;
}

/**
 * Gives the secret's current token while it is right and lives for over 60 s, else a new one
 * (AUTH-3, AUTH-10). `state` is a recent read or null. Concurrent logins by one secret, in any
 * process, get one token. Throws ApiError `unavailable` when others keep changing the grant.
 */
export async function issueToken(
  deps: IssueTokenDeps,
  request: TokenRequest,
  state: GrantState | null,
  nowMs: number,
): Promise<IssuedToken> {
  const { client, secretGuid, narrowedTo } = request;
  const key = { clientId: client.clientId, secretGuid, narrowedTo };
  const facts = tokenFacts(deps.issuer, client, key);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const present: GrantState =
      attempt === 1 && state ? state : await findGrant(deps.database.sql, key);
    let grant = present.grant;
    if (!grant || !isRight(deps.issuer, present, grant, facts, nowMs)) {
      const next = await makeGrant(deps, key, facts, nowMs);
      const writing = insertGrant(deps.database.sql, next, grant?.jti ?? null);
      // When the outcome is unknown, the grant is read again.
      const isWritten = await writing.catch((error: unknown) => {
        if (error instanceof CommitUnknownError) return false;
        throw error;
      });
      grant = isWritten ? next : null;
    }
    if (grant) {
      const accessToken = await deps.accessTokens.sign(grant);
      return { accessToken, expiresInSeconds: secondsLeft(grant, nowMs), jti: grant.jti };
    }
  }
  throw new ApiError('unavailable', 'Too many changes at once to this API account: try again.');
}

/** Repeated logins come often, and a secret that was read never changes. */
const knownFacts = new WeakMap<LoginSecret, string>();

/** Null when the grant no longer has this `jti`. */
export function secondsLeftOf(
  issuer: Issuer,
  { client, secret }: { readonly client: ApiClient; readonly secret: LoginSecret },
  jti: string,
  nowMs: number,
): number | null {
  const { grant } = secret;
  if (grant?.jti !== jti) return null;
  const facts = knownFacts.get(secret) ?? tokenFacts(issuer, client, grant);
  knownFacts.set(secret, facts);
  return isRight(issuer, secret, grant, facts, nowMs) ? secondsLeft(grant, nowMs) : null;
}

function secondsLeft(grant: Grant, nowMs: number): number {
  return grant.expiresAt - Math.floor(nowMs / 1000);
}

function isRight(
  issuer: Issuer,
  present: GrantState,
  grant: Grant,
  facts: string,
  nowMs: number,
): boolean {
  const nowSeconds = Math.floor(nowMs / 1000);
  const { replacedAtMs } = present;
  return (
    (replacedAtMs === null || nowMs < replacedAtMs) &&
    grant.facts === facts &&
    grant.expiresAt - grant.issuedAt === issuer.tokenLifetimeSeconds &&
    grant.expiresAt - nowSeconds > LAST_SECONDS &&
    grant.issuedAt - nowSeconds <= CLOCK_TOLERANCE_SECONDS
  );
}

async function makeGrant(
  deps: IssueTokenDeps,
  key: GrantKey,
  facts: string,
  nowMs: number,
): Promise<Grant> {
  const { kid } = await deps.signingKeys.current(nowMs);
  const issuedAt = Math.floor(nowMs / 1000);
  const expiresAt = issuedAt + deps.issuer.tokenLifetimeSeconds;
  await deps.signingKeys.keepUntil(kid, expiresAt * 1000);
  return { ...key, jti: newRandomId(), kid, facts, issuedAt, expiresAt };
}
