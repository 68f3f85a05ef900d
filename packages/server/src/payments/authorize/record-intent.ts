import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Database, Sql } from '../../database/database.ts';
import { ApiError } from '../../http/errors.ts';
import {
  loadPayment,
  type RecordDeps,
  type Recorded,
  repeatWhileCommitUnknown,
} from '../life/record.ts';
import { findEventGuid } from '../life/store.ts';
import type { Intent } from './intent.ts';
import { type CountedIntent, insertIntent } from './intent-store.ts';

/**
 * Limits of the transaction that records the intent, which locks the rows that payments are counted by: a
 * stalled process soon loses them and those it waits for (decision 0011). In milliseconds.
 */
const INTENT_LIMITS = { idleTimeoutMs: 2_000, statementTimeoutMs: 3_000 } as const;

/** What PostgreSQL answers to a statement whose time is over. */
const STATEMENT_CANCELED = '57014';

/** What it answers where a row with the same key is there. */
const UNIQUE_VIOLATION = '23505';

/**
 * Commits the intent, as what the counts of `counted` make of it, or gives the payment that has
 * its identity already: such a repeat leaves no count behind. When the answer to the COMMIT was
 * lost, the same is tried again: it waits for the first one if that is still under way, does
 * nothing if it was done, and then the payment's own id, the same each time, tells whose it is, and
 * the event what was counted. Throws ApiError `unavailable` when others hold what the payment is
 * counted by: nothing is written then.
 */
export async function recordIntent(
  deps: RecordDeps,
  intent: Intent,
  counted: CountedIntent | null,
): Promise<Recorded & { readonly intent: Intent }> {
  const outcomes = [intent, ...(counted?.refused ?? [])];
  const recordedAs = (guid: string | null) => outcomes.find(({ event }) => event.guid === guid);
  const guid = await repeatWhileCommitUnknown(deps, () => insertInTime(deps, intent, counted));
  const inserted = recordedAs(guid);
  if (inserted) {
    tellIntent(deps, inserted);
    return { isOurs: true, payment: inserted.payment, intent: inserted };
  }
  const payment = await loadPayment(deps, intent.payment);
  if (payment.paymentId !== intent.payment.paymentId) return { isOurs: false, payment, intent };
  // Tries may differ in whether a limit refused: only the recorded one is true.
  const recordedBy = await findEventGuid(deps.database.sql, payment, intent.event.version);
  const recorded = recordedAs(recordedBy) ?? intent;
  tellIntent(deps, recorded);
  return { isOurs: true, payment, intent: recorded };
}

/** Of whoever a limit refuses only names that are ours, or the partner's own, are told (PAY-I7). */
function tellIntent({ log, observer }: RecordDeps, { payment, event, refusal }: Intent): void {
  observer?.moved(event.cause);
  const limit = refusal?.velocityLimit;
  if (!limit) return;
  const { merchantGuid, paymentUuid, clientId } = payment;
  log.info({ limit, merchantGuid, paymentUuid, clientId }, 'a velocity limit refused a payment');
  observer?.velocityRefused(limit);
}

/**
 * Gives the guid of the event that was inserted; null when the payment was there. Tries twice: of a
 * process that stopped, one transaction may hold the rows after another.
 */
async function insertInTime(
  { database, log }: RecordDeps,
  intent: Intent,
  counted: CountedIntent | null,
): Promise<string | null> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await insertOnce(database, intent, counted);
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
    { cause },
  );
}

async function insertOnce(
  database: Database,
  intent: Intent,
  counted: CountedIntent | null,
): Promise<string | null> {
  try {
    const run = (sql: Sql) => insertIntent(sql, intent, counted);
    // What counts nothing holds nothing that others wait for: it needs no limits of its own.
    const limits = counted ? INTENT_LIMITS : {};
    const [event] = await database.transaction(run, { ...limits, isOneTrip: true });
    return event?.guid ?? null;
  } catch (error) {
    // Another was faster, and all of this one is undone, what it counted included.
    if (counted && isSqlState(error, UNIQUE_VIOLATION)) return null;
    throw error;
  }
}
