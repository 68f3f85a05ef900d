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

/** When signing keys change. Durations are in milliseconds. */
export interface SigningKeyPolicy {
  /** A key signs for so long before its successor takes over. */
  readonly rotateAfterMs: number;
  /** A successor is published so long before it signs, so that every cached JWKS knows it. */
  readonly publishAheadMs: number;
}

/** A key signs for 90 days; its successor is in the JWKS a day before it takes over. */
const defaultSigningKeyPolicy: SigningKeyPolicy = {
  rotateAfterMs: 90 * DAY_MS,
  publishAheadMs: DAY_MS,
};

/** What the signing keys need. */
export interface SigningKeyDeps {
  readonly database: Database;
  readonly vault: Vault;
  /** `defaultSigningKeyPolicy` when absent. */
  readonly signingKeyPolicy?: SigningKeyPolicy;
  /** `makeSigningKeyPair` when absent. */
  readonly newSigningKeyPair?: typeof makeSigningKeyPair;
}

/**
 * Where a key stands: `pending` is published but does not sign yet, `active` signs, `retired` signs
 * no more but its tokens are accepted, `expired` is only a record: all of its tokens have expired.
 */
export type SigningKeyState = 'pending' | 'active' | 'retired' | 'expired';

/** A key of the JWKS endpoint. */
export interface PublishedKey extends PublicJwk {
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
}

/** The key that signs at `nowMs`: the youngest whose time has come. Throws when there is none. */
function activeKey(keys: readonly SigningKeyRecord[], nowMs: number): SigningKeyRecord {
  // A clock that was set back to before the first key leaves no other than the first.
  const active = keys.findLast((key) => key.activeFromMs <= nowMs) ?? keys[0];
  if (!active) throw new Error('there is no signing key: ensure() was not called');
  return active;
}

/** Where the key stands at `nowMs` among all keys, which are ordered oldest first. */
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

async function makeSigningKey(
  vault: Vault,
  newPair: typeof makeSigningKeyPair,
  times: Pick<SigningKeyRecord, 'generation' | 'createdAtMs' | 'activeFromMs'>,
): Promise<SigningKeyRecord> {
  const pair = await newPair();
  const { n = '', e = '' } = pair.publicKey.export({ format: 'jwk' });
  const publicJwk: PublicJwk = { kty: 'RSA', n, e };
  const kid = await calculateJwkThumbprint(publicJwk, 'sha256');
  const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
  return {
    ...times,
    kid,
    publicJwk,
    sealedPrivateKey: vault.seal(privateKey, sealContext(kid)),
    signedUntilMs: times.activeFromMs,
  };
}

const sealContext = (kid: string) => `signing_key/${kid}`;

/**
 * The RSA keys that sign access tokens. The database holds the chain; here are only parsed keys,
 * which never change, so nothing here can be out of date.
 */
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
   * The key that signs now, in epoch milliseconds. Makes the first key, and publishes a successor
   * when the youngest key nears its age: there is no timer, use and start are what drive rotation.
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
   * Makes sure, at start, that there is a key to sign with and that it is not too old. Any number
   * of processes may do so at once. `nowMs` is epoch milliseconds. Throws when the key does not
   * open, which means that the database was made with another master key.
   */
  async ensure(nowMs: number): Promise<void> {
    const key = await this.current(nowMs);
    await this.privateKey(key.kid);
  }

  /**
   * Gives the signing key a successor, whatever its age. It is published at once and signs after
   * the policy's `publishAheadMs`, or after the one given (0: at once). Tokens of the old key stay
   * valid until they expire.
   */
  async rotate(nowMs: number, publishAheadMs = this.#policy.publishAheadMs): Promise<void> {
    await this.ensure(nowMs);
    const keys = await listSigningKeys(this.#database.sql);
    const generation = (keys.at(-1)?.generation ?? 0) + 1;
    await this.#add(generation, nowMs, nowMs + publishAheadMs);
  }

  /** The keys of the JWKS at `nowMs`: the one that signs, its successors, and retired ones. */
  async published(nowMs: number): Promise<PublishedKey[]> {
    const keys = await listSigningKeys(this.#database.sql);
    return keys
      .filter((key) => signingKeyState(key, keys, nowMs) !== 'expired')
      .map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: 'RS256' }));
  }

  /**
   * The public key of a `kid` and the latest expiry of its tokens, in epoch milliseconds; null when
   * there was never such a key.
   */
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

  /** The private key of a `kid`. Throws when unknown or sealed with another master key. */
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

  /** Keeps the key published until `expiresAtMs` at least; called before it signs. */
  async keepUntil(kid: string, expiresAtMs: number): Promise<void> {
    const promisedMs = (Math.floor(expiresAtMs / HOUR_MS) + 1) * HOUR_MS;
    await updateSignedUntil(this.#database.sql, kid, expiresAtMs, promisedMs);
  }

  // Many logins may find at once that a key is due; one of them makes it, the others wait for it.
  async #add(generation: number, nowMs: number, activeFromMs: number): Promise<void> {
    this.#adding ??= (async () => {
      try {
        const times = { generation, createdAtMs: nowMs, activeFromMs };
        const key = await makeSigningKey(this.#vault, this.#newPair, times);
        // False means that another process was faster: its key is as good.
        await insertSigningKey(this.#database.sql, key);
      } finally {
        this.#adding = null;
      }
    })();
    await this.#adding;
  }
}
