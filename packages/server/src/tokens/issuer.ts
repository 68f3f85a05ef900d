import { machineClientAccessType } from '@servery/contract';
import type { ApiClient } from '../clients/client-store.ts';

export interface Issuer {
  /**
   * Without a trailing slash. A function, because a server on a free port knows its address only
   * once it listens. Must not change between requests.
   */
  readonly baseUrl: () => string;
  readonly brand: string;
  readonly tokenLifetimeSeconds: number;
}

export interface TokenClaims {
  readonly clientId: string;
  readonly jti: string;
  /** The token ends with this secret (AUTH-10). */
  readonly secretGuid: string;
  readonly issuedAt: number;
  /** The token is dead from this second on. */
  readonly expiresAt: number;
  readonly subject: string;
  /** Null for a token of all scopes, now and later; else the most that it can ever do. */
  readonly narrowedTo: ReadonlySet<string> | null;
}

/** `.example` is reserved (RFC 2606), so it can never be a real address (AUTH-4). */
function namespaceOf({ brand }: Issuer): string {
  return `https://${brand.toLowerCase()}.example/`;
}

/** `iss`, and the RFC 8414 issuer: with a trailing slash (AUTH-4). */
export function issuerIdentifier(issuer: Issuer): string {
  return `${issuer.baseUrl()}/`;
}

/** `aud`: without a trailing slash (AUTH-4). */
export function audience(issuer: Issuer): string {
  return issuer.baseUrl();
}

/**
 * The claims without `iat`, `exp` and `jti`, in a fixed order (AUTH-4): equal text means that the
 * current token is still right. A token of all scopes has no `narrowed` claim. `secretGuid` is the
 * issuing secret (AUTH-10).
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
    // An account of the whole platform has no owner.
    ...(client.managementGroupGuid !== null && {
      [`${namespace}management_set_guid`]: client.managementGroupGuid,
    }),
    [`${namespace}secret_guid`]: secretGuid,
    ...(narrowedTo ? { [`${namespace}narrowed`]: true } : {}),
  });
}

/** Null when this issuer doesn't make such a payload. */
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
