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
  const facts = factsOf(deps.issuer, client, key);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const present: GrantState =
      attempt === 1 && state ? state : await findGrant(deps.database.sql, key);
    let grant = present.grant;
    if (!grant || !isRight(deps.issuer, present, grant, facts, nowMs)) {
      const next = await makeGrant(deps, key, facts, nowMs);
      const isWritten = await insertSurely(deps.database, next, grant?.jti ?? null);
      grant = isWritten ? next : null;
    }
    if (grant) {
      const accessToken = await deps.accessTokens.sign(grant);
      return { accessToken, expiresInSeconds: secondsLeft(grant, nowMs), jti: grant.jti };
    }
  }
  throw new ApiError('unavailable', 'Too many changes at once to this API account: try again.');
}

/** Null when the grant no longer has this `jti`. */
export function secondsLeftOf(
  issuer: Issuer,
  { client, secret }: { readonly client: ApiClient; readonly secret: LoginSecret },
  jti: string,
  nowMs: number,
): number | null {
  const { grant } = secret;
  if (grant?.jti !== jti) return null;
  const facts = factsOf(issuer, client, grant);
  return isRight(issuer, secret, grant, facts, nowMs) ? secondsLeft(grant, nowMs) : null;
}

function secondsLeft(grant: Grant, nowMs: number): number {
  return grant.expiresAt - Math.floor(nowMs / 1000);
}

/** A cache, so that facts of remembered accounts are computed once. */
const knownFacts = new WeakMap<ApiClient, Facts>();

interface Facts {
  readonly issuer: Issuer;
  readonly secretGuid: string;
  readonly narrowedTo: string;
  readonly text: string;
}

function factsOf(
  issuer: Issuer,
  client: ApiClient,
  { secretGuid, narrowedTo }: Pick<GrantKey, 'secretGuid' | 'narrowedTo'>,
): string {
  const known = knownFacts.get(client);
  const isSame = known?.secretGuid === secretGuid && known.narrowedTo === narrowedTo;
  if (isSame && known.issuer === issuer) return known.text;
  const text = tokenFacts(issuer, client, { secretGuid, narrowedTo });
  knownFacts.set(client, { issuer, secretGuid, narrowedTo, text });
  return text;
}

/** Also false when the outcome is unknown: then the grant is read again. */
async function insertSurely(
  { sql }: Database,
  grant: Grant,
  replacedJti: string | null,
): Promise<boolean> {
  try {
    return await insertGrant(sql, grant, replacedJti);
  } catch (error) {
    if (!(error instanceof CommitUnknownError)) throw error;
    return false;
  }
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
