import { isSqlState } from '@servery/postgres/postgres-error.ts';
import type { Sql } from '../../database/database.ts';
import {
  loadPayment,
  type RecordDeps,
  type Recorded,
  repeatWhileCommitUnknown,
} from '../life/record.ts';
import type { Intent } from './intent.ts';
import { insertIntent, LOST_RACE } from './intent-store.ts';

/**
 * Commits the intent, or returns the existing payment. When the answer to the COMMIT is lost, it
 * tries again: the payment's own id then tells who recorded it.
 */
export async function recordIntent(deps: RecordDeps, intent: Intent): Promise<Recorded> {
  const isOfCluster = deps.database.freshness.isOfCluster();
  const insert = (sql: Sql) => insertIntent(sql, intent, isOfCluster);
  const attempt = () => deps.database.transaction(insert, { isOneTrip: true });
  const inserted = await repeatWhileCommitUnknown(deps, () =>
    attempt().catch((error: unknown) => {
      if (!isSqlState(error, LOST_RACE)) throw error;
      return attempt();
    }),
  );
  const payment = inserted.length > 0 ? intent.payment : await loadPayment(deps, intent.payment);
  const isOurs = payment.paymentId === intent.payment.paymentId;
  if (isOurs) tellIntent(deps, intent);
  return { isOurs, payment };
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
