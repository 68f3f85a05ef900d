import type { CardKey } from '@servery/contract';
import type { Clock } from '@servery/support/clock.ts';
import { insertEntry } from '../../../audit/entry-store.ts';
import { originOf } from '../../../audit/origin.ts';
import { ApiError } from '../../../http/errors.ts';
import type { Answer, BackOfficeRequest, OperationHandlers } from '../../../http/operation.ts';
import type { Log } from '../../../support/log.ts';
import { isClientId } from '../../../text/client-id.ts';
import {
  type CardKeyState,
  insertCardKey,
  listCardKeys,
  type ManagedCardKeyRow,
} from '../../cards/card-key-store.ts';
import {
  type IssueCardKeyDeps,
  type MoveCardKeyDeps,
  makeCardKey,
  moveCardKey,
  type RecordCardKey,
} from '../../cards/card-keys.ts';
import { readIssue } from './read-issue.ts';
import { findKeyHolder, type KeyHolder } from './store.ts';

/** What managing card keys leans on. */
export interface CardKeyDeps extends MoveCardKeyDeps, Pick<IssueCardKeyDeps, 'vault'> {
  /** For the record of changes. */
  readonly realClock: Clock;
  readonly log: Pick<Log, 'info'>;
}

type CardKeyMove = 'activate' | 'retire' | 'destroy';
type CardKeyOperationId = `backOffice.cardKeys.${'list' | 'issue' | CardKeyMove}`;

/** The form of the identifiers that the platform gives out; nothing else can be a key's. */
const KEY_ID = /^[A-Z0-9-]{1,32}::[A-Za-z0-9._~-]{1,128}$/;

/** The operations of the back office on card keys. */
export function cardKeyHandlers(deps: CardKeyDeps): Pick<OperationHandlers, CardKeyOperationId> {
  return {
    'backOffice.cardKeys.list': async (request) => {
      const { clientId } = await holderOf(deps, request);
      const keys = await listCardKeys(deps.database.sql, clientId);
      return { json: keys.map(cardKeyOnWire) };
    },
    'backOffice.cardKeys.issue': async (request) => {
      const key = await issue(deps, request);
      tell(deps, request, key);
      return { json: cardKeyOnWire(key) };
    },
    'backOffice.cardKeys.activate': (request) => move(deps, request, 'ACTIVE'),
    'backOffice.cardKeys.retire': (request) => move(deps, request, 'DECRYPT_ONLY'),
    'backOffice.cardKeys.destroy': (request) => move(deps, request, 'DESTROYED'),
  };
}

async function holderOf(deps: CardKeyDeps, request: BackOfficeRequest): Promise<KeyHolder> {
  const { clientId = '' } = request.params;
  const holder = isClientId(clientId)
    ? await findKeyHolder(deps.database.sql, clientId, request.reach)
    : null;
  if (!holder) throw notFound();
  return holder;
}

/** The same words for what does not exist and for what is out of reach. */
function notFound(): ApiError {
  return new ApiError(
    'notFound',
    'There is no such client, or no such card key of it, within your reach: check the path.',
  );
}

async function issue(deps: CardKeyDeps, request: BackOfficeRequest): Promise<ManagedCardKeyRow> {
  const holder = await holderOf(deps, request);
  const { clientId, isRevoked } = holder;
  if (isRevoked) {
    throw new ApiError('unprocessable', 'The client was ended: it can use no new card key.');
  }
  const nowMs = deps.clock.nowMs();
  const key = await makeCardKey(deps.vault, readIssue(clientId, request.body, nowMs));
  const now = new Date(nowMs);
  const issued = { ...key, createdAt: now, stateChangedAt: now };
  await deps.database.transaction(async (sql) => {
    await insertCardKey(sql, key, now);
    await recordIn(deps, request, holder)(sql, null, issued);
  });
  return issued;
}

async function move(
  deps: CardKeyDeps,
  request: BackOfficeRequest,
  to: CardKeyState,
): Promise<Answer> {
  const holder = await holderOf(deps, request);
  const { keyId = '' } = request.params;
  const record = recordIn(deps, request, holder);
  const key = KEY_ID.test(keyId)
    ? await moveCardKey(deps, holder.clientId, keyId, to, record)
    : null;
  if (!key) throw notFound();
  tell(deps, request, key);
  return { json: cardKeyOnWire(key) };
}

/** What writes a key into the record of changes. */
function recordIn(
  deps: CardKeyDeps,
  request: BackOfficeRequest,
  { managementGroupGuid, partnerGuid }: KeyHolder,
): RecordCardKey {
  const origin = originOf(request, deps.realClock);
  return (sql, before, after) =>
    insertEntry(sql, origin, {
      subject: { kind: 'cardKey', id: `${after.clientId} ${after.keyId}` },
      managementGroupGuid,
      partnerGuid,
      before: before && { ...cardKeyOnWire(before) },
      after: { ...cardKeyOnWire(after) },
    });
}

/** Who made which key able or unable to do what is worth a line for good. */
function tell(deps: CardKeyDeps, { by, requestId }: BackOfficeRequest, key: ManagedCardKeyRow) {
  const { clientId, keyId, state } = key;
  deps.log.info({ clientId, keyId, state, by, requestId }, 'a card key was issued or moved');
}

function cardKeyOnWire(key: ManagedCardKeyRow): CardKey {
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
