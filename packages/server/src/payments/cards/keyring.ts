import { createPrivateKey } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import type { Sql } from '../../database/database.ts';
import type { Cache } from '../../freshness/cache.ts';
import { CardDataFault } from './card-data.ts';
import type { OpenedCardKey } from './card-envelope.ts';
import { ecdhParameters, rsaParameters } from './card-key-algorithm.ts';
import { type DecryptingKeyRow, listDecryptingKeys } from './card-key-store.ts';

/** Finds a client's keys ready to decrypt with. */
export interface CardKeyring {
  /**
   * The keys of this client that may decrypt now (PAY-3), newest first: one, but null as `keyId` means
   * each of its legacy keys, because such card data does not say with which it was encrypted.
   * Ten of these at most. Whether they may is asked of the database, or of what was read there and
   * has not been changed since; the opened key itself, which never changes, is kept. Throws
   * CardDataFault for a key that is unknown, another client's, past its end, or destroyed.
   */
  list(clientId: string, keyId: string | null, nowMs: number): Promise<OpenedCardKey[]>;
}

const OPENED_KEYS_MAX = 1_000;
const LEGACY_KEYS_MAX = 10;

/** Keys of a client that may decrypt until their end, newest first: one, or its legacy keys. */
export interface RememberedCardKeys {
  readonly rows: readonly DecryptingKeyRow[];
}

/** Remembers which keys may decrypt; nothing is remembered when it is absent. */
export type CardKeyCache = Cache<RememberedCardKeys>;

/**
 * Makes the keyring of a process. It holds up to 1,000 opened keys, and asks the database each time
 * which may decrypt where there is no cache.
 */
export function createCardKeyring(sql: Sql, vault: Vault, cache?: CardKeyCache): CardKeyring {
  const listLive = async (clientId: string, keyId: string | null, nowMs: number) => {
    const read = async (): Promise<RememberedCardKeys | null> => {
      const rows = await listDecryptingKeys(sql, clientId, keyId);
      // Anybody can make up identifiers of keys that are not there.
      return rows.length === 0 ? null : { rows };
    };
    const found = cache
      ? (await cache.get(`${clientId} ${keyId ?? ''}`, [`client:${clientId}`], read))?.value
      : await read();
    const live = found?.rows.filter(({ notAfter }) => !notAfter || notAfter.getTime() > nowMs);
    return live?.slice(0, LEGACY_KEYS_MAX) ?? [];
  };
  const opened = new Map<string, OpenedCardKey>();
  const open = (clientId: string, row: DecryptingKeyRow): OpenedCardKey => {
    const name = sealContext(clientId, row.keyId);
    const key = opened.get(name) ?? openKey(vault, row, name);
    // The newest use goes to the end, so the front of the map is what was not used for longest.
    opened.delete(name);
    opened.set(name, key);
    const [oldest] = opened.keys();
    if (opened.size > OPENED_KEYS_MAX && oldest !== undefined) opened.delete(oldest);
    return key;
  };
  return {
    async list(clientId, keyId, nowMs) {
      const rows = await listLive(clientId, keyId, nowMs);
      if (rows.length > 0) return rows.map((row) => open(clientId, row));
      if (keyId === null) {
        throw new CardDataFault('keyId is absent and the client has no live legacy key');
      }
      // A destroyed key that was asked for here is not to stay in this process's memory either.
      opened.delete(sealContext(clientId, keyId));
      throw new CardDataFault('keyId names no live key of this client');
    },
  };
}

/** Names the key that a sealed private part belongs to. */
export function sealContext(clientId: string, keyId: string): string {
  return `card_key:${clientId}:${keyId}`;
}

function openKey(vault: Vault, row: DecryptingKeyRow, context: string): OpenedCardKey {
  const bytes = vault.open(row.sealedPrivateKey, context);
  const { keyId, algorithm } = row;
  try {
    const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' });
    const rsa = rsaParameters(algorithm);
    const privateKey = rsa
      ? key.toCryptoKey(rsa, false, ['decrypt'])
      : key.toCryptoKey(ecdhParameters, false, ['deriveBits']);
    return { keyId, algorithm, privateKey, agreementKey: rsa ? null : key };
  } finally {
    bytes.fill(0);
  }
}
