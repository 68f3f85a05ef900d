import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import { calculateJwkThumbprint } from 'jose';
import type { Database } from '../database/database.ts';
import { makeSigningKeyPair } from './signing-key-pair.ts';
import {
  insertSigningKey,
  listSigningKeys,
  type PublicJwk,
  type SigningKeyRecord,
  updateSignedUntil,
} from './signing-key-store.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface SigningKeyPolicy {
  readonly rotateAfterMs: number;
  /** Long enough for every cached JWKS to get the successor. */
  readonly publishAheadMs: number;
}

const defaultSigningKeyPolicy: SigningKeyPolicy = {
  rotateAfterMs: 90 * DAY_MS,
  publishAheadMs: DAY_MS,
};

export interface SigningKeyDeps {
  readonly database: Database;
  readonly vault: Vault;
  readonly signingKeyPolicy?: SigningKeyPolicy;
  readonly newSigningKeyPair?: typeof makeSigningKeyPair;
}

/**
 * A `pending` key is published but doesn't sign yet. Tokens of a `retired` key are still accepted.
 * All tokens of an `expired` key have expired.
 */
export type SigningKeyState = 'pending' | 'active' | 'retired' | 'expired';

export interface PublishedKey extends PublicJwk {
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
}

/** The youngest whose time has come. Throws when there is none. */
function activeKey(keys: readonly SigningKeyRecord[], nowMs: number): SigningKeyRecord {
  // If the clock was set back to before the first key, use the first.
  const active = keys.findLast((key) => key.activeFromMs <= nowMs) ?? keys[0];
  if (!active) throw new Error('there is no signing key: ensure() was not called');
  return active;
}

export function signingKeyState(
  key: SigningKeyRecord,
  keys: readonly SigningKeyRecord[],
  nowMs: number,
): SigningKeyState {
  const active = activeKey(keys, nowMs);
  if (key.generation === active.generation) return 'active';
  if (key.generation > active.generation) return 'pending';
  return key.signedUntilMs > nowMs ? 'retired' : 'expired';
}

const sealContext = (kid: string) => `signing_key/${kid}`;

/** The database holds the chain. This caches only parsed keys, which never change. */
export class SigningKeys {
  readonly #database: Database;
  readonly #vault: Vault;
  readonly #policy: SigningKeyPolicy;
  readonly #newPair: typeof makeSigningKeyPair;
  readonly #publicKeys = new Map<string, KeyObject>();
  readonly #privateKeys = new Map<string, KeyObject>();
  #adding: Promise<void> | null = null;

  constructor(deps: SigningKeyDeps) {
    this.#database = deps.database;
    this.#vault = deps.vault;
    this.#policy = deps.signingKeyPolicy ?? defaultSigningKeyPolicy;
    this.#newPair = deps.newSigningKeyPair ?? makeSigningKeyPair;
  }

  /**
   * Makes a key when there is none or the youngest is old enough. There is no timer: use and start
   * drive rotation.
   */
  async current(nowMs: number): Promise<SigningKeyRecord> {
    const keys = await listSigningKeys(this.#database.sql);
    const youngest = keys.at(-1);
    const { rotateAfterMs, publishAheadMs } = this.#policy;
    if (youngest && youngest.activeFromMs + rotateAfterMs - publishAheadMs > nowMs) {
      return activeKey(keys, nowMs);
    }
    const activeFromMs = youngest
      ? Math.max(nowMs + publishAheadMs, youngest.activeFromMs + rotateAfterMs)
      : nowMs;
    await this.#add((youngest?.generation ?? 0) + 1, nowMs, activeFromMs);
    return activeKey(await listSigningKeys(this.#database.sql), nowMs);
  }

  /**
   * Any number of processes may call it at once. Throws when the key doesn't open: the database was
   * made with another master key.
   */
  async ensure(nowMs: number): Promise<void> {
    const key = await this.current(nowMs);
    await this.privateKey(key.kid);
  }

  /**
   * Published at once; signs after `publishAheadMs` (0: at once). The old key's tokens stay valid
   * until they expire.
   */
  async rotate(nowMs: number, publishAheadMs = this.#policy.publishAheadMs): Promise<void> {
    await this.ensure(nowMs);
    const keys = await listSigningKeys(this.#database.sql);
    const generation = (keys.at(-1)?.generation ?? 0) + 1;
    await this.#add(generation, nowMs, nowMs + publishAheadMs);
  }

  async published(nowMs: number): Promise<PublishedKey[]> {
    const keys = await listSigningKeys(this.#database.sql);
    return keys
      .filter((key) => signingKeyState(key, keys, nowMs) !== 'expired')
      .map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: 'RS256' }));
  }

  /** Null for an unknown key. */
  async find(kid: string): Promise<{ publicKey: KeyObject; signedUntilMs: number } | null> {
    const keys = await listSigningKeys(this.#database.sql);
    const key = keys.find((candidate) => candidate.kid === kid);
    if (!key) return null;
    let publicKey = this.#publicKeys.get(kid);
    if (!publicKey) {
      publicKey = createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' });
      this.#publicKeys.set(kid, publicKey);
    }
    return { publicKey, signedUntilMs: key.signedUntilMs };
  }

  /** Throws for an unknown key or another master key. */
  async privateKey(kid: string): Promise<KeyObject> {
    const known = this.#privateKeys.get(kid);
    if (known) return known;
    const keys = await listSigningKeys(this.#database.sql);
    const key = keys.find((candidate) => candidate.kid === kid);
    if (!key) throw new Error(`there is no signing key ${kid}`);
    const der = this.#vault.open(key.sealedPrivateKey, sealContext(kid));
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    der.fill(0);
    this.#privateKeys.set(kid, privateKey);
    return privateKey;
  }

  /** Call it before signing. */
  async keepUntil(kid: string, expiresAtMs: number): Promise<void> {
    const promisedMs = (Math.floor(expiresAtMs / HOUR_MS) + 1) * HOUR_MS;
    await updateSignedUntil(this.#database.sql, kid, expiresAtMs, promisedMs);
  }

  // Concurrent logins share one new key.
  async #add(generation: number, nowMs: number, activeFromMs: number): Promise<void> {
    this.#adding ??= (async () => {
      try {
        const pair = await this.#newPair();
        const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' });
        const publicJwk: PublicJwk = { kty: 'RSA', n, e };
        const kid = await calculateJwkThumbprint(publicJwk, 'sha256');
        const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
        const sealedPrivateKey = this.#vault.seal(privateKey, sealContext(kid));
        const times = { createdAtMs: nowMs, activeFromMs, signedUntilMs: activeFromMs };
        // False means that another process was faster: its key works too.
        const key = { generation, kid, publicJwk, sealedPrivateKey, ...times };
        await insertSigningKey(this.#database.sql, key);
      } finally {
        this.#adding = null;
      }
    })();
    await this.#adding;
  }
}
