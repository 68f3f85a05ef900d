import { createPrivateKey } from 'node:crypto';
import type { Vault } from '@servery/support/secret.ts';
import type { Sql } from '../../database/database.ts';
import type { Cache } from '../../freshness/cache.ts';
import { CardDataFault } from './card-data.ts';
import type { OpenedCardKey } from './card-envelope.ts';
import { ecdhParameters, rsaParameters } from './card-key-algorithm.ts';
import { type DecryptingKeyRow, listDecryptingKeys } from './card-key-store.ts';

export type CardKeyring = ReturnType<typeof createCardKeyring>;

const OPENED_KEYS_MAX = 1_000;
const LEGACY_KEYS_MAX = 10;

export interface RememberedCardKeys {
  readonly rows: readonly DecryptingKeyRow[];
}

export type CardKeyCache = Cache<RememberedCardKeys>;

/** Holds up to 1,000 opened keys. Without a cache, it asks the database each time. */
export function createCardKeyring(sql: Sql, vault: Vault, cache?: CardKeyCache) {
  const listLive = async (clientId: string, keyId: string | null, nowMs: number) => {
    const read = async (): Promise<RememberedCardKeys | null> => {
      const rows = await listDecryptingKeys(sql, clientId, keyId);
      // Anybody can invent key identifiers, so don't remember missing keys.
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
    // Moves the key to the end, so the least recently used key is first.
    opened.delete(name);
    opened.set(name, key);
    const [oldest] = opened.keys();
    if (opened.size > OPENED_KEYS_MAX && oldest !== undefined) opened.delete(oldest);
    return key;
  };
  return {
    /**
     * The client's keys that may decrypt now (PAY-3), newest first. A null `keyId` lists its legacy
     * keys, at most ten, because such card data doesn't name its key. Whether a key may decrypt
     * comes from the database or an unchanged cached answer; only opened keys are kept. Throws
     * CardDataFault for a key that is unknown, another client's, past its end or destroyed.
     */
    async list(clientId: string, keyId: string | null, nowMs: number): Promise<OpenedCardKey[]> {
      const rows = await listLive(clientId, keyId, nowMs);
      if (rows.length > 0) return rows.map((row) => open(clientId, row));
      if (keyId === null) {
        throw new CardDataFault('keyId is absent and the client has no live legacy key');
      }
      // A destroyed key must not stay in memory.
      opened.delete(sealContext(clientId, keyId));
      throw new CardDataFault('keyId names no live key of this client');
    },
  };
}

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
