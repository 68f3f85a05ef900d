import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Sql } from '../../database/database.ts';
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
import type { RiskRefusal } from './risk.ts';

/** In ms. The rows that count payments are locked: a stalled process loses them (decision 0011). */
const INTENT_LIMITS = { idleTimeoutMs: 2_000, statementTimeoutMs: 3_000 } as const;

const STATEMENT_CANCELED = '57014';

const UNIQUE_VIOLATION = '23505';

/**
 * Commits the intent as its counts decide, or returns the existing payment; a repeat isn't counted.
 * When the answer to the COMMIT is lost, it tries again: the payment's own id then tells who
 * recorded it, and the event tells what was counted. Throws ApiError `unavailable` when others hold
 * the counted rows; nothing is written then.
 */
export async function recordIntent(
  deps: RecordDeps,
  intent: Intent,
  counted: CountedIntent | null,
): Promise<Recorded & { readonly refusal: RiskRefusal | null }> {
  const outcomes = [intent, ...(counted?.refused ?? [])];
  const recordedAs = (guid: string | null) => outcomes.find(({ eventGuid }) => eventGuid === guid);
  const guid = await repeatWhileCommitUnknown(deps, () => insertInTime(deps, intent, counted));
  const inserted = recordedAs(guid);
  if (inserted) {
    tellIntent(deps, inserted);
    return { isOurs: true, payment: inserted.payment, refusal: inserted.refusal };
  }
  const payment = await loadPayment(deps, intent.payment);
  if (payment.paymentId !== intent.payment.paymentId) {
    return { isOurs: false, payment, refusal: null };
  }
  // Tries may differ in whether a limit refused. Only the recorded one counts.
  const recordedBy = await findEventGuid(deps.database.sql, payment, 1);
  const recorded = recordedAs(recordedBy) ?? intent;
  tellIntent(deps, recorded);
  return { isOurs: true, payment, refusal: recorded.refusal };
}

/** Logs only our own names or the partner's for refusals by a limit (PAY-I7). */
function tellIntent({ log, observer }: RecordDeps, { payment, refusal }: Intent): void {
  observer?.moved(refusal ? 'riskRefused' : 'submitted');
  if (!refusal?.limit) return;
  const limit = refusal.limit.dimension;
  const { merchantGuid, paymentUuid, clientId } = payment;
  log.info({ limit, merchantGuid, paymentUuid, clientId }, 'a velocity limit refused a payment');
  observer?.velocityRefused(limit);
}

/** Tries twice: a stopped process's transaction may hold the rows. Null for an existing payment. */
async function insertInTime(
  { database, log }: RecordDeps,
  intent: Intent,
  counted: CountedIntent | null,
): Promise<string | null> {
  const run = (sql: Sql) => insertIntent(sql, intent, counted);
  // Without counts, it locks nothing that others wait for, so it needs no limits.
  const limits = counted ? INTENT_LIMITS : {};
  for (let isFirst = true; ; isFirst = false) {
    try {
      const [event] = await database.transaction(run, { ...limits, isOneTrip: true });
      return event?.guid ?? null;
    } catch (error) {
      // Another process was faster. Everything here is undone, including the counts.
      if (counted && isSqlState(error, UNIQUE_VIOLATION)) return null;
      if (!isSqlState(error, STATEMENT_CANCELED)) throw error;
      if (!isFirst) {
        throw new ApiError(
          'unavailable',
          'The payment could not be recorded in time, and nothing was processed. ' +
            'Repeat the request with the same paymentUuid in a few seconds.',
          { cause: error },
        );
      }
      log.warn({ err: error }, 'a payment waits for rows that others hold; trying again');
    }
  }
}
