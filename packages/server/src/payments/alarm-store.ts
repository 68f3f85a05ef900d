import type { Sql } from '../db/database.ts';
import type { AlarmKind } from './alarm-kinds.ts';

/** An alarm as it is raised. */
export interface NewAlarm {
  readonly guid: string;
  readonly merchantGuid: string;
  readonly paymentUuid: string;
  readonly kind: AlarmKind;
  readonly attempt: number;
  /** For operators; never card data. */
  readonly explanation: string;
  readonly raisedAt: Date;
}

/** Raises an alarm; one of the same kind for the same attempt of the payment stays as it is. */
export async function insertAlarm(sql: Sql, row: NewAlarm): Promise<void> {
  await sql`
    insert into payment_alarm (merchant_guid, guid, payment_uuid, kind, attempt, explanation,
      raised_at)
    values (${row.merchantGuid}, ${row.guid}, ${row.paymentUuid}, ${row.kind}, ${row.attempt},
      ${row.explanation}, ${row.raisedAt})
    on conflict do nothing`;
}
