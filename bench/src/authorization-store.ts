import type postgres from 'postgres';

/** For whom authorizations are made, and for how much each. */
export interface NewAuthorizations {
  /** An authorized payment that they are copies of. */
  readonly patternUuid: string;
  readonly clientId: string;
  readonly currencyCode: string;
  readonly tipMinor: number;
  readonly each: readonly {
    readonly restaurantGuid: string;
    readonly paymentUuid: string;
    readonly amountMinor: number;
  }[];
}

/**
 * Authorizations that wait for their order: the rows that the product wrote for the pattern, with
 * its two events. They can be applied until tomorrow, and nothing falls due that nobody applies.
 */
export async function insertAuthorizations(
  sql: postgres.Sql,
  { patternUuid, clientId, currencyCode, tipMinor, each }: NewAuthorizations,
): Promise<void> {
  const wanted = sql`
    jsonb_to_recordset(${sql.json(each)}) as wanted ("restaurantGuid" uuid, "paymentUuid" uuid,
      "amountMinor" bigint)`;
  await sql.begin((transaction) => [
    transaction`
      insert into payment_event (merchant_guid, payment_uuid, version, previous_version, from_state,
        cause, to_state, attempt, details, occurred_at, guid, previous_digest)
      select "restaurantGuid", "paymentUuid", version, previous_version, from_state, cause,
        to_state, attempt, details, occurred_at, guid, previous_digest
      from ${wanted}, payment_event
      where payment_event.payment_uuid = ${patternUuid}
      order by version`,
    transaction`
      insert into payment
      select made.*
      from ${wanted}, payment pattern, jsonb_populate_record(pattern, jsonb_build_object(
        'merchant_guid', "restaurantGuid", 'payment_uuid', "paymentUuid",
        'payment_id', "paymentUuid", 'client_id', ${clientId}::text,
        'amount_minor', "amountMinor", 'tip_minor', ${tipMinor}::bigint,
        'currency_code', ${currencyCode}::text,
        'apply_deadline', pattern.authorized_at + interval '1 day',
        'due_at', timestamptz '2099-01-01')) as made
      where pattern.payment_uuid = ${patternUuid}`,
  ]);
}
