import { machineClientAccessType } from '@servery/contract';
import type { ApiClient } from '../clients/client-store.ts';

/** Who issues tokens, for whom, and how long they live. */
export interface Issuer {
  /**
   * The service's own base address without a trailing slash. A function, because a server on a
   * free port knows it only after it listens; it must not differ between requests.
   */
  readonly baseUrl: () => string;
  /** The brand prefix: for example, `Platform`. */
  readonly brand: string;
  /** What our own claims' names begin with; `claimNamespace(brand)` when absent. */
  readonly claimNamespace?: string;
  readonly tokenLifetimeSeconds: number;
}

/** The claims of an access token that this service reads back. */
export interface TokenClaims {
  /** The client id, from `azp`. */
  readonly clientId: string;
  readonly jti: string;
  /** The secret that the token was issued by, and with which it ends (AUTH-10). */
  readonly secretGuid: string;
  /** Epoch seconds. */
  readonly issuedAt: number;
  /** Epoch seconds; the token is dead from this second on. */
  readonly expiresAt: number;
  readonly subject: string;
  /** Null for a token of all that the account has, now and later; else all it can ever do. */
  readonly narrowedTo: ReadonlySet<string> | null;
}

/**
 * What the names of our own claims begin with: `https://<brand in lower case>.example/`, as in
 * `https://platform.example/client_name`. `.example` is reserved (RFC 2606), so the name can never
 * become somebody's address. Operators who own a domain name set theirs (AUTH-4).
 */
function claimNamespace(brand: string): string {
  return `https://${brand.toLowerCase()}.example/`;
}

/** The `iss` claim and the RFC 8414 issuer: the base address with a trailing slash (AUTH-4). */
export function issuerIdentifier(issuer: Issuer): string {
  return `${issuer.baseUrl()}/`;
}

/** The `aud` claim: the base address, without a trailing slash, of the interfaces it opens (AUTH-4). */
export function audience(issuer: Issuer): string {
  return issuer.baseUrl();
}

function namespaceOf(issuer: Issuer): string {
  return issuer.claimNamespace ?? claimNamespace(issuer.brand);
}

/**
 * The claims of the account's token but `iat`, `exp` and `jti`, as JSON text with a fixed order of
 * keys (AUTH-4). Equal text means that the token in use is still the right one. `narrowedTo` is empty
 * for a token of all scopes; such a token says so by having no `narrowed` claim. `secretGuid` names
 * the secret that it is issued by (AUTH-10).
 */
export function tokenFacts(
  issuer: Issuer,
  client: ApiClient,
  { secretGuid, narrowedTo }: { readonly secretGuid: string; readonly narrowedTo: string },
): string {
  const namespace = namespaceOf(issuer);
  return JSON.stringify({
    iss: issuerIdentifier(issuer),
    aud: audience(issuer),
    sub: `${client.clientId}@clients`,
    azp: client.clientId,
    scope: narrowedTo || client.scopes.join(' '),
    gty: 'client-credentials',
    [`${namespace}client_name`]: client.name,
    [`${namespace}access_type`]: machineClientAccessType(issuer.brand),
    [`${namespace}type`]: client.type,
    ...(client.partnerGuid !== null && { [`${namespace}partner_guid`]: client.partnerGuid }),
    // A back office account of the whole platform has no owner, and its token names none.
    ...(client.managementGroupGuid !== null && {
      [`${namespace}management_set_guid`]: client.managementGroupGuid,
    }),
    [`${namespace}secret_guid`]: secretGuid,
    ...(narrowedTo ? { [`${namespace}narrowed`]: true } : {}),
  });
}

/** Reads a verified payload back; null when it is not one that this issuer makes. */
export function readClaims(issuer: Issuer, payload: unknown): TokenClaims | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const claims = payload as Record<string, unknown>;
  if (claims.iss !== issuerIdentifier(issuer) || claims.aud !== audience(issuer)) return null;
  const { azp, jti, iat, exp, sub, scope } = claims;
  if (typeof azp !== 'string' || typeof jti !== 'string' || typeof sub !== 'string') return null;
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof scope !== 'string') return null;
  const namespace = namespaceOf(issuer);
  const secretGuid = claims[`${namespace}secret_guid`];
  if (typeof secretGuid !== 'string') return null;
  const isNarrowed = claims[`${namespace}narrowed`] === true;
  return {
    clientId: azp,
    jti,
    secretGuid,
    issuedAt: iat,
    expiresAt: exp,
    subject: sub,
    narrowedTo: isNarrowed ? new Set(scope.split(' ')) : null,
  };
}
