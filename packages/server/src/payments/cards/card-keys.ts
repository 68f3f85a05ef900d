import { webcrypto } from 'node:crypto';
import type { CardEncryptionKey, JsonWebKey } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { newRandomId } from '@servery/support/ids.ts';
import type { Vault } from '@servery/support/secret.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import { type CardKeyAlgorithm, jwkAlgorithm, makeCardKeyPair } from './card-key-algorithm.ts';
import {
  type CardKeyState,
  findCardKey,
  insertCardKey,
  listEncryptingKeys,
  type ManagedCardKeyRow,
  type NewCardKey,
  updateCardKeyState,
} from './card-key-store.ts';
import { sealContext } from './keyring.ts';

/** What issuing a card key leans on. */
export interface IssueCardKeyDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Vault;
  readonly clock: Clock;
  /** `makeCardKeyPair` when absent. */
  readonly newCardKeyPair?: typeof makeCardKeyPair;
}

/** Which key to issue. */
export interface CardKeyRequest {
  readonly clientId: string;
  readonly algorithm: CardKeyAlgorithm;
  /** A legacy key is used when `keyId` is absent (PAY-3); only such a key may be of SHA-1. */
  readonly legacy?: boolean;
  /** `PENDING` keeps the key out of use until it is activated; `ACTIVE` when absent. */
  readonly state?: 'PENDING' | 'ACTIVE';
  /** The end of the key's use, in epoch milliseconds; null or absent for none planned. */
  readonly notAfterMs?: number | null;
}

/** The public part of a card key, as the client needs it (PAY-4). */
export interface PublicCardKey {
  readonly keyId: string;
  readonly algorithm: CardKeyAlgorithm;
  readonly publicKeyPem: string;
  readonly publicKeyJwk: JsonWebKey;
}

/** Legal moves of a card key; a key never comes back. */
const cardKeyMoves: Readonly<Record<CardKeyState, readonly CardKeyState[]>> = {
  PENDING: ['ACTIVE', 'DESTROYED'],
  ACTIVE: ['DECRYPT_ONLY', 'DESTROYED'],
  DECRYPT_ONLY: ['DESTROYED'],
  DESTROYED: [],
};

const moveNames: Readonly<Record<CardKeyState, string>> = {
  PENDING: 'issue',
  ACTIVE: 'activate',
  DECRYPT_ONLY: 'retire',
  DESTROYED: 'destroy',
};

/**
 * Makes a key pair for a client and stores it, the private part sealed (PAY-3). Gives the public part.
 * Throws ApiError `badRequest` when an SHA-1 key is asked for that is not marked legacy.
 */
export async function issueCardKey(
  deps: IssueCardKeyDeps,
  request: CardKeyRequest,
): Promise<PublicCardKey> {
  const key = await makeCardKey(deps.vault, request, deps.newCardKeyPair);
  await insertCardKey(deps.database.sql, key, new Date(deps.clock.nowMs()));
  const { keyId, algorithm, publicKeyPem, publicKeyJwk } = key;
  return { keyId, algorithm, publicKeyPem, publicKeyJwk };
}

/**
 * Makes a key pair without storing it, for whoever stores it in a transaction of its own: an RSA
 * pair takes about a second. Throws as `issueCardKey` does.
 */
export async function makeCardKey(
  vault: Vault,
  request: CardKeyRequest,
  newPair: typeof makeCardKeyPair = makeCardKeyPair,
): Promise<NewCardKey> {
  const { clientId, algorithm, legacy = false } = request;
  if (algorithm === 'RSA-OAEP-SHA1' && !legacy) {
    throw new ApiError(
      'badRequest',
      'RSA-OAEP-SHA1 is deprecated: issue another algorithm, or mark the key legacy.',
    );
  }
  const keyId = `${algorithm}::${newRandomId()}`;
  const pair = await newPair(algorithm);
  const publicPart = await exportPublicKey(pair.publicKey, keyId, algorithm);
  const privateBytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', pair.privateKey));
  const sealedPrivateKey = vault.seal(privateBytes, sealContext(clientId, keyId));
  privateBytes.fill(0);
  const notAfter = typeof request.notAfterMs === 'number' ? new Date(request.notAfterMs) : null;
  const state = request.state ?? 'ACTIVE';
  return { clientId, legacy, state, notAfter, sealedPrivateKey, ...publicPart };
}

/** What moving card keys leans on. */
export interface MoveCardKeyDeps {
  readonly database: Pick<Database, 'sql' | 'transaction'>;
  readonly clock: Clock;
}

/** Writes down what became of a key, in the transaction that changes it. */
export type RecordCardKey = (
  sql: Sql,
  before: ManagedCardKeyRow | null,
  after: ManagedCardKeyRow,
) => Promise<void>;

/**
 * Moves a client's key along its life: activate, retire to decrypt-only, destroy. A key that is
 * there already stays as it is. Gives the key; null when the client has no such key. Throws
 * ApiError `conflict`, which says what is legal, when the move is not a legal one.
 */
export async function moveCardKey(
  deps: MoveCardKeyDeps,
  clientId: string,
  keyId: string,
  to: CardKeyState,
  record: RecordCardKey = async () => {},
): Promise<ManagedCardKeyRow | null> {
  const { sql } = deps.database;
  let key = await findCardKey(sql, clientId, keyId);
  // Whoever else moves the key moves it forward, so this ends after three rounds at most.
  while (key && key.state !== to) {
    const { state: from } = key;
    if (!cardKeyMoves[from].includes(to)) throw illegalMove(keyId, from, to);
    const before = key;
    const now = new Date(deps.clock.nowMs());
    await deps.database.transaction(async (inside) => {
      const isOurs = await updateCardKeyState(inside, clientId, keyId, { from, to }, now);
      if (isOurs) await record(inside, before, { ...before, state: to, stateChangedAt: now });
    });
    key = await findCardKey(sql, clientId, keyId);
  }
  return key;
}

function illegalMove(keyId: string, from: CardKeyState, to: CardKeyState): ApiError {
  const legal = cardKeyMoves[from].map((state) => moveNames[state]).join(' or ');
  const wayOut = legal === '' ? 'no move is legal any more' : `legal now: ${legal}`;
  return new ApiError(
    'conflict',
    `The card key ${keyId} is ${from} and cannot become ${to}; ${wayOut}.`,
  );
}

/** The public keys that a client may encrypt new card data with now, newest first (PAY-4). */
export async function listPublicCardKeys(
  deps: Pick<IssueCardKeyDeps, 'database' | 'clock'>,
  clientId: string,
): Promise<CardEncryptionKey[]> {
  const now = new Date(deps.clock.nowMs());
  const rows = await listEncryptingKeys(deps.database.sql, clientId, now);
  return rows.map(({ keyId, algorithm, publicKeyPem, publicKeyJwk, notAfter }) => ({
    keyId,
    algorithm,
    publicKeyPem,
    publicKeyJwk,
    notAfter: notAfter?.toISOString() ?? null,
  }));
}

async function exportPublicKey(
  publicKey: webcrypto.CryptoKey,
  keyId: string,
  algorithm: CardKeyAlgorithm,
): Promise<PublicCardKey> {
  const spki = Buffer.from(await webcrypto.subtle.exportKey('spki', publicKey));
  const lines = spki.toString('base64').match(/.{1,64}/g) ?? [];
  const jwk = await webcrypto.subtle.exportKey('jwk', publicKey);
  const { n = '', e = '', crv = '', x = '', y = '' } = jwk;
  const material = jwk.kty === 'RSA' ? { kty: 'RSA', n, e } : { kty: 'EC', crv, x, y };
  return {
    keyId,
    algorithm,
    publicKeyPem: `-----BEGIN PUBLIC KEY-----\n${lines.join('\n')}\n-----END PUBLIC KEY-----\n`,
    publicKeyJwk: { ...material, kid: keyId, use: 'enc', alg: jwkAlgorithm(algorithm) },
  };
}
