import type postgres from 'postgres';

type Sql = postgres.Sql;
type Row = Record<string, postgres.ParameterOrJSON<never>>;

/** The rows of a payment that was authorized, which others are made after. */
export interface PaymentRows {
  readonly payment: Row;
  readonly guest: Row;
  readonly attempt: Row;
  /** Of the intent, and of the outcome. */
  readonly events: readonly [Row, Row];
}

/** What of a payment and its attempt is not known before the processor has answered. */
const NOT_YET = {
  payment: {
    ...{ state: 'PENDING', version: 1, response_code: null, authorization_code: null },
    ...{ authorized_at: null, apply_deadline: null, capture_deadline: null },
  },
  attempt: { outcome: null, processor_reference: null, finished_at: null, due_at: null },
} as const;

/** So far away that nobody looks after the payments of a ceiling. */
const NEVER = new Date('2099-01-01T00:00:00Z');

/** Finds the rows of an authorized payment. Throws when it has not come there in two steps. */
export async function findPaymentRows(sql: Sql, paymentUuid: string): Promise<PaymentRows> {
  const [payment] = await sql<Row[]>`select * from payment where payment_uuid = ${paymentUuid}`;
  const [guest] = await sql<Row[]>`select * from payment_guest where payment_uuid = ${paymentUuid}`;
  const [attempt] = await sql<Row[]>`
    select * from payment_attempt where payment_uuid = ${paymentUuid}`;
  const events = await sql<Row[]>`
    select * from payment_event where payment_uuid = ${paymentUuid} order by version`;
  const [first, second] = events;
  if (!payment || !guest || !attempt || !first || !second || events.length > 2) {
    throw new Error(`payment ${paymentUuid} is not one that was authorized in two steps`);
  }
  return { payment: { ...payment, due_at: NEVER }, guest, attempt, events: [first, second] };
}

/** The first commit of a payment, as one round trip: the product asks its processor after it. */
export async function insertIntent(sql: Sql, rows: PaymentRows, uuid: string): Promise<void> {
  const [event] = rows.events;
  const payment = { ...rows.payment, ...NOT_YET.payment, event_digest: event.digest as Buffer };
  const attempt = { ...rows.attempt, ...NOT_YET.attempt };
  await Promise.all([
    sql`begin`,
    insertEvent(sql, event, uuid),
    sql`insert into payment ${sql(ofPayment(payment, uuid))}`,
    sql`insert into payment_guest ${sql(ofPayment(rows.guest, uuid))}`,
    sql`insert into payment_attempt ${sql(ofPayment(attempt, uuid))}`,
    sql`commit`,
  ]);
}

/** The second one: what the processor answered. */
export async function updateOutcome(sql: Sql, rows: PaymentRows, uuid: string): Promise<void> {
  const [, event] = rows.events;
  const { payment, attempt } = rows;
  const key = sql`merchant_guid = ${payment.merchant_guid as string} and payment_uuid = ${uuid}`;
  const changes = [...Object.keys(NOT_YET.payment), 'due_at', 'modified_at', 'event_digest'];
  await Promise.all([
    sql`begin`,
    insertEvent(sql, event, uuid),
    sql`update payment set ${sql(payment, changes)} where ${key} and version = 1`,
    sql`update payment_attempt set ${sql(attempt, Object.keys(NOT_YET.attempt))}
      where ${key} and attempt = 1`,
    sql`commit`,
  ]);
}

/** The digest of an event is generated, and not of the payment's identity: it is the pattern's. */
function insertEvent(sql: Sql, event: Row, uuid: string) {
  const { digest: _, ...given } = event;
  return sql`insert into payment_event ${sql(ofPayment(given, uuid))}`;
}

function ofPayment(row: Row, uuid: string): Row {
  return { ...row, payment_uuid: uuid };
}
