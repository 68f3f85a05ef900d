import type { KeyObject } from 'node:crypto';
import type { CardEncryptionKey } from '@servery/contract';
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

export interface IssueCardKeyDeps {
  readonly database: Pick<Database, 'sql'>;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly newCardKeyPair?: typeof makeCardKeyPair;
}

export interface CardKeyRequest {
  readonly clientId: string;
  readonly algorithm: CardKeyAlgorithm;
  /** Clients use a legacy key without `keyId` (PAY-3). Only such a key may use SHA-1. */
  readonly legacy?: boolean;
  /** `PENDING` keeps the key unused until it is activated. Default: `ACTIVE`. */
  readonly state?: 'PENDING' | 'ACTIVE';
  readonly notAfterMs?: number | null;
}

export type PublicCardKey = Pick<
  NewCardKey,
  'keyId' | 'algorithm' | 'publicKeyPem' | 'publicKeyJwk'
>;

/** A key never returns to an earlier state. */
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

/** Throws ApiError `badRequest` for an SHA-1 key that isn't marked legacy (PAY-3). */
export async function issueCardKey(
  deps: IssueCardKeyDeps,
  request: CardKeyRequest,
): Promise<PublicCardKey> {
  const key = await makeCardKey(deps.vault, request, deps.newCardKeyPair);
  await insertCardKey(deps.database.sql, key, new Date(deps.clock.nowMs()));
  const { keyId, algorithm, publicKeyPem, publicKeyJwk } = key;
  return { keyId, algorithm, publicKeyPem, publicKeyJwk };
}

/** Stores nothing, so the caller's transaction stays short. Throws as `issueCardKey` does. */
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
  const publicPart = exportPublicKey(pair.publicKey, keyId, algorithm);
  const privateBytes = pair.privateKey.export({ type: 'pkcs8', format: 'der' });
  const sealedPrivateKey = vault.seal(privateBytes, sealContext(clientId, keyId));
  privateBytes.fill(0);
  const notAfter = typeof request.notAfterMs === 'number' ? new Date(request.notAfterMs) : null;
  const state = request.state ?? 'ACTIVE';
  return { clientId, legacy, state, notAfter, sealedPrivateKey, ...publicPart };
}

export interface MoveCardKeyDeps {
  readonly database: Pick<Database, 'sql' | 'transaction'>;
  readonly clock: Clock;
}

export type RecordCardKey = (
  sql: Sql,
  before: ManagedCardKeyRow | null,
  after: ManagedCardKeyRow,
) => Promise<void>;

/** Null when the client has no such key. Throws ApiError `conflict` for an illegal move. */
export async function moveCardKey(
  deps: MoveCardKeyDeps,
  clientId: string,
  keyId: string,
  to: CardKeyState,
  record: RecordCardKey = async () => {},
): Promise<ManagedCardKeyRow | null> {
  const { sql } = deps.database;
  let key = await findCardKey(sql, clientId, keyId);
  // Others can only move the key forward, so this ends after at most three rounds.
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
  const wayOut = legal === '' ? 'no move is legal anymore' : `legal now: ${legal}`;
  return new ApiError(
    'conflict',
    `The card key ${keyId} is ${from} and cannot become ${to}; ${wayOut}.`,
  );
}

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

function exportPublicKey(
  publicKey: KeyObject,
  keyId: string,
  algorithm: CardKeyAlgorithm,
): PublicCardKey {
  const { kty, n, e, crv, x, y } = publicKey.export({ format: 'jwk' });
  const material = algorithm === 'ECDH-ES' ? { kty, crv, x, y } : { kty, n, e };
  return {
    keyId,
    algorithm,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    publicKeyJwk: {
      ...material,
      kid: keyId,
      use: 'enc',
      alg: jwkAlgorithm(algorithm),
    } as PublicCardKey['publicKeyJwk'],
  };
}
