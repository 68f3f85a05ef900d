import type { CardKey } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { insertEntry } from '../../audit/entry-store.ts';
import { originOf } from '../../audit/origin.ts';
import type { Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import type { BackOfficeRequest, HandlerOf } from '../../http/operation.ts';
import type { Reach } from '../../reach/reach.ts';
import type { Log } from '../../support/log.ts';
import type { CardKeyState, ManagedCardKeyRow } from '../cards/card-key-store.ts';
import { type MoveCardKeyDeps, moveCardKey, type RecordCardKey } from '../cards/card-keys.ts';
import { findKeyHolder, type KeyHolder } from './key-holder-store.ts';

export interface MoveCardKeyHandlerDeps extends MoveCardKeyDeps {
  readonly realClock: Clock;
  readonly log: Pick<Log, 'info'>;
}

export const moveCardKeyHandler =
  (
    deps: MoveCardKeyHandlerDeps,
    to: CardKeyState,
  ): HandlerOf<`backOffice.cardKeys.${'activate' | 'retire' | 'destroy'}`> =>
  async (request) => {
    const { clientId, keyId } = request.params;
    const holder = await requireKeyHolder(deps.database.sql, clientId, request.reach);
    const record = recordCardKey(request, deps.realClock, holder);
    const key = await moveCardKey(deps, clientId, keyId, to, record);
    if (!key) throw noSuchCardKey();
    logCardKey(deps, request, key);
    return { json: cardKeyOnWire(key) };
  };

export async function requireKeyHolder(
  sql: Sql,
  clientId: string,
  reach: Reach,
): Promise<KeyHolder> {
  const holder = await findKeyHolder(sql, clientId, reach);
  if (!holder) throw noSuchCardKey();
  return holder;
}

/** The same message for a missing key and one out of reach. */
function noSuchCardKey(): ApiError {
  return new ApiError(
    'notFound',
    "There is no such client or card key, or you don't have access to it: check the path.",
  );
}

export function recordCardKey(
  request: BackOfficeRequest,
  realClock: Clock,
  { managementGroupGuid, partnerGuid }: KeyHolder,
): RecordCardKey {
  const origin = originOf(request, realClock);
  return (sql, before, after) =>
    insertEntry(sql, origin, {
      subject: { kind: 'cardKey', id: `${after.clientId} ${after.keyId}` },
      managementGroupGuid,
      partnerGuid,
      before: before && { ...cardKeyOnWire(before) },
      after: { ...cardKeyOnWire(after) },
    });
}

export function logCardKey(
  { log }: Pick<MoveCardKeyHandlerDeps, 'log'>,
  { by, requestId }: BackOfficeRequest,
  { clientId, keyId, state }: ManagedCardKeyRow,
): void {
  log.info({ clientId, keyId, state, by, requestId }, 'a card key was issued or moved');
}

export function cardKeyOnWire(key: ManagedCardKeyRow): CardKey {
  return {
    clientId: key.clientId,
    keyId: key.keyId,
    algorithm: key.algorithm,
    state: key.state,
    legacy: key.legacy,
    publicKeyPem: key.publicKeyPem,
    publicKeyJwk: key.publicKeyJwk,
    notAfter: key.notAfter?.toISOString() ?? null,
    createdAt: key.createdAt.toISOString(),
    stateChangedAt: key.stateChangedAt.toISOString(),
  };
}
