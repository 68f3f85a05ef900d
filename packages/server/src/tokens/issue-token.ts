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

/** A token that has no more than this left is not given out again (AUTH-3). */
const LAST_SECONDS = 60;
/** Clocks of two processes may differ by this much; a grant from later than that is of no use. */
const CLOCK_TOLERANCE_SECONDS = 60;
const MAX_ATTEMPTS = 5;

/** What issuing needs. */
export interface IssueTokenDeps {
  readonly database: Database;
  readonly signingKeys: SigningKeys;
  readonly accessTokens: AccessTokens;
  readonly issuer: Issuer;
}

/** A token and how long it lives from now, in seconds. */
export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  /** Of the grant that it says. */
  readonly jti: string;
}

/** For whom a token is, and by which secret it is issued. */
export interface TokenRequest {
  readonly client: ApiClient;
  readonly secretGuid: string;
  /** A sorted list of scopes with blanks, or empty for all that the account has. */
  readonly narrowedTo: string;
}

/**
 * The token of a secret: the one it has while that is right and lives for over 60 s, else a new one
 * (AUTH-3, AUTH-10). `state` is what was read for it a moment ago, null when nothing was. All logins by one
 * secret at once, in any number of processes, get one token. Throws ApiError `unavailable` when
 * others keep changing the grant.
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

/**
 * How long the grant lives that a login by that secret gets now, in seconds; null when it is not
 * the one with `jti` any more.
 */
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

/** The facts of accounts as they were read: of those in memory they are worked out once. */
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

/** False as well when nobody knows whether it was written: then the grant is read again. */
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
