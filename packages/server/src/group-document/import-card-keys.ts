import type { Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../database/database.ts';
import { defaultCardKeyAlgorithms } from '../payments/cards/card-key-algorithm.ts';
import {
  insertCardKey,
  listClientsWithoutCardKey,
  type NewCardKey,
} from '../payments/cards/card-key-store.ts';
import { type CardKeyRequest, makeCardKey } from '../payments/cards/card-keys.ts';
import type { ClientContents } from './contents.ts';

/**
 * Takes a second or two for each account, so it runs before the import's transaction. Makes keys
 * for accounts that may send card payments and never had one, and a legacy key for those that may
 * leave `keyId` out (PAY-3). Throws the signal's reason when aborted.
 */
export async function makeCardKeys(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  clients: readonly ClientContents[],
  signal?: AbortSignal,
): Promise<NewCardKey[]> {
  const paying = clients.filter(({ scopes }) =>
    scopes.includes('credit_cards.authorization:write'),
  );
  const clientIds = paying.map(({ clientId }) => clientId);
  const keyless = new Set(await listClientsWithoutCardKey(database.sql, clientIds));
  const made: NewCardKey[] = [];
  for (const client of paying.filter(({ clientId }) => keyless.has(clientId))) {
    signal?.throwIfAborted();
    const requests = cardKeyRequests(client);
    made.push(...(await Promise.all(requests.map((request) => makeCardKey(vault, request)))));
  }
  return made;
}

function cardKeyRequests({ clientId, holdsLegacyCardKey }: ClientContents): CardKeyRequest[] {
  const requests = defaultCardKeyAlgorithms.map((algorithm) => ({ clientId, algorithm }));
  if (!holdsLegacyCardKey) return requests;
  // Clients used this algorithm before keys had identifiers.
  return [...requests, { clientId, algorithm: 'RSA-OAEP-SHA1', legacy: true }];
}

/** Runs in the import's transaction. */
export async function insertCardKeys(
  sql: Sql,
  keys: readonly NewCardKey[],
  nowMs: number,
): Promise<string[]> {
  for (const key of keys) await insertCardKey(sql, key, new Date(nowMs));
  return [...new Set(keys.map(({ clientId }) => clientId))];
}
