import { NotAPlatform } from './errors.ts';

/** An access token that the platform issued, with what is known about it. */
export interface StoredToken {
  readonly accessToken: string;
  /** How long it was valid when it was issued. */
  readonly expiresInSeconds: number;
  /** When to replace it: in its last minute. */
  readonly renewAtMs: number;
  /** The brand in the names of the platform's headers, in lower case. */
  readonly brand: string;
}

/**
 * Where tokens are stored, so that several processes can share one and a restart needs no login.
 * The key identifies the platform and the account.
 */
export interface TokenStore {
  get(key: string): Promise<StoredToken | null | undefined> | StoredToken | null | undefined;
  set(key: string, token: StoredToken): Promise<unknown> | unknown;
}

export interface TokenSource {
  readonly key: string;
  readonly store: TokenStore | undefined;
  readonly nowMs: () => number;
  readonly logIn: () => Promise<StoredToken>;
}

/** The response of the token service. */
export interface Token {
  readonly access_token: string;
  /** Seconds that the token had left when the token service responded. */
  readonly expires_in: number;
}

/** A response of the token service. If it is an error, `read` throws it. */
export interface TokenAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly read: () => Token;
  readonly brand: string;
}

/** Where tokens come from. */
export interface TokenPlatform {
  readonly baseUrl: string;
  readonly nowMs: () => number;
  readonly ask: (headers: Record<string, string>, text: string) => Promise<TokenAnswer>;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const IN_SANDBOX = /\/sandboxes\/[^/]+$/;
const LAST_MINUTE_MS = 60_000;

/** When to replace a token that lives this long: in its last minute, if it lives for minutes. */
export function renewAt(nowMs: number, lifetimeMs: number): number {
  return nowMs + Math.max(lifetimeMs - LAST_MINUTE_MS, lifetimeMs / 2);
}

/** The token of one account. Calls that need it at the same time share one login. */
export class Tokens {
  readonly #source: TokenSource;
  #known: StoredToken | null = null;
  #coming: Promise<StoredToken> | null = null;
  /** How many logins there were. */
  logins = 0;

  constructor(source: TokenSource) {
    this.#source = source;
  }

  async current(): Promise<StoredToken> {
    if (this.#coming) return await this.#coming;
    return this.#isLive(this.#known) ? this.#known : await this.#renew(null);
  }

  /** A new token in place of one that the platform refused. */
  async replace(refused: string): Promise<StoredToken> {
    if (this.#coming) return await this.#coming;
    const isOther = this.#known?.accessToken !== refused;
    return isOther && this.#isLive(this.#known) ? this.#known : await this.#renew(refused);
  }

  #isLive(token: StoredToken | null | undefined): token is StoredToken {
    return Boolean(token && this.#source.nowMs() < token.renewAtMs);
  }

  async #renew(refused: string | null): Promise<StoredToken> {
    this.#coming = this.#obtain(refused).finally(() => {
      this.#coming = null;
    });
    this.#known = await this.#coming;
    return this.#known;
  }

  async #obtain(refused: string | null): Promise<StoredToken> {
    const { store, key, logIn } = this.#source;
    const stored = await store?.get(key);
    if (this.#isLive(stored) && stored.accessToken !== refused) return stored;
    const token = await logIn();
    this.logins += 1;
    await store?.set(key, token);
    return token;
  }
}

/** The tokens of an API account at a platform. */
export function tokensOf(
  account: ClientCredentials,
  store: TokenStore | undefined,
): (platform: TokenPlatform) => Tokens {
  return (platform) =>
    new Tokens({
      key: `${platform.baseUrl} ${account.clientId}`,
      ...{ store, nowMs: platform.nowMs },
      logIn: () => logIn(account, platform),
    });
}

async function logIn(
  { clientId, clientSecret }: ClientCredentials,
  { baseUrl, nowMs, ask }: TokenPlatform,
): Promise<StoredToken> {
  // OAuth form-encodes the credentials before Base64 (RFC 6749, 2.3.1).
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
  const headers = {
    authorization: `Basic ${btoa(pair)}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const { status, json, read, brand } = await ask(headers, 'grant_type=client_credentials');
  // At a wrong path, a platform responds, too, but not as a token service does (RFC 6749, 5.2).
  const isError = status >= 400 && status < 500;
  const { pathname } = new URL(baseUrl);
  // If the sandbox doesn't exist, the error says so.
  const mayBeWrong = pathname !== '/' && !IN_SANDBOX.test(pathname);
  const isOfService = typeof json === 'object' && json !== null && 'error' in json;
  if (isError && mayBeWrong && !isOfService) throw new NotAPlatform(baseUrl, status, true);
  const { access_token: accessToken, expires_in: expiresInSeconds } = read();
  if (typeof accessToken !== 'string') throw new NotAPlatform(baseUrl, 200);
  const renewAtMs = renewAt(nowMs(), expiresInSeconds * 1_000);
  return { accessToken, expiresInSeconds, renewAtMs, brand };
}
