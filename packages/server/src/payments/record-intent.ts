import { type Database, isSqlState, type Sql } from '../db/database.ts';
import { ApiError } from '../http/errors.ts';
import { insertAttempt } from './attempt-store.ts';
import type { Intent } from './intent.ts';
import { authorizationKey } from './processor.ts';
import { loadPayment, type RecordDeps, type Recorded, repeatWhileCommitUnknown } from './record.ts';
import {
  findEventGuid,
  insertEvent,
  insertGuest,
  insertPayment,
  type PaymentKey,
} from './store.ts';

/**
 * Limits of T1, which holds the rows that payments are counted by: a process that stops in it soon
 * holds them no more, nor gets those that it waits for (decision 0014). In milliseconds.
 */
const INTENT_LIMITS = { idleTimeoutMs: 2_000, statementTimeoutMs: 3_000 } as const;

/** What PostgreSQL answers to a statement whose time is over. */
const STATEMENT_CANCELED = '57014';

/** When rows that others hold are worth another try, in seconds. */
const HELD_RETRY_SECONDS = 2;

/**
 * T1: commits the intent, or gives the payment that has its identity already. `makeIntent` makes it
 * inside of the transaction and may write as well, such as counts: a repeat leaves nothing of that
 * behind. When the answer to the COMMIT was lost, the same is tried again: it waits for the first
 * one if that is still under way, does nothing if it was done, and then the payment's own id, the
 * same each time, tells whose it is. Gives the intent of the try that was recorded. Throws ApiError
 * `unavailable` when others hold what the payment is counted by: nothing is written then.
 */
export async function recordIntent(
  deps: RecordDeps,
  key: PaymentKey,
  makeIntent: (sql: Sql) => Promise<Intent>,
): Promise<Recorded & { readonly intent: Intent }> {
  const made: Intent[] = [];
  const { intent, isInserted } = await repeatWhileCommitUnknown(deps, () =>
    insertInTime(deps, async (sql) => {
      const next = await makeIntent(sql);
      made.push(next);
      return next;
    }),
  );
  if (isInserted) {
    tellIntent(deps, intent);
    return { isOurs: true, payment: intent.payment, intent };
  }
  const payment = await loadPayment(deps, key);
  if (payment.paymentId !== intent.payment.paymentId) return { isOurs: false, payment, intent };
  // Tries may differ in whether a limit refused: only the recorded one is true.
  const recordedBy = await findEventGuid(deps.database.sql, key, intent.event.version);
  const recorded = made.find(({ event }) => event.guid === recordedBy) ?? intent;
  tellIntent(deps, recorded);
  return { isOurs: true, payment, intent: recorded };
}

/** Of whoever a limit refuses only names that are ours, or the partner's own, are told (I7). */
function tellIntent({ log, observer }: RecordDeps, { payment, event, refusal }: Intent): void {
  observer?.moved(event.cause);
  const limit = refusal?.velocityLimit;
  if (!limit) return;
  const { merchantGuid, paymentUuid, clientId } = payment;
  log.info({ limit, merchantGuid, paymentUuid, clientId }, 'a velocity limit refused a payment');
  observer?.velocityRefused(limit);
}

/** Thrown to undo a transaction whose payment was there before. */
class AlreadyThere extends Error {
  readonly intent: Intent;

  constructor(intent: Intent) {
    super('the payment was recorded before');
    this.intent = intent;
  }
}

interface Insertion {
  readonly intent: Intent;
  readonly isInserted: boolean;
}

/** Tries twice: of a process that stopped, one transaction may hold the rows after another. */
async function insertInTime(
  { database, log }: RecordDeps,
  makeIntent: (sql: Sql) => Promise<Intent>,
): Promise<Insertion> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await insertOnce(database, makeIntent);
    } catch (error) {
      if (!isSqlState(error, STATEMENT_CANCELED)) throw error;
      if (!isFirst) throw held(error);
      log.warn({ err: error }, 'a payment waits for rows that others hold; trying again');
    }
  }
}

function held(cause: unknown): ApiError {
  return new ApiError(
    'unavailable',
    'The payment could not be recorded in time, and nothing was processed. ' +
      'Repeat the request with the same paymentUuid in a few seconds.',
    { headers: { 'retry-after': String(HELD_RETRY_SECONDS) }, cause },
  );
}

async function insertOnce(
  database: Database,
  makeIntent: (sql: Sql) => Promise<Intent>,
): Promise<Insertion> {
  try {
    return await database.transaction(async (sql) => {
      const intent = await makeIntent(sql);
      if (!(await insertIntent(sql, intent))) throw new AlreadyThere(intent);
      return { intent, isInserted: true };
    }, INTENT_LIMITS);
  } catch (error) {
    if (!(error instanceof AlreadyThere)) throw error;
    return { intent: error.intent, isInserted: false };
  }
}

async function insertIntent(sql: Sql, { payment, event, guest }: Intent): Promise<boolean> {
  if (!(await insertEvent(sql, payment, event))) return false;
  const { attempt, paymentId, createdAt } = payment;
  // They travel together: the driver sends one after another without waiting for each answer.
  await Promise.all([
    insertPayment(sql, payment),
    insertGuest(sql, payment, guest),
    attempt === 0
      ? null
      : insertAttempt(sql, payment, attempt, authorizationKey(paymentId, attempt), createdAt),
  ]);
  return true;
}
