import { hash } from 'node:crypto';
import { CompactSign, compactVerify, decodeJwt, decodeProtectedHeader, errors } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Grant } from '../clients/grant-store.ts';
import { type Issuer, issuerIdentifier, readClaims, type TokenClaims } from './issuer.ts';
import type { SigningKeys } from './signing-keys.ts';

const ALGORITHM = 'RS256';
// A token is about 1 KB. Of a verified one only the digest and claims are kept.
const SIGNED_TOKENS_KEPT = 2_000;
const VERIFIED_TOKENS_KEPT = 20_000;
const MAX_TOKEN_LENGTH = 8_192;

export type RefusalReason =
  | 'malformed'
  | 'unknownKey'
  | 'badSignature'
  | 'foreign'
  | 'expired'
  | 'revoked'
  | 'secretRevoked'
  | 'clientRevoked';

/** Never holds the token or a part of it. */
export class TokenRefused extends Error {
  readonly reason: RefusalReason;
  /** Only of a token that this platform signed. */
  readonly claims: TokenClaims | null;

  constructor(
    reason: RefusalReason,
    { cause, claims }: { readonly cause?: unknown; readonly claims?: TokenClaims } = {},
  ) {
    super(`access token refused: ${reason}`, { cause });
    this.name = 'TokenRefused';
    this.reason = reason;
    this.claims = claims ?? null;
  }
}

/**
 * Remembers both within limits: the same grant always gives the same token (RS256 is
 * deterministic), and a valid signature stays valid. Never remembers what can change: time,
 * revocation, scopes.
 */
export class AccessTokens {
  readonly #signingKeys: SigningKeys;
  readonly #issuer: Issuer;
  readonly #signed = new LRUCache<string, string>({ max: SIGNED_TOKENS_KEPT });
  readonly #verified = new LRUCache<string, TokenClaims>({ max: VERIFIED_TOKENS_KEPT });

  constructor(deps: { readonly signingKeys: SigningKeys; readonly issuer: Issuer }) {
    this.#signingKeys = deps.signingKeys;
    this.#issuer = deps.issuer;
  }

  /** The same at every call and in every process (AUTH-3). */
  async sign(grant: Grant): Promise<string> {
    const known = this.#signed.get(grant.jti);
    if (known) return known;
    const payload = {
      ...(JSON.parse(grant.facts) as Record<string, unknown>),
      iat: grant.issuedAt,
      exp: grant.expiresAt,
      jti: grant.jti,
    };
    const token = await new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: grant.kid })
      .sign(await this.#signingKeys.privateKey(grant.kid));
    this.#signed.set(grant.jti, token);
    return token;
  }

  /** Checks signature and expiry; the caller checks revocation. Throws TokenRefused. */
  async verify(token: string, nowMs: number): Promise<TokenClaims> {
    if (token.length > MAX_TOKEN_LENGTH) throw new TokenRefused('malformed');
    const digest = hash('sha256', token, 'base64');
    let claims = this.#verified.get(digest);
    if (!claims) {
      claims = await this.#verifySignature(token);
      this.#verified.set(digest, claims);
    }
    if (claims.expiresAt <= Math.floor(nowMs / 1000)) throw new TokenRefused('expired', { claims });
    return claims;
  }

  /** What the token says of itself. Nobody has proved it, so it only chooses a text. */
  #isOfAnother(token: string): boolean {
    try {
      const { iss } = decodeJwt(token);
      return typeof iss === 'string' && iss !== issuerIdentifier(this.#issuer);
    } catch {
      return false;
    }
  }

  async #verifySignature(token: string): Promise<TokenClaims> {
    const kid = readKid(token);
    if (!hasOneSpelling(token)) throw new TokenRefused('malformed');
    const key = await this.#signingKeys.find(kid);
    if (!key) throw new TokenRefused(this.#isOfAnother(token) ? 'foreign' : 'unknownKey');
    let payload: Uint8Array;
    try {
      // Never use the token's own algorithm: no `none`, no HMAC with a public key.
      ({ payload } = await compactVerify(token, key.publicKey, { algorithms: [ALGORITHM] }));
    } catch (error) {
      const isForged = error instanceof errors.JWSSignatureVerificationFailed;
      throw new TokenRefused(isForged ? 'badSignature' : 'malformed', { cause: error });
    }
    const claims = readClaims(this.#issuer, JSON.parse(Buffer.from(payload).toString()));
    // No real token outlives its key's promise. One that does was forged with a leaked key, which
    // must stop working once replaced.
    if (!claims || claims.expiresAt * 1000 > key.signedUntilMs) throw new TokenRefused('foreign');
    return claims;
  }
}

/**
 * Decoders ignore the last character's spare bits, padding and the other base64 alphabet, and the
 * signature doesn't cover itself. Without this check one token would have many spellings, and a
 * list of texts couldn't stop it.
 */
function hasOneSpelling(token: string): boolean {
  const signature = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/**
 * The header must be exactly as `sign` writes it. Keys come only from our table, never from the
 * token, and extensions (`crit`, `b64`, `jku`, `jwk`) have no effect.
 */
function readKid(token: string): string {
  let header: Readonly<Record<string, unknown>>;
  try {
    header = decodeProtectedHeader(token);
  } catch (error) {
    throw new TokenRefused('malformed', { cause: error });
  }
  const { alg, typ, kid, ...rest } = header;
  const isOurs = alg === ALGORITHM && typ === 'JWT' && Object.keys(rest).length === 0;
  if (!isOurs || typeof kid !== 'string') throw new TokenRefused('malformed');
  return kid;
}
