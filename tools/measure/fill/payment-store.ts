import type { Sql } from '../../../packages/server/src/database/database.ts';
import { copied } from './copied-store.ts';

/**
 * Open payments to be inserted. The id of each says when it was authorized, as a UUID by time does.
 */
export interface OpenPayments {
  /** Applied to a check and due at their capture deadlines, or waiting for that, due in minutes. */
  readonly state: 'APPLIED' | 'AUTHORIZED';
  /** Tells the payments of one call from those of another. */
  readonly seed: string;
  readonly clientId: string;
  /** The copies of this restaurant, from 1 to `restaurants`, take turns. */
  readonly patternGuid: string;
  readonly restaurants: number;
  /** When number 0 falls due; number n does so `n * stepMs` later. */
  readonly firstDue: Date;
  readonly stepMs: number;
}

/** How long an authorization may stay unapplied, and uncaptured, in seconds: those of PAY-I3. */
const APPLY_WINDOW_S = 300;
const CAPTURE_WINDOW_S = 604_800;
/** The processor answers at once; so much later the payment is applied. */
const APPLY_MS = 60_000;

/**
 * Inserts the payments of the numbers from `first` to `last` with their whole history: every event
 * in its place in the chain of digests, the attempt as the simulated processor would have answered
 * it, and the guest. The database checks each row as it does those of the program.
 */
export async function insertOpenPayments(
  sql: Sql,
  payments: OpenPayments,
  first: number,
  last: number,
): Promise<void> {
  const isApplied = payments.state === 'APPLIED';
  await sql`
    with given as materialized (${givenPayments(sql, payments, first, last)}),
    submitted as (${insertedEvents(sql, SUBMITTED, null)}),
    approved as (${insertedEvents(sql, APPROVED, sql`submitted`)}),
    ${isApplied ? sql`applied as (${insertedEvents(sql, APPLIED, sql`approved`)}),` : sql``}
    paid as (${insertedPayments(sql, payments)}),
    visited as (
      insert into payment_guest (merchant_guid, payment_uuid, guest_identifier, guest_email,
        origin_ip_address, instance_id, billing_address, created_at)
      select merchant, uuid, 'guest-' || number || '@example.com', null, '8.8.4.4', 'fill',
        '{"postalCode":"02110","country":"USA"}', authorized_at
      from given
    )
    insert into payment_attempt (merchant_guid, payment_uuid, attempt, processor_key, started_at,
      outcome, processor_reference, finished_at)
    select merchant, uuid, 1, key, authorized_at, 'APPROVED', 'sim-' || substr(answer, 9, 16),
      authorized_at
    from given`;
}

/** What the payments are, by their numbers. Ids are by time, as those of the program. */
function givenPayments(sql: Sql, payments: OpenPayments, first: number, last: number) {
  const { state, seed, patternGuid, restaurants, firstDue, stepMs } = payments;
  const windowS = state === 'APPLIED' ? CAPTURE_WINDOW_S : APPLY_WINDOW_S;
  const merchant = copied(sql, sql`${patternGuid}`, sql`(1 + number % ${restaurants}::integer)`);
  return sql`
    select *, 'auth:' || id || ':1' as key,
      encode(sha256(('auth:' || id || ':1')::bytea), 'hex') as answer
    from (
      select *, overlay(overlay(overlay(md5(${seed} || '/id/' || number) placing '7' from 13)
        placing 'a' from 17)
        placing lpad(to_hex((extract(epoch from authorized_at) * 1000)::bigint), 12, '0') from 1
      )::uuid as id
      from (
        select *, due_at - ${windowS}::integer * interval '1 second' as authorized_at
        from (
          select number, ${merchant} as merchant,
            overlay(overlay(md5(${seed} || '/payment/' || number) placing '4' from 13)
              placing 'a' from 17)::uuid as uuid,
            date_trunc('milliseconds', ${firstDue}::timestamptz
              + number * ${stepMs}::float8 * interval '1 millisecond') as due_at
          from generate_series(${first}::integer, ${last}::integer) as number
        ) as due
      ) as authorized
    ) as known`;
}

/** One event of each payment. */
interface FilledEvent {
  readonly version: 1 | 2 | 3;
  readonly from: string;
  readonly cause: string;
  readonly to: string;
  /** Who asked for it, as JSON; null for what nobody asked for. */
  readonly details: string | null;
  /** When it happened, in ms from the authorization on. */
  readonly afterMs: number;
}

const SUBMITTED: FilledEvent = {
  ...{ version: 1, from: 'NEW', cause: 'submitted', to: 'PENDING' },
  ...{ details: null, afterMs: 0 },
};
const APPROVED: FilledEvent = {
  ...{ version: 2, from: 'PENDING', cause: 'approved', to: 'AUTHORIZED' },
  ...{ details: null, afterMs: 0 },
};
const APPLIED: FilledEvent = {
  ...{ version: 3, from: 'AUTHORIZED', cause: 'appliedToCheck', to: 'APPLIED' },
  ...{ details: '{"by":"fill"}', afterMs: APPLY_MS },
};

/** Inserts an event of each payment behind the one that `before` gave; null for the first. */
function insertedEvents(
  sql: Sql,
  { version, from, cause, to, details, afterMs }: FilledEvent,
  before: ReturnType<Sql> | null,
) {
  return sql`
    insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
      cause, to_state, attempt, details, occurred_at, guid, previous_digest)
    select merchant, uuid, ${version}::integer, ${version === 1 ? null : version - 1}::integer,
      ${from}, ${cause}, ${to}, 1, ${details}::text::json,
      authorized_at + ${afterMs}::integer * interval '1 millisecond',
      overlay(md5(uuid || '/event/' || ${version}::integer) placing '7' from 13)::uuid,
      ${before === null ? sql`null` : sql`before.digest`}
    from given ${before === null ? sql`` : sql`join ${before} as before on payment_uuid = uuid`}
    returning payment_uuid, digest`;
}

function insertedPayments(sql: Sql, { state, seed, clientId }: OpenPayments) {
  const isApplied = state === 'APPLIED';
  const [version, latest] = isApplied ? [3, sql`applied`] : [2, sql`approved`];
  const appliedMs = isApplied ? APPLY_MS : 0;
  return sql`
    insert into payment (merchant_guid, payment_uuid, payment_id, client_id, state, version,
      attempt, content_digest, currency_code, amount_minor, tip_minor, card_number_origin,
      will_save_card, card_brand, card_first6, card_last4, card_digest, local_transaction_date,
      authorization_code, authorized_at, apply_deadline, capture_deadline, check_guid, due_at,
      created_at, modified_at, event_digest)
    select merchant, uuid, id, ${clientId}, ${state}, ${version}::integer, 1,
      sha256((${seed} || '/content/' || number)::bytea), 'USD', 500 + number % 9000, number % 400,
      'END_USER', false, 'VISA', '411111', '1111',
      sha256((${seed} || '/card/' || number % 5000)::bytea), '2026-03-01T12:30:00.000-0600',
      lpad(((('x' || substr(answer, 1, 8))::bit(32)::bigint & 4294967295) % 1000000)::text, 6, '0'),
      authorized_at, authorized_at + ${APPLY_WINDOW_S}::integer * interval '1 second',
      authorized_at + ${CAPTURE_WINDOW_S}::integer * interval '1 second',
      ${isApplied ? sql`overlay(md5(uuid || '/check') placing '4' from 13)::uuid` : sql`null`},
      due_at, authorized_at,
      authorized_at + ${appliedMs}::integer * interval '1 millisecond',
      latest.digest
    from given join ${latest} as latest on payment_uuid = uuid`;
}
